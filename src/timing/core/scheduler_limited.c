/* warp_limiting of 3.2.2: gto over some of the warps. */
#include "timing/core/scheduler_internal.h"

/* The greedy warp, and the oldest `limit` of those that don't wait (it may be one of them). */
static uint32_t order_limited(struct core *c, struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = 0, considered = 0;
	if (c->s->live >> s->last & 1)
		order[n++] = (uint8_t)s->last;
	for (unsigned k = 0; k < s->n_sorted && considered < c->cfg->scheduler_limit; k++) {
		if (warp_waiting(c, s->sorted[k]))
			continue;
		considered++;
		if (s->sorted[k] != s->last)
			order[n++] = s->sorted[k];
	}
	return n;
}

const struct scheduler_own scheduler_limited = {.order = order_limited};

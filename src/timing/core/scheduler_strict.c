/* rrr of 4.x: strict round robin. */
#include "timing/core/scheduler_internal.h"

/* GPGPU-Sim 4's strict round robin: one warp has the turn, whether it can issue or not, the first after the last issued that doesn't
 * wait. */
static uint32_t order_strict(struct core *c, struct scheduler_state *s, uint8_t *order)
{
	uint32_t n = scheduler_round_robin(s, order);
	for (uint32_t k = 0; k < n; k++)
		if (!warp_waiting(c, order[k])) {
			order[0] = order[k];
			return 1;
		}
	return 0;
}

const struct scheduler_own scheduler_strict = {.order = order_strict};

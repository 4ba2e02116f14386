/* What a core's next cycles look at first. It is to fit into half a megabyte for the 15 cores of a GTX 480: more would push out its own
 * beginning. */
#include "base/prefetch.h"
#include "timing/core/collector.h"
#include "timing/core/scheduler.h"
#include "timing/timing.h"

#define STATS_HOT offsetof(struct core_stats, n_load_insn) /* what every instruction counts in */
#define INSTS_HOT 32u /* the pool gives out the entry that came back last */

void core_prefetch(const struct core *c)
{
	const struct core_state *s = c->s;
	if (!s->live)
		return;
	prefetch(s, offsetof(struct core_state, cta));
	prefetch(c->stats, STATS_HOT);
	prefetch(c->scheduler, c->cfg->schedulers * sizeof *c->scheduler);
	prefetch(c->inst, (s->n_insts < INSTS_HOT ? s->n_insts + 1 : INSTS_HOT) * sizeof *c->inst);
	collector_prefetch(c);
	for (uint64_t left = s->live; left; left &= left - 1) {
		const uint32_t warp = (uint32_t)__builtin_ctzll(left);
		const struct core_warp *w = &c->warp[warp];
		prefetch(w, offsetof(struct core_warp, last_fetch));
		prefetch(core_reserved(c, warp), 2 * c->sb_words * sizeof *c->scoreboard);
		exec_prefetch(c->t->exec, &c->t->cta[w->cta_slot].warp[w->index]);
	}
}

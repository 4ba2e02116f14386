/* A core's pools of instructions and memory accesses, and what an instruction's completion changes. */
#include <assert.h>

#include "exec/pending.h"
#include "timing/core/core.h"
#include "timing/core/front.h"
#include "timing/timing.h"

/* ---- pools ---- */

uint32_t core_new_inst(struct core *c)
{
	struct core_state *s = c->s;
	uint32_t k = s->free_inst;
	if (k) {
		s->free_inst = c->inst[k].next;
		return k;
	}
	k = ++s->n_insts;
	assert(k < CORE_INSTS && "instructions in flight on a core");
	timing_pool_use(&c->t->memory, &c->inst[k], sizeof c->inst[k]);
	return k;
}

void core_free_inst(struct core *c, uint32_t i)
{
	c->inst[i].used = false;
	c->inst[i].next = c->s->free_inst;
	c->s->free_inst = i;
}

uint32_t core_new_access(struct core *c)
{
	struct core_state *s = c->s;
	uint32_t k = s->free_access;
	if (k) {
		s->free_access = c->access[k].next;
		return k;
	}
	k = ++s->n_accesses;
	assert(k < CORE_ACCESSES && "memory accesses of a core");
	timing_pool_use(&c->t->memory, &c->access[k], sizeof c->access[k]);
	return k;
}

void core_free_access(struct core *c, uint32_t a)
{
	c->access[a].next = c->s->free_access;
	c->s->free_access = a;
}

/* ---- instructions end ---- */

void core_complete(struct core *c, const struct inst *i, uint64_t now)
{
	struct core_stats *st = c->stats;
	unsigned lanes = lanes_count(i->active);
	st->thread_icount += c->cfg->clock_gated_lanes ? lanes : c->cfg->warp_threads;
	st->warp_icount++;
	st->insns += lanes;
	c->t->s->sim_insn += lanes;
	if (c->t->exec->counts)
		c->t->exec->counts[i->pc].cycles += now - i->issued;
	if (c->t->line)
		timing_line_of(c->t, i->pc)->latency += (now - i->issued) * lanes;
	if (__builtin_expect(c->t->observer.on_complete != NULL, 0)) /* last: a call at the end costs the others nothing */
		c->t->observer.on_complete(c->t->observer.self, i, now);
}

void core_leave_pipeline(struct core *c, uint32_t warp)
{
	c->warp[warp].in_pipeline--;
	if (c->warp[warp].done) /* it may retire */
		front_update(c, warp);
}

void core_store_sent(struct core *c, uint32_t warp)
{
	c->warp[warp].stores++;
	if (c->warp[warp].done) /* it may retire */
		front_update(c, warp);
}

void core_store_acknowledged(struct core *c, uint32_t warp)
{
	c->warp[warp].stores--;
	if (c->warp[warp].done) /* it may retire */
		front_update(c, warp);
}

void core_execute_atomic(struct core *c, uint32_t inst, uint32_t lanes)
{
	struct inst *i = &c->inst[inst];
	struct core_warp *w = &c->warp[i->warp];
	struct exec *x = c->t->exec;
	struct exec_cta *cta = &c->t->cta[w->cta_slot];
	if (!x->launch || x->launch->id != cta->launch)
		exec_enter(x, c->t->launch(c->t->gpu, cta->launch));
	const bool observed = cta->warp[w->index].waiting;
	exec_set_needs(x, EXEC_PART_LANDING, observed ? EXEC_NEED_COMPARE : 0);
	const uint32_t pc = i->pc, effect = i->effect;
	if (exec_pending_at(x, effect)->lanes == lanes) { /* the entry becomes free */
		exec_pending_leave(x, &w->pending, effect);
		i->effect = 0;
	}
	const bool watched = exec_pending_land(x, cta, effect, lanes);
	exec_set_needs(x, EXEC_PART_LANDING, 0);
	if (watched || x->marks[pc] || (c->t->stop_landed && c->t->stop_landed == exec_pending_landed(x))) {
		c->t->stopped = TIMING_LANDED;
		c->t->atomic = (struct timing_atomic){
			.happened = true, .at = {c->id, w->cta_slot, w->index, pc}, .lanes = lanes};
	}
	c->t->s->changes += x->n_stores;
	if (observed && x->n_stores)
		c->t->on_landed(c->t->gpu, w->cta_slot, w->index);
	x->n_stores = 0;
}

void core_atomics_returned(struct core *c, uint32_t warp, uint32_t n_lanes)
{
	c->warp[warp].atomics -= (uint16_t)n_lanes;
	front_update(c, warp);
}

/* bar and barrier (PTX ISA "bar{.cta}, barrier{.cta}").
 *
 * Arrivals are counted in warps, 32 threads each, as the ISA has it. Without a thread count a barrier opens when every warp of
 * the block that hasn't exited has arrived (GPGPU-Sim's rule, and what hardware does); with a count when so many threads have.
 * The forms that are .aligned must be executed by all live lanes of a warp together: anything else is undefined in CUDA
 * and stops here as invalid barrier use. In the others a warp arrives when its last live lane does; see barrier_wait_lanes. */
#include "exec/barrier.h"

#include "exec/simt.h"

enum barrier_use { USE_SYNC, USE_ARRIVE, USE_RED };

static uint32_t live_lanes(const struct exec_warp *w) { return w->lanes & ~w->exited; }

/* ---- opening ---- */

static void deliver_reduction(struct exec *x, const struct exec_warp *w, const struct exec_barrier *b)
{
	const struct isa_insn *i = &x->program->insns[w->barrier_pc];
	uint64_t frame = exec_simt_of_lane(x, w, lanes_first(w->barrier_lanes))->frame;
	uint32_t *preds = exec_preds(x, frame), result;
	switch (i->handler) {
	case ISA_H_bar_red_popc_u32:
	case ISA_H_barrier_red_popc_u32: {
		uint32_t *row = exec_row(x, w, frame, i->dst);
		LANES_EACH(lane, w->barrier_lanes)
			row[lane] = b->red_true;
		return;
	}
	case ISA_H_bar_red_and_pred:
	case ISA_H_barrier_red_and_pred:
		result = b->red_false ? 0 : LANES_ALL;
		break;
	case ISA_H_bar_red_or_pred:
	case ISA_H_barrier_red_or_pred:
		result = b->red_true ? LANES_ALL : 0;
		break;
	default:
		return;
	}
	preds[i->dst] = (preds[i->dst] & ~w->barrier_lanes) | (result & w->barrier_lanes);
}

static void open_if_complete(struct exec *x, uint32_t id)
{
	struct exec_cta *cta = x->cta;
	struct exec_barrier *b = &cta->barrier[id];
	uint32_t expected = b->expected ? b->expected : (cta->n_warps - cta->n_done) * LANES;
	if (!b->arrived || b->arrived < expected)
		return;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		struct exec_warp *w = &cta->warp[k];
		if (w->state != EXEC_WARP_BARRIER || w->barrier != id)
			continue;
		deliver_reduction(x, w, b);
		w->state = EXEC_WARP_RUNNABLE;
		w->barrier_lanes = 0;
	}
	*b = (struct exec_barrier){0};
	cta->n_opened++;
}

void barrier_warp_done(struct exec *x)
{
	for (uint32_t id = 0; id < EXEC_BARRIERS; id++)
		if (!x->cta->barrier[id].expected)
			open_if_complete(x, id);
}

/* ---- checks ---- */

static bool same_in_all_lanes(const struct exec *x, const uint32_t *row, uint32_t *value)
{
	*value = row[lanes_first(x->mask)];
	LANES_EACH(lane, x->mask)
		if (row[lane] != *value)
			return false;
	return true;
}

static bool count_fits(struct exec *x, uint32_t id, uint32_t count)
{
	uint32_t threads = x->cta->n_warps * LANES;
	if (count % LANES)
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "the thread count %u of barrier %u is not a multiple of 32", count, id);
	else if (count > threads)
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "barrier %u waits for %u threads, the block has only %u", id, count,
			   x->launch->threads_per_cta);
	return !x->event;
}

/* Reads and checks id and count; false: a fault was raised. */
static bool barrier_operands(struct exec *x, const struct isa_insn *i, enum barrier_use use, uint32_t *id, uint32_t *count)
{
	*count = 0;
	if (!same_in_all_lanes(x, exec_src32(x, i->a), id) ||
	    (i->b != ISA_REF_NONE && !same_in_all_lanes(x, exec_src32(x, i->b), count))) {
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "the lanes of the warp name different barriers or thread counts");
		return false;
	}
	if (*id >= EXEC_BARRIERS) {
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "barrier %u does not exist, a block has %u", *id, EXEC_BARRIERS);
		return false;
	}
	if (!*count && use == USE_ARRIVE) {
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "arriving at barrier %u needs a thread count", *id);
		return false;
	}
	if (!count_fits(x, *id, *count))
		return false;
	const struct exec_barrier *b = &x->cta->barrier[*id];
	uint32_t threads = x->cta->n_warps * LANES;
	if (b->arrived && (b->expected ? b->expected : threads) != (*count ? *count : threads)) {
		exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "barrier %u is in use with a thread count of %u, not %u", *id,
			   b->expected ? b->expected : threads, *count ? *count : threads);
		return false;
	}
	return true;
}

static bool whole_warp(struct exec *x, const char *name)
{
	uint32_t live = live_lanes(x->warp);
	if (x->mask == live)
		return true;
	exec_raise(x, EXEC_FAULT_BARRIER, x->mask, "%s was reached by lanes 0x%08x of the warp's 0x%08x only", name, x->mask, live);
	return false;
}

/* ---- arriving ---- */

static void add_predicate(struct exec *x, const struct isa_insn *i, struct exec_barrier *b)
{
	uint32_t p = exec_pred(x, i->c);
	b->red_true += lanes_count(p & x->mask);
	b->red_false += lanes_count(~p & x->mask);
}

static void arrive(struct exec *x, const struct isa_insn *i, enum barrier_use use, const char *name)
{
	uint32_t id, count;
	if (!whole_warp(x, name) || !barrier_operands(x, i, use, &id, &count))
		return;
	struct exec_barrier *b = &x->cta->barrier[id];
	struct exec_warp *w = x->warp;
	if (!b->arrived || count)
		b->expected = count;
	b->arrived += LANES;
	if (use == USE_RED)
		add_predicate(x, i, b);
	if (use != USE_ARRIVE) {
		w->state = EXEC_WARP_BARRIER;
		w->barrier = id;
		w->barrier_pc = x->pc;
		w->barrier_lanes = x->mask;
		x->event = EXEC_EVENT(EXEC_BARRIER);
	}
	open_if_complete(x, id);
}

EXEC_HANDLER(bar_sync) { arrive(x, i, USE_SYNC, "bar.sync"); }
EXEC_HANDLER(bar_arrive) { arrive(x, i, USE_ARRIVE, "bar.arrive"); }
EXEC_HANDLER(bar_red_popc_u32) { arrive(x, i, USE_RED, "bar.red"); }
EXEC_HANDLER(bar_red_and_pred) { arrive(x, i, USE_RED, "bar.red"); }
EXEC_HANDLER(bar_red_or_pred) { arrive(x, i, USE_RED, "bar.red"); }
EXEC_HANDLER(barrier_sync) { arrive(x, i, USE_SYNC, "barrier.sync"); }
EXEC_HANDLER(barrier_arrive) { arrive(x, i, USE_ARRIVE, "barrier.arrive"); }
EXEC_HANDLER(barrier_red_popc_u32) { arrive(x, i, USE_RED, "barrier.red"); }
EXEC_HANDLER(barrier_red_and_pred) { arrive(x, i, USE_RED, "barrier.red"); }
EXEC_HANDLER(barrier_red_or_pred) { arrive(x, i, USE_RED, "barrier.red"); }

/* Lanes of a warp run in lock step, so those named are here, or wait where the warp has diverged: nothing to do. */
EXEC_HANDLER(bar_warp_sync)
{
	(void)x;
	(void)i;
}

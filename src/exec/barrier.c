/* bar and barrier (PTX ISA "bar{.cta}, barrier{.cta}").
 *
 * Arrivals are counted in warps of exec.warp_threads threads, as the ISA has it. Without a thread count a barrier opens when every warp of
 * the block that hasn't exited has arrived (GPGPU-Sim's rule, and what hardware does); with a count when so many threads have.
 * A warp arrives when its last live lane does. Until then, lanes that have reached the barrier wait, and the warp's other lanes run (simt_settle). Lanes that
 * exit aren't waited for. In the .aligned forms all lanes must reach the same instruction; two of them are undefined in CUDA, and are reported here as
 * invalid barrier use. */
#include "exec/barrier.h"

#include "exec/ahead.h"
#include "exec/effect.h"
#include "exec/simt.h"
#include "exec/warp_sync.h"
#include "isa/opcodes.h"

/* The operands of the executing lanes. */
struct arrival {
	uint32_t id, count; /* count 0: none */
	uint32_t leaving;   /* lanes that needn't come */
};

static bool is_reduction(const struct isa_insn *i)
{
	return i->handler == ISA_H_bar_red_popc_u32 || i->handler == ISA_H_bar_red_and_pred ||
	       i->handler == ISA_H_bar_red_or_pred || i->handler == ISA_H_barrier_red_popc_u32 ||
	       i->handler == ISA_H_barrier_red_and_pred || i->handler == ISA_H_barrier_red_or_pred;
}

static bool is_arrive(const struct isa_insn *i)
{
	return i->handler == ISA_H_bar_arrive || i->handler == ISA_H_barrier_arrive;
}

static bool is_barrier(const struct isa_insn *i)
{
	return is_reduction(i) || is_arrive(i) || i->handler == ISA_H_bar_sync || i->handler == ISA_H_barrier_sync;
}

bool exec_barrier_ahead(const struct exec *x, const struct exec_warp *w, uint32_t *id)
{
	if (w->state != EXEC_WARP_RUNNABLE || !w->n_simt)
		return false;
	const struct exec_simt *top = exec_simt_top(x, w);
	const struct isa_insn *i = &x->program->insns[top->pc];
	const uint32_t p = exec_preds(x, top->frame)[ISA_PRED_SLOT(i->guard)], lanes = top->mask & (i->guard & ISA_PRED_NOT ? ~p : p);
	if (!is_barrier(i) || !lanes)
		return false;
	const uint32_t *row = exec_row(x, w, top->frame, i->a);
	*id = row[lanes_first(lanes)];
	return *id < EXEC_BARRIERS;
}

static uint32_t live_lanes(const struct exec_warp *w) { return w->lanes & ~w->exited; }

/* ---- opening ---- */

/* Writes the result for lanes of one activation. */
static void write_reduction(struct exec *x, const struct exec_warp *w, const struct exec_barrier *b, uint64_t frame,
			    uint32_t lanes)
{
	const struct isa_insn *i = &x->program->insns[w->barrier_pc];
	uint32_t *preds = exec_preds(x, frame), result;
	switch (i->handler) {
	case ISA_H_bar_red_popc_u32:
	case ISA_H_barrier_red_popc_u32: {
		uint32_t *row = exec_row(x, w, frame, i->dst);
		LANES_EACH (lane, lanes)
			row[lane] = b->red_true;
		return;
	}
	case ISA_H_bar_red_and_pred:
	case ISA_H_barrier_red_and_pred: result = b->red_false ? 0 : LANES_ALL; break;
	case ISA_H_bar_red_or_pred:
	case ISA_H_barrier_red_or_pred: result = b->red_true ? LANES_ALL : 0; break;
	default: return;
	}
	preds[i->dst] = (preds[i->dst] & ~lanes) | (result & lanes);
}

static void deliver_reduction(struct exec *x, const struct exec_warp *w, const struct exec_barrier *b)
{
	uint32_t left = w->barrier_lanes;
	while (left) {
		const struct exec_simt *e = exec_simt_of_lane(x, w, lanes_first(left));
		write_reduction(x, w, b, e->frame, left & e->mask);
		left &= ~e->mask;
	}
}

static void open_if_complete(struct exec *x, uint32_t id)
{
	struct exec_cta *cta = x->cta;
	struct exec_barrier *b = &cta->barrier[id];
	uint32_t expected = b->expected ? b->expected : (cta->n_warps - cta->n_done) * x->warp_threads;
	if (!b->arrived || b->arrived < expected)
		return;
	uint64_t warps = 0;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		struct exec_warp *w = &cta->warp[k];
		if (w->state != EXEC_WARP_BARRIER || w->barrier != id)
			continue;
		warps |= UINT64_C(1) << k;
		deliver_reduction(x, w, b);
		w->state = EXEC_WARP_RUNNABLE;
		w->barrier_lanes = 0;
	}
	if (__builtin_expect(x->wants.kinds & EXEC_LOOK(OPEN), 0))
		effect_barrier_opened(x, id, b->expected, warps);
	*b = (struct exec_barrier){0};
	cta->n_opened++;
}

void barrier_warp_done(struct exec *x)
{
	for (uint32_t id = 0; id < EXEC_BARRIERS; id++)
		if (!x->cta->barrier[id].expected)
			open_if_complete(x, id);
}

bool exec_barrier_is_used(const struct exec_cta *cta, uint32_t id)
{
	bool used = cta->barrier[id].arrived > 0;
	for (uint32_t k = 0; k < cta->n_warps && !used; k++)
		used = exec_lanes_at_barrier(&cta->warp[k], id) != 0;
	return used;
}

uint32_t exec_barrier_wants(const struct exec *x, const struct exec_cta *cta, uint32_t id)
{
	uint32_t wants = cta->barrier[id].expected;
	for (uint32_t k = 0; k < cta->n_warps && !wants; k++)
		wants = exec_lanes_at_barrier(&cta->warp[k], id) ? cta->warp[k].barrier_count : 0;
	return wants ? wants : (cta->n_warps - cta->n_done) * x->warp_threads;
}

/* ---- checks ---- */

static bool same_in_all_lanes(const struct exec *x, const uint32_t *row, uint32_t *value)
{
	*value = row[lanes_first(x->mask)];
	LANES_EACH (lane, x->mask)
		if (row[lane] != *value)
			return false;
	return true;
}

#define WRONG_OPERANDS(x, id) \
	(x), &(struct exec_misuse) { .kind = EXEC_MISUSE_OPERANDS, .other_pc = ISA_NO_TARGET, .barrier = (id) }

static bool count_fits(struct exec *x, uint32_t id, uint32_t count)
{
	uint32_t threads = x->cta->n_warps * x->warp_threads;
	if (count % x->warp_threads)
		effect_misuse(WRONG_OPERANDS(x, id), "the thread count %u of barrier %u is not a multiple of %u", count,
			     id, x->warp_threads);
	else if (count > threads)
		effect_misuse(WRONG_OPERANDS(x, id), "barrier %u waits for %u threads, the block has only %u", id, count,
			     x->launch->threads_per_cta);
	return !(count % x->warp_threads) && count <= threads;
}

/* Reads and checks id and count; false: the instruction faults, stops, or has no effect. */
static bool barrier_operands(struct exec *x, const struct isa_insn *i, enum exec_barrier_use use, struct arrival *a)
{
	if (!same_in_all_lanes(x, exec_src32(x, i->a), &a->id) ||
	    (i->b != ISA_REF_NONE && !same_in_all_lanes(x, exec_src32(x, i->b), &a->count))) {
		effect_misuse(WRONG_OPERANDS(x, a->id),
			     "the lanes of the warp name different barriers or thread counts");
		return false;
	}
	if (a->id >= EXEC_BARRIERS) {
		effect_misuse(WRONG_OPERANDS(x, a->id), "barrier %u does not exist, a block has %u", a->id,
			     EXEC_BARRIERS);
		return false;
	}
	if (!a->count && use == EXEC_BARRIER_ARRIVE) {
		effect_misuse(WRONG_OPERANDS(x, a->id), "arriving at barrier %u needs a thread count", a->id);
		return false;
	}
	if (!count_fits(x, a->id, a->count))
		return false;
	const struct exec_barrier *b = &x->cta->barrier[a->id];
	const uint32_t threads = x->cta->n_warps * x->warp_threads, count = a->count ? a->count : threads;
	const uint32_t used = b->expected ? b->expected : threads;
	if (b->arrived && used != count) {
		effect_misuse(WRONG_OPERANDS(x, a->id), "barrier %u is in use with a thread count of %u, not %u", a->id,
			     used, count);
		return false;
	}
	return true;
}

/* Returns the lanes whose next instruction exits the kernel, where they wait to reconverge. After `if (i >= n) return;` lanes wait at the kernel's `ret`.
 * On hardware such lanes have exited, so barriers don't wait for them. */
static uint32_t leaving_lanes(struct exec *x)
{
	const struct exec_warp *w = x->warp;
	uint32_t leaving = 0;
	for (uint32_t rest = live_lanes(w) & ~x->mask; rest; rest &= rest - 1) {
		unsigned lane = lanes_first(rest);
		const struct exec_simt *e = exec_simt_of_lane(x, w, lane);
		leaving |= warp_sync_only_exits(x, e->pc, e->call_depth) ? lanes_bit(lane) : 0;
	}
	return leaving;
}

/* Returns the lanes besides x->mask that wait in another .aligned barrier instruction or are in front of one, and stores the place of the first in *pc. */
static uint32_t elsewhere(struct exec *x, uint32_t *pc)
{
	const struct exec_warp *w = x->warp;
	uint32_t lanes = 0;
	for (uint32_t rest = live_lanes(w) & ~x->mask; rest; rest &= rest - 1) {
		const unsigned lane = lanes_first(rest);
		const bool waits = w->barrier_lanes >> lane & 1;
		const uint32_t at = waits ? w->barrier_pc : exec_simt_of_lane(x, w, lane)->pc;
		const struct isa_insn *i = &x->program->insns[at];
		if (at == x->pc || !is_barrier(i) || (!waits && i->guard != ISA_PRED_TRUE))
			continue;
		*pc = at;
		lanes |= lanes_bit(lane);
	}
	return lanes;
}

/* ---- arriving ---- */

/* The whole warp has arrived with the instruction at w->barrier_pc: its lanes are w->barrier_lanes. */
static void warp_arrives(struct exec *x, bool waits)
{
	struct exec_warp *w = x->warp;
	uint32_t id = w->barrier;
	struct exec_barrier *b = &x->cta->barrier[id];
	if (!b->arrived || w->barrier_count)
		b->expected = w->barrier_count;
	b->arrived += x->warp_threads;
	b->red_true += lanes_count(w->barrier_true);
	b->red_false += lanes_count(w->barrier_false);
	w->barrier_true = w->barrier_false = 0;
	if (waits)
		w->state = EXEC_WARP_BARRIER;
	else
		w->barrier_lanes = 0;
	open_if_complete(x, id);
}

/* Reports that lanes wait in another barrier instruction. Returns true if both instructions count as one. */
static bool wait_elsewhere(struct exec *x, uint32_t lanes, uint32_t pc, uint32_t id)
{
	struct exec_misuse m = {.kind = EXEC_MISUSE_ELSEWHERE, .missing = lanes, .other_pc = pc, .barrier = id};
	return effect_misuse(x, &m, "lanes 0x%08x of the warp wait in another barrier instruction (pc 0x%x)", lanes,
			    pc * ISA_INSN_BYTES);
}

/* Lanes with the same barrier, count and kind of instruction can wait together. */
static bool joins_waiting_lanes(struct exec *x, const struct isa_insn *i, const struct arrival *a)
{
	const struct exec_warp *w = x->warp;
	if (!w->barrier_lanes)
		return true;
	const struct isa_insn *other = &x->program->insns[w->barrier_pc];
	bool same = w->barrier == a->id && w->barrier_count == a->count && other->handler == i->handler;
	if (same && (!is_reduction(i) || w->barrier_pc == x->pc))
		return true;
	return wait_elsewhere(x, w->barrier_lanes, w->barrier_pc, a->id) && same;
}

/* Reports lanes of the warp that have reached another .aligned barrier instruction. Returns false if the instruction faults or stops. */
static bool all_come_here(struct exec *x, const char *name, uint32_t id)
{
	uint32_t pc = 0;
	const uint32_t lanes = elsewhere(x, &pc);
	if (!lanes)
		return true;
	if (lanes & x->warp->barrier_lanes)
		return wait_elsewhere(x, lanes, pc, id);
	struct exec_misuse m = {.kind = EXEC_MISUSE_ELSEWHERE, .missing = lanes, .other_pc = pc, .barrier = id};
	return effect_misuse(x, &m, "%s was reached by lanes 0x%08x of the warp's 0x%08x only", name,
			    x->mask | x->warp->barrier_lanes, live_lanes(x->warp));
}

/* Returns the lanes that wait behind the barrier to reconverge with lanes in it, and stores the place of the first in *pc. They don't reach the barrier. */
static uint32_t lanes_behind(const struct exec *x, uint32_t leaving, uint32_t *pc)
{
	const struct exec_warp *w = x->warp;
	uint32_t behind = 0;
	LANES_EACH (lane, live_lanes(w) & ~(x->mask | w->barrier_lanes | w->sync_lanes | leaving)) {
		const struct exec_simt *e = exec_simt_of_lane(x, w, lane);
		if (!(e->mask & x->mask))
			continue;
		*pc = behind ? *pc : e->pc;
		behind |= lanes_bit(lane);
	}
	return behind;
}

/* Reports lanes that wait behind the barrier. Returns false if the machine stops; if it continues, the barrier doesn't wait for them. */
static bool none_behind(struct exec *x, const char *name, struct arrival *a)
{
	struct exec_misuse m = {.kind = EXEC_MISUSE_DIVERGED, .barrier = a->id};
	m.missing = effect_misuse_is_judged(x) ? lanes_behind(x, a->leaving, &m.other_pc) : 0;
	if (!m.missing)
		return true;
	if (!effect_misuse(x, &m, "%s was reached by lanes 0x%08x of the warp's 0x%08x only", name, x->mask,
			  live_lanes(x->warp)))
		return false;
	a->leaving |= m.missing;
	return true;
}

/* Notes that the lanes of x->mask have reached the barrier. The warp arrives if all its other lanes have, or are in a->leaving. */
static void arrive(struct exec *x, const struct isa_insn *i, enum exec_barrier_use use, const struct arrival *a)
{
	struct exec_warp *w = x->warp;
	const uint32_t p = use == EXEC_BARRIER_RED ? exec_pred(x, i->c) : 0, before = w->barrier_lanes;
	w->barrier = (uint8_t)a->id;
	w->barrier_count = a->count;
	w->barrier_pc = x->pc;
	w->barrier_lanes |= x->mask;
	w->barrier_true |= use == EXEC_BARRIER_RED ? p & x->mask : 0;
	w->barrier_false |= use == EXEC_BARRIER_RED ? ~p & x->mask : 0;
	if ((w->barrier_lanes | a->leaving) != live_lanes(w)) {
		simt_goto(x, x->pc + 1);
		simt_settle(x);
		return;
	}
	warp_arrives(x, use != EXEC_BARRIER_ARRIVE);
	x->top->pc = x->pc + 1;
	if (before)
		simt_merge(x);
	simt_goto(x, x->pc + 1);
	if (use != EXEC_BARRIER_ARRIVE)
		x->event = EXEC_EVENT(EXEC_BARRIER);
}

/* Reports lanes of the warp that wait, in a warp-level instruction, for the lanes in the barrier. Returns false if the machine stops; otherwise the
 * barrier doesn't wait for the reported lanes. */
static bool others_can_come(struct exec *x, struct arrival *a)
{
	const struct exec_warp *w = x->warp;
	uint32_t missing = live_lanes(w) & ~(w->barrier_lanes | x->mask | a->leaving);
	if (!missing || !warp_sync_all_wait(x, x->mask))
		return true;
	char places[80];
	warp_sync_places(x, missing, places, sizeof places);
	struct exec_misuse m = {.kind = EXEC_MISUSE_LOCKED,
				.missing = missing,
				.other_pc = exec_simt_of_lane(x, w, lanes_first(missing))->pc,
				.barrier = a->id};
	a->leaving |= missing;
	if (!effect_misuse(x, &m, "lanes 0x%08x of the warp wait for these in a warp-level instruction (%s)", missing,
			  places))
		return false;
	x->warp->sync_passers &= ~(x->mask | w->barrier_lanes); /* that they are missing has been reported */
	return true;
}

static void unaligned(struct exec *x, const struct isa_insn *i, enum exec_barrier_use use)
{
	struct arrival a = {.leaving = 0};
	if (barrier_operands(x, i, use, &a) && joins_waiting_lanes(x, i, &a) && others_can_come(x, &a))
		arrive(x, i, use, &a);
}

static void aligned(struct exec *x, const struct isa_insn *i, enum exec_barrier_use use, const char *name)
{
	struct arrival a = {.leaving = 0};
	if (x->mask == live_lanes(x->warp)) {
		if (barrier_operands(x, i, use, &a))
			arrive(x, i, use, &a);
		return;
	}
	if (!all_come_here(x, name, exec_src32(x, i->a)[lanes_first(x->mask)]) || !barrier_operands(x, i, use, &a) ||
	    !joins_waiting_lanes(x, i, &a))
		return;
	a.leaving = leaving_lanes(x);
	if (none_behind(x, name, &a) && others_can_come(x, &a))
		arrive(x, i, use, &a);
}

void barrier_lanes_left(struct exec *x)
{
	struct exec_warp *w = x->warp;
	if (w->barrier_lanes != live_lanes(w)) {
		simt_settle(x);
		return;
	}
	bool waits = !is_arrive(&x->program->insns[w->barrier_pc]);
	warp_arrives(x, waits);
	simt_settle(x);
	simt_merge(x);
	if (waits)
		x->event = EXEC_EVENT(EXEC_BARRIER);
}

EXEC_HANDLER(bar_sync) { aligned(x, i, EXEC_BARRIER_SYNC, "bar.sync"); }
EXEC_HANDLER(bar_arrive) { aligned(x, i, EXEC_BARRIER_ARRIVE, "bar.arrive"); }
EXEC_HANDLER(bar_red_popc_u32) { aligned(x, i, EXEC_BARRIER_RED, "bar.red"); }
EXEC_HANDLER(bar_red_and_pred) { aligned(x, i, EXEC_BARRIER_RED, "bar.red"); }
EXEC_HANDLER(bar_red_or_pred) { aligned(x, i, EXEC_BARRIER_RED, "bar.red"); }
EXEC_HANDLER(barrier_sync) { unaligned(x, i, EXEC_BARRIER_SYNC); }
EXEC_HANDLER(barrier_arrive) { unaligned(x, i, EXEC_BARRIER_ARRIVE); }
EXEC_HANDLER(barrier_red_popc_u32) { unaligned(x, i, EXEC_BARRIER_RED); }
EXEC_HANDLER(barrier_red_and_pred) { unaligned(x, i, EXEC_BARRIER_RED); }
EXEC_HANDLER(barrier_red_or_pred) { unaligned(x, i, EXEC_BARRIER_RED); }

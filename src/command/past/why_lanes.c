/* `why EXPR` of what lanes make together: shfl, vote, match, redux in a warp, bar.red in a block. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/describe.h"
#include "command/past/why_chain.h"
#include "isa/opcodes.h"

#define OTHERS_MAX 3u /* whose operand is followed, besides the one that is asked about */
#define VALUES_MAX 8u /* of a warp that are told */
#define WARPS_MAX EXEC_WARPS_PER_CTA

static const struct isa_insn *insn_at(const struct why_chain *c, uint32_t pc)
{
	return &gpu_program(debug_gpu(history_debug(c->h)))->insns[pc];
}

static bool is_barrier(const struct why_chain *c, uint32_t pc)
{
	const uint16_t op = insn_at(c, pc)->opcode;
	return isa_op_is_barrier(op) && gpu_program(debug_gpu(history_debug(c->h)))->where[pc].n_writes;
}

bool why_is_of_lanes(const struct why_chain *c, uint32_t pc, const struct debug_operand *o, uint32_t n, uint32_t k)
{
	const uint16_t op = insn_at(c, pc)->opcode;
	if (is_barrier(c, pc)) /* the last one; in front of it are the barrier and the number of threads */
		return k + 1 == n && ISA_RW_IS_PRED(o[k].word);
	return !k && (op == ISA_OP_VOTE || op == ISA_OP_REDUX || op == ISA_OP_MATCH);
}

/* ---- words ---- */

void why_lane_line(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t lane,
		   uint32_t depth)
{
	struct why_at from = *a;
	struct debug_operand named = *r;
	from.thread.thread = debug_thread_of(c->d, debug_warp_of(c->d, a->thread.thread), lane);
	if (from.thread.thread != a->thread.thread)
		snprintf(named.text, sizeof named.text, "%.40s of lane %u", r->text, lane);
	why_register_line(c, &from, &named, depth);
}

static void add_group(struct why_chain *c, const struct debug_operand *r, uint32_t lanes, uint64_t value)
{
	report_open(c->answer, NULL);
	report_number(c->answer, "lanes", lanes);
	describe_value(c->answer, "value", r->type, value);
	report_close(c->answer);
}

static uint32_t lanes_with(uint32_t lanes, const uint64_t value[LANES], uint64_t v)
{
	uint32_t same = 0;
	LANES_EACH (lane, lanes)
		same |= value[lane] == v ? lanes_bit(lane) : 0;
	return same;
}

/* `%r2 in lanes 0x0000000f = 5, 0xfffffff0 = 7`; `warp`: `%p1 in warp 1, lanes ...`, NULL: there is one only. */
static void given_line(struct why_chain *c, const struct debug_operand *r, const uint32_t *warp, uint32_t lanes,
		       const uint64_t value[LANES], uint32_t depth)
{
	uint32_t told = 0, more = 0;
	if (!why_line_begin(c, depth))
		return;
	why_line_is(c, "lanes", r->text);
	report_say(c->answer, " in ");
	if (warp) {
		report_say(c->answer, "warp %u, ", *warp);
		report_number(c->answer, "warp", *warp);
	}
	report_say(c->answer, "lanes");
	report_list(c->answer, "values");
	for (uint32_t left = lanes, same; left; left &= ~same) {
		const uint64_t v = value[lanes_first(left)];
		same = lanes_with(left, value, v);
		add_group(c, r, same, v);
		if (told == VALUES_MAX) {
			more++;
			continue;
		}
		report_say(c->answer, "%s 0x%08x = ", told++ ? "," : "", same);
		debug_step_value(r->type, v, report_prose(c->answer));
	}
	report_close(c->answer);
	if (more)
		report_say(c->answer, " and %u more value%s", more, more == 1 ? "" : "s");
	report_say(c->answer, "\n");
	why_line_over(c);
}

/* ---- in a warp ---- */

/* Describes the lanes that gave the result, if there are such (a maximum, a true `any`), else the first lane. */
static uint32_t next_other(const struct debug_step *s, uint32_t left, const uint64_t value[LANES])
{
	const uint32_t decided = s->has_values ? lanes_with(left, value, s->value[0]) : 0;
	return lanes_first(decided ? decided : left);
}

static void in_warp(struct why_chain *c, const struct why_at *a, const struct debug_step *s,
		    const struct debug_operand *r, uint32_t depth)
{
	uint64_t value[LANES];
	if (!trace_go(c->h, &a->thread, a->point.executed, &c->here)) {
		why_register_line(c, a, r, depth);
		return;
	}
	const uint32_t lanes = debug_step_lanes(c->d, &a->thread, r, value), own = debug_lane_of(c->d, a->thread.thread);
	uint32_t left = lanes & ~lanes_with(lanes, value, value[own]);
	given_line(c, r, NULL, lanes, value, depth);
	why_register_line(c, a, r, depth);
	for (uint32_t shown = 0; left && shown < OTHERS_MAX && !c->failed; shown++) {
		const uint32_t first = next_other(s, left, value);
		why_lane_line(c, a, r, first, depth);
		left &= ~lanes_with(left, value, value[first]);
	}
}

/* ---- in a block ---- */

/* A warp that has arrived at the barrier: its lanes, and those whose predicate is true. */
struct arrival {
	uint32_t lanes, set, pc, depth;
	uint64_t executed, frame;
};

struct gathering {
	struct why_chain *c;
	const struct why_at *a;
	uint32_t id; /* of the barrier, once the thread's warp is there */
	bool is_there, over;
	struct arrival warp[WARPS_MAX];
	uint32_t of[WARPS_MAX]; /* the barrier at which each has arrived */
};

static void arrives(struct gathering *g, const struct exec *x, const struct exec_warp *w, uint32_t lanes, uint32_t pc,
		    uint64_t executed, uint32_t id)
{
	struct arrival *v = &g->warp[w->index];
	const struct exec_simt *e = exec_simt_of_lane(x, w, lanes_first(lanes));
	const struct isa_insn *i = insn_at(g->c, pc);
	if (!is_barrier(g->c, pc) || !e)
		return;
	if (g->of[w->index] != id || v->pc != pc)
		*v = (struct arrival){.pc = pc};
	g->of[w->index] = id;
	v->lanes |= lanes;
	v->set |= exec_preds(x, e->frame)[ISA_PRED_SLOT(i->c)] & lanes;
	v->executed = executed;
	v->frame = e->frame;
	v->depth = e->call_depth;
	if (w->index != exec_warp_of(x, g->a->thread.thread) || executed != g->a->point.executed)
		return;
	g->is_there = true;
	g->id = id;
}

static bool is_of_block(const struct gathering *g, const struct exec_cta *cta)
{
	return cta->launch == g->a->thread.launch && cta->linear == g->a->thread.cta;
}

/* Who waits already where it is begun to look. */
static void gather_waiting(void *self)
{
	struct gathering *g = self;
	struct gpu *gpu = debug_gpu(history_debug(g->c->h));
	bool over;
	const int32_t slot = gpu_find_cta(gpu, g->a->thread.launch, g->a->thread.cta, &over);
	const struct exec_cta *cta = slot >= 0 ? gpu_cta(gpu, (uint32_t)slot) : NULL;
	for (uint32_t k = 0; cta && k < cta->n_warps && k < WARPS_MAX; k++) {
		const struct exec_warp *w = &cta->warp[k];
		if (w->barrier_lanes)
			arrives(g, gpu_exec(gpu), w, w->barrier_lanes, w->barrier_pc, w->executed - 1, w->barrier);
	}
}

static bool gather_before(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct gathering *g = self;
	if (e->kind == EXEC_EFFECT_BARRIER && !g->over && is_of_block(g, x->cta) && x->warp->index < WARPS_MAX)
		arrives(g, x, x->warp, e->lanes, x->pc, x->warp->executed + x->n_run, e->barrier.id);
	return false;
}

static void gather_open(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct gathering *g = self;
	if (e->kind != EXEC_EFFECT_OPEN || g->over || !is_of_block(g, x->cta))
		return;
	g->over = g->is_there && g->id == e->barrier.id;
	for (uint32_t k = 0; k < WARPS_MAX; k++)
		if (g->over ? g->of[k] != g->id : g->of[k] == e->barrier.id)
			g->warp[k] = (struct arrival){.lanes = 0};
}

/* One of a warp's threads whose predicate isn't what it is in the thread that is asked about. */
static bool other_of(const struct gathering *g, uint32_t k, bool own, struct why_at *out)
{
	const struct arrival *v = &g->warp[k];
	const uint32_t others = v->lanes & (own ? ~v->set : v->set);
	*out = *g->a;
	if (!others)
		return false;
	out->thread.thread = debug_thread_of(g->c->d, k, lanes_first(others));
	out->point = (struct trace_point){v->executed, v->frame, v->depth};
	return true;
}

static void warp_line(const struct gathering *g, uint32_t k, const struct debug_operand *r, uint32_t depth)
{
	uint64_t value[LANES];
	for (uint32_t lane = 0; lane < LANES; lane++)
		value[lane] = g->warp[k].set >> lane & 1;
	if (g->warp[k].lanes)
		given_line(g->c, r, &k, g->warp[k].lanes, value, depth);
}

static void in_block(struct why_chain *c, const struct why_at *a, const struct debug_operand *r, uint32_t depth)
{
	struct gathering g = {.c = c, .a = a};
	const struct exec_watcher watcher = {.kinds = EXEC_LOOK(BARRIER) | EXEC_LOOK(OPEN),
					.before = gather_before,
					.after = gather_open,
					.self = &g};
	const uint32_t own = debug_warp_of(c->d, a->thread.thread);
	struct why_at other;
	const bool known = trace_look(c->h, &a->thread, a->point.executed, &c->here, gather_waiting, &watcher) && g.over;
	for (uint32_t k = 0; known && k < WARPS_MAX; k++)
		warp_line(&g, k, r, depth);
	why_register_line(c, a, r, depth);
	const bool set = known && g.warp[own].set >> debug_lane_of(c->d, a->thread.thread) & 1;
	for (uint32_t k = 0, shown = 0; known && k < WARPS_MAX && shown < OTHERS_MAX && !c->failed; k++) {
		struct debug_operand named = *r;
		struct debug_where w;
		if (!other_of(&g, k, set, &other) || !debug_thread_where(c->d, &other.thread, &w))
			continue;
		snprintf(named.text, sizeof named.text, "%.40s of thread uid %" PRIu64, r->text, w.uid);
		why_register_line(c, &other, &named, depth);
		shown++;
	}
}

void why_lanes_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s,
		     const struct debug_operand *r, uint32_t depth)
{
	if (is_barrier(c, s->pc))
		in_block(c, a, r, depth);
	else
		in_warp(c, a, s, r, depth);
}

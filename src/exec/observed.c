/* The observed handlers of barriers, control flow, what lanes do together, and fences: each says what is about to happen, has the plain handler do
 * it, and says what has happened. The handler of every instruction while a watcher sees all of them. */
#include "exec/call.h"
#include "exec/effect.h"
#include "exec/warp_sync.h"
#include "isa/opcodes.h"

/* ---- where lanes go ---- */

static void add_part(struct exec_flow *f, uint32_t pc, uint32_t lanes)
{
	uint32_t k = 0;
	if (!lanes)
		return;
	while (k < f->n && f->pc[k] != pc)
		k++;
	if (k == f->n) {
		f->pc[f->n++] = pc;
		f->lanes[k] = 0;
	}
	f->lanes[k] |= lanes;
}

/* Adds the targets of a branch table. Returns false if a lane's index is outside of the table. */
static bool add_by_table(const struct exec *x, const struct isa_insn *i, const uint32_t *index, uint32_t mask,
			 struct exec_flow *f)
{
	const uint32_t *targets = &x->program->aux[i->aux], n = *targets++;
	LANES_EACH (lane, mask) {
		if (index[lane] >= n)
			return false;
		add_part(f, targets[index[lane]], lanes_bit(lane));
	}
	return true;
}

/* Lanes that call another function than the first to go wait in front of the call. */
static bool add_indirect(const struct exec *x, const struct isa_insn *i, const void *row, uint32_t pc, uint32_t mask,
			 struct exec_flow *f)
{
	uint64_t address[LANES] = {0};
	LANES_EACH (lane, mask)
		address[lane] = i->a_bytes == 4 ? ((const uint32_t *)row)[lane] : ((const uint64_t *)row)[lane];
	const uint32_t group = call_first_group(address, mask);
	const struct isa_function *callee = call_function_at(x->program, address[lanes_first(group)]);
	if (!callee)
		return false;
	while (x->program->functions[f->function] != callee)
		f->function++;
	add_part(f, callee->first, group);
	add_part(f, pc, mask & ~group);
	return true;
}

static bool add_call(const struct exec *x, const struct isa_insn *i, uint32_t pc, uint32_t mask, struct exec_flow *f)
{
	const struct isa_function *callee =
		i->target < x->program->n_functions ? x->program->functions[i->target] : NULL;
	if (!callee)
		return false;
	f->function = i->target;
	add_part(f, callee->is_defined ? callee->first : pc + 1, mask);
	return true;
}

bool exec_flow_ahead(const struct exec *x, const struct exec_warp *w, uint32_t pc, uint32_t active, uint32_t mask,
		     struct exec_flow *out)
{
	static const enum exec_flow_how hows[ISA_HANDLER_COUNT] = {[ISA_H_call] = EXEC_FLOW_CALL,
								   [ISA_H_call_indirect] = EXEC_FLOW_CALL,
								   [ISA_H_call_builtin] = EXEC_FLOW_CALL,
								   [ISA_H_exit] = EXEC_FLOW_EXIT};
	const struct isa_insn *i = &x->program->insns[pc];
	const struct exec_simt *top = exec_simt_top(x, w);
	bool ok = true;
	out->n = out->function = 0;
	out->how = hows[i->handler];
	switch (i->handler) {
	case ISA_H_bra:
	case ISA_H_bra_uni: add_part(out, i->target, mask); break;
	case ISA_H_brx_idx: ok = add_by_table(x, i, exec_row(x, w, top->frame, i->a), mask, out); break;
	case ISA_H_call:
	case ISA_H_call_builtin: ok = add_call(x, i, pc, mask, out); break;
	case ISA_H_call_indirect: ok = add_indirect(x, i, exec_row(x, w, top->frame, i->a), pc, mask, out); break;
	case ISA_H_exit: add_part(out, ISA_NO_TARGET, mask); break;
	case ISA_H_ret:
		out->how = top->call_depth ? EXEC_FLOW_RETURN : EXEC_FLOW_EXIT;
		add_part(out, top->call_depth ? top->return_pc + 1 : ISA_NO_TARGET, mask);
		break;
	default: return false;
	}
	add_part(out, pc + 1, active & ~mask);
	return ok;
}

/* ---- in front of an instruction, and after it ---- */

static void flow_ahead(struct exec *x, const struct isa_insn *i)
{
	(void)i;
	if (!exec_flow_ahead(x, x->warp, x->pc, x->active, x->mask, &x->effect.flow))
		x->effect.flow.n = 0; /* it is going to fault */
}

/* Removes from the effect the lanes of an indirect call that call another function later. */
static void flow_over(struct exec *x) { x->effect.lanes = x->mask; }

static enum exec_barrier_use use_of(const struct isa_insn *i)
{
	if (i->handler == ISA_H_bar_sync || i->handler == ISA_H_barrier_sync)
		return EXEC_BARRIER_SYNC;
	return i->handler == ISA_H_bar_arrive || i->handler == ISA_H_barrier_arrive ? EXEC_BARRIER_ARRIVE
										    : EXEC_BARRIER_RED;
}

/* Fills the effect of a barrier with the first lane's operands. If another lane's are different, the instruction faults. */
static void barrier_ahead(struct exec *x, const struct isa_insn *i)
{
	const unsigned lane = lanes_first(x->mask);
	x->effect.barrier = (struct exec_effect_barrier){
		.id = exec_src32(x, i->a)[lane],
		.count = i->b == ISA_REF_NONE ? 0 : exec_src32(x, i->b)[lane],
		.use = use_of(i),
		.aligned = i->handler >= ISA_H_bar_sync && i->handler < ISA_H_barrier_sync,
	};
}

static void barrier_over(struct exec *x)
{
	const struct exec_warp *w = x->warp;
	x->effect.barrier.arrived = w->state == EXEC_WARP_BARRIER || !w->barrier_lanes;
}

static void sync_ahead(struct exec *x, const struct isa_insn *i)
{
	warp_sync_members(x, i, x->effect.members);
	x->effect.gone = warp_sync_gone(x, i);
}

static void sync_over(struct exec *x) { x->effect.lanes = x->mask; }

static void fence_ahead(struct exec *x, const struct isa_insn *i)
{
	x->effect.fence = (struct exec_effect_fence){.sem = i->sem, .scope = i->scope, .proxy = i->mode};
	if (!i->sem) /* pmevent, griddepcontrol ... order nothing */
		x->effect.lanes = 0;
}

static const struct side {
	void (*ahead)(struct exec *x, const struct isa_insn *i);
	void (*over)(struct exec *x);
} sides[EXEC_EFFECT_KINDS] = {
	[EXEC_EFFECT_BARRIER] = {barrier_ahead, barrier_over},
	[EXEC_EFFECT_FLOW] = {flow_ahead, flow_over},
	[EXEC_EFFECT_SYNC] = {sync_ahead, sync_over},
	[EXEC_EFFECT_FENCE] = {fence_ahead, NULL},
};

static __attribute__((noinline)) void observe(struct exec *x, const struct isa_insn *i, enum exec_effect_kind kind,
					      exec_handler plain)
{
	struct exec_effect *e = &x->effect;
	e->kind = kind;
	e->lanes = x->mask;
	e->deferred = false;
	sides[kind].ahead(x, i);
	if (e->lanes && effect_before(x))
		return;
	plain(x, i);
	if (effect_is_stopped(x))
		return;
	if (sides[kind].over)
		sides[kind].over(x);
	if (e->lanes) /* lanes that wait for other lanes of the warp have no effect yet */
		effect_after(x, e);
}

/* Reports lanes that part from others at a branch, or leave the kernel. */
static __attribute__((noinline)) void report_parting(struct exec *x, const struct isa_insn *i)
{
	const bool exits = i->handler == ISA_H_exit || (i->handler == ISA_H_ret && !x->top->call_depth);
	const bool branches = i->handler == ISA_H_bra || i->handler == ISA_H_bra_uni;
	const bool leaves = exits || (branches && warp_sync_leads_out(x, i->target, x->top->call_depth));
	if (!leaves && x->mask == x->active && i->handler != ISA_H_brx_idx)
		return;
	LANES_EACH (k, x->wants.parts) {
		const struct exec_watcher *const w = x->watching.entry[k].w;
		w->parts(w->self, x, exits, leaves);
	}
}

#undef HANDLER_EFFECT
#define HANDLER(name)
#define HANDLER_LEVELED(name)
#define ALIAS(name, handler)
#define HANDLER_EFFECT(name, kind) \
	EXEC_OBSERVED(name) \
	{ \
		if (EXEC_EFFECT_##kind == EXEC_EFFECT_FLOW && __builtin_expect(x->wants.parts, 0)) \
			report_parting(x, i); \
		if (__builtin_expect(x->wants.kinds & EXEC_LOOK(kind), 0)) \
			observe(x, i, EXEC_EFFECT_##kind, exec_h_##name); \
		else \
			exec_h_##name(x, i); \
	}
#include "isa/handlers_control.def"

/* ---- every instruction, for watchers that see all of them ---- */

/* Executes an instruction for the only watcher of instructions. */
static void checked(struct exec *x, const struct isa_insn *i)
{
	const struct exec_watcher *const w = x->wants.insn_watcher;
	const enum exec_insn answer = w->insn(w->self, x, i);
	if (answer == EXEC_INSN_STOP) {
		exec_stop_access(x);
		return;
	}
	if (!x->mask)
		return;
	x->observed[i->handler](x, i);
	if (answer == EXEC_INSN_AFTER && !effect_is_stopped(x))
		w->insn_over(w->self, x, i);
}

/* Executes an instruction for several watchers of instructions. */
static void checked_by_several(struct exec *x, const struct isa_insn *i)
{
	uint32_t over = 0;
	LANES_EACH (k, x->wants.insns) {
		const struct exec_watcher *const w = x->watching.entry[k].w;
		const enum exec_insn answer = w->insn(w->self, x, i);
		if (answer == EXEC_INSN_STOP) {
			exec_stop_access(x);
			return;
		}
		over |= answer == EXEC_INSN_AFTER ? 1u << k : 0;
	}
	if (!x->mask)
		return;
	x->observed[i->handler](x, i);
	if (effect_is_stopped(x))
		return;
	LANES_EACH (k, over) {
		const struct exec_watcher *const w = x->watching.entry[k].w;
		w->insn_over(w->self, x, i);
	}
}

const exec_handler exec_checked[ISA_HANDLER_COUNT] = {[0 ... ISA_HANDLER_COUNT - 1] = checked};
const exec_handler exec_checked_by_several[ISA_HANDLER_COUNT] = {[0 ... ISA_HANDLER_COUNT - 1] = checked_by_several};

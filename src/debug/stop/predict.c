/* Where a thread will be once its warp has executed its next instruction, said without executing anything. Only what is certain is
 * said: an instruction that may fault, that waits for others, or whose target is in a register is left to the machine. */
#include "debug/view/focus.h"
#include "debug/stop/face_access.h"
#include "debug/view/view.h"
#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/types.h"

/* The instruction a thread's warp stands in front of, and the lanes it will be executed for. */
struct ahead {
	struct debug *d;
	const struct debug_where *w;
	const struct isa_insn *i;
	uint32_t pc, executing;
	uint64_t frame;
};

static bool look(struct debug *d, const struct debug_where *w, struct ahead *a)
{
	if (w->state != DEBUG_THREAD_LIVE || !w->active || !w->w || w->w->state != EXEC_WARP_RUNNABLE ||
	    w->w->sync_lanes || w->w->barrier_lanes || w->w->mixed)
		return false;
	const struct exec_simt *top = exec_simt_top(gpu_exec(d->g), w->w);
	const struct isa_insn *i = &debug_program(d)->insns[top->pc];
	uint32_t lanes = exec_preds(gpu_exec(d->g), top->frame)[ISA_PRED_SLOT(i->guard)];
	*a = (struct ahead){.d = d, .w = w, .i = i, .pc = top->pc, .frame = top->frame};
	a->executing = top->mask & (i->guard & ISA_PRED_NOT ? ~lanes : lanes);
	return true;
}

/* ---- memory ---- */

static bool is_good(const struct ahead *a, const struct debug_where *lane, uint32_t bytes)
{
	unsigned char there[64];
	uint64_t generic = access_address(a->d, a->i, a->frame, lane);
	enum isa_space space = debug_space_of(generic);
	bool plain_load = isa_op_is_load(a->i->opcode);
	bool fits = space == ISA_SPACE_GLOBAL || space == ISA_SPACE_SHARED || space == ISA_SPACE_LOCAL ||
		    (plain_load && (space == ISA_SPACE_CONST || space == ISA_SPACE_PARAM));
	if (isa_opcode_info[a->i->opcode].family == ISA_FAMILY_ATOM)
		fits &= space != ISA_SPACE_LOCAL;
	return fits && (a->i->space == ISA_SPACE_GENERIC || space == a->i->space) &&
	       !((generic - access_window(space)) % bytes) && debug_memory_read(a->d, lane, generic, there, bytes);
}

static bool memory_is_good(const struct ahead *a)
{
	uint32_t bytes = isa_type_bytes((enum isa_type)a->i->type) * (a->i->vec ? a->i->vec : 1u);
	struct debug_where lane;
	struct debug_thread t = a->w->thread;
	if (!bytes || bytes > 64)
		return false;
	LANES_EACH (l, a->executing) {
		t.thread = debug_thread_of(a->d, a->w->warp_index, l);
		if (!debug_thread_where(a->d, &t, &lane) || !lane.simt || !is_good(a, &lane, bytes))
			return false;
	}
	return true;
}

/* ---- control flow ---- */

static enum debug_next branch(const struct ahead *a, bool executes, uint32_t *pc)
{
	if (a->i->opcode != ISA_OP_BRA || a->i->target == ISA_NO_TARGET)
		return DEBUG_NEXT_UNKNOWN;
	if (executes)
		*pc = a->i->target;
	return DEBUG_NEXT_HERE;
}

static enum debug_next leave(const struct ahead *a, bool executes, uint32_t *pc)
{
	if (!executes)
		return DEBUG_NEXT_HERE;
	if (a->i->opcode == ISA_OP_EXIT || a->w->simt->return_pc == ISA_NO_TARGET)
		return DEBUG_NEXT_EXITED;
	*pc = a->w->simt->return_pc + 1;
	return DEBUG_NEXT_CALLER;
}

#define CALL_DEPTH_MAX 16u /* with more there might be no room for the callee's registers */

static enum debug_next call(const struct ahead *a, bool executes, uint32_t *pc)
{
	const struct isa_program *p = debug_program(a->d);
	const struct exec_simt *top = a->w->simt;
	if (!a->executing)
		return DEBUG_NEXT_HERE;
	if (a->i->handler != ISA_H_call || !p->functions[a->i->target]->is_defined)
		return DEBUG_NEXT_UNKNOWN;
	const struct isa_function *f = p->functions[a->i->target];
	uint64_t stack = (uint64_t)top->local_top + f->local_bytes + f->local_align +
			 (uint64_t)(top->call_depth + 1) * EXEC_CALL_BYTES;
	const uint64_t limited = (uint64_t)top->stack_bytes + (top->local_top - top->local_sp) + f->stack_bytes;
	if (top->call_depth >= CALL_DEPTH_MAX || stack > a->w->launch.local_bytes || limited > a->w->launch.stack_limit)
		return DEBUG_NEXT_UNKNOWN;
	if (!executes)
		return DEBUG_NEXT_HERE;
	*pc = f->first;
	return DEBUG_NEXT_CALLEE;
}

/* Returns how many warps of the block have not exited. */
static uint32_t live_warps(const struct exec_cta *cta) { return cta->n_warps - cta->n_done; }

/* A barrier that opens once this warp arrives, all of it together. */
static enum debug_next barrier(const struct ahead *a)
{
	uint32_t id;
	if (!a->executing)
		return DEBUG_NEXT_HERE;
	if (a->i->handler != ISA_H_bar_sync || ISA_REF_BASE(a->i->a) != ISA_BASE_CONST || a->i->b != ISA_REF_NONE)
		return DEBUG_NEXT_UNKNOWN;
	debug_row_read(a->d, a->w, a->frame, a->i->a, 4, &id);
	const bool is_whole = a->executing == (a->w->w->lanes & ~a->w->w->exited);
	if (!is_whole || id >= EXEC_BARRIERS || a->w->cta->barrier[id].expected)
		return DEBUG_NEXT_UNKNOWN;
	const uint32_t warp = gpu_exec(a->d->g)->warp_threads;
	return a->w->cta->barrier[id].arrived + warp >= live_warps(a->w->cta) * warp ? DEBUG_NEXT_HERE : DEBUG_NEXT_UNKNOWN;
}

/* A thread whose block waits for a core: its registers are zero, and parameters are there. */
static enum debug_next first(struct debug *d, const struct debug_where *w, uint32_t *pc)
{
	const struct isa_insn *i = &debug_program(d)->insns[w->pc];
	bool is_param = i->opcode == ISA_OP_LD && i->space == ISA_SPACE_PARAM && i->a == ISA_REF_NONE;
	bool is_plain = isa_opcode_info[i->opcode].family == ISA_FAMILY_ALU && i->handler != ISA_H_UNSUPPORTED;
	*pc = w->pc + 1;
	return is_param || is_plain ? DEBUG_NEXT_HERE : DEBUG_NEXT_UNKNOWN;
}

enum debug_next debug_predict(struct debug *d, const struct debug_where *w, uint32_t *pc)
{
	struct ahead a;
	if (w->state == DEBUG_THREAD_WAITING)
		return first(d, w, pc);
	if (!look(d, w, &a) || a.i->handler == ISA_H_UNSUPPORTED)
		return DEBUG_NEXT_UNKNOWN;
	bool executes = a.executing & lanes_bit(w->lane);
	*pc = a.pc + 1;
	switch (isa_opcode_info[a.i->opcode].family) {
	case ISA_FAMILY_ALU: return DEBUG_NEXT_HERE;
	case ISA_FAMILY_MEM:
	case ISA_FAMILY_ATOM: return memory_is_good(&a) ? DEBUG_NEXT_HERE : DEBUG_NEXT_UNKNOWN;
	case ISA_FAMILY_BRANCH: return branch(&a, executes, pc);
	case ISA_FAMILY_EXIT: return leave(&a, executes, pc);
	case ISA_FAMILY_CALL: return call(&a, executes, pc);
	case ISA_FAMILY_BARRIER: return barrier(&a);
	default: return a.executing ? DEBUG_NEXT_UNKNOWN : DEBUG_NEXT_HERE;
	}
}

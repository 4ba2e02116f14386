/* The loop that runs one warp. */
#include "exec/barrier.h"
#include "exec/internal.h"
#include "exec/simt.h"

#define UNLIKELY(c) __builtin_expect(!!(c), 0)

static void load_warp(struct exec *x, struct exec_cta *cta, struct exec_warp *w)
{
	struct arena *a = x->arena;
	x->cta = cta;
	x->warp = w;
	x->top = (struct exec_simt *)arena_at(a, x->sec_simt, w->simt) + (w->n_simt - 1);
	x->base[ISA_BASE_CONST] = x->program->consts;
	x->base[ISA_BASE_SPECIAL] = arena_at(a, x->sec_special, w->special);
	x->base[ISA_BASE_NONE] = x->base[ISA_BASE_SPECIAL];
	x->shared = arena_at(a, x->sec_shared, cta->shared);
	x->shared_bytes = cta->shared_bytes;
	x->local = arena_at(a, x->sec_local, w->local);
	x->local_stride = w->local_stride;
	x->param = arena_at(a, x->sec_param, x->launch->param_offset);
	x->param_bytes = x->launch->param_bytes;
	x->constant = a->section[x->sec_const].base;
	x->const_bytes = x->program->const_next;
	x->event = 0;
	simt_load_top(x);
}

/* Runs until something happens; n_insns gets the number of instructions executed. */
static enum exec_status run_loop(struct exec *x, uint64_t budget)
{
	const struct isa_insn *const insns = x->program->insns;
	const exec_handler *const handlers = x->handlers;
	const uint8_t *const marks = x->marks;
	uint32_t pc = x->top->pc, rpc = x->top->rpc, active = x->active;
	uint64_t n = 0, threads = 0;
	uint64_t width = lanes_count(active);
	uint32_t last = x->warp->last_pc;
	enum exec_status status = EXEC_BUDGET;

	while (n < budget) {
		if (UNLIKELY(marks[pc]) && !x->pass) {
			x->pc = pc;
			status = EXEC_MARK;
			break;
		}
		const struct isa_insn *i = &insns[pc];
		uint32_t mask = active & exec_pred(x, i->guard);
		x->pc = pc;
		if (mask) {
			x->mask = mask;
			x->n_run = n;
			handlers[i->handler](x, i);
			if (UNLIKELY(x->event)) {
				uint32_t event = x->event;
				x->event = 0;
				status = (enum exec_status)(event - 1);
				if (event == EXEC_EVENT(EXEC_FAULT) || event == EXEC_EVENT(EXEC_ACCESS))
					break;
				/* lanes a handler puts off are not counted yet */
				threads += lanes_count(x->mask);
				n++;
				last = pc;
				if (event == EXEC_EVENT_CONTROL) {
					pc = x->top->pc;
					rpc = x->top->rpc;
					active = x->active;
					width = lanes_count(active);
					status = EXEC_BUDGET;
					continue;
				}
				if (event == EXEC_EVENT(EXEC_DONE))
					goto done;
				if (event == EXEC_EVENT(EXEC_YIELD))
					simt_goto(x, pc + 1);
				goto left; /* barriers have set the stack's pc */
			}
			threads += mask == active ? width : lanes_count(mask);
		}
		n++;
		last = pc++;
		if (UNLIKELY(pc == rpc)) {
			simt_goto(x, pc);
			x->event = 0;
			pc = x->top->pc;
			rpc = x->top->rpc;
			active = x->active;
			width = lanes_count(active);
		}
	}
	x->top->pc = pc;
	goto left;
done:
	x->warp->state = EXEC_WARP_DONE;
	x->cta->n_done++;
	barrier_warp_done(x);
left:
	x->event = 0;
	x->warp->executed += n;
	x->n_warp_insns += n;
	x->n_thread_insns += threads;
	x->warp->last_pc = last;
	return status;
}

enum exec_status exec_run(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget)
{
	load_warp(x, cta, &cta->warp[warp]);
	if (x->pass && budget) {
		enum exec_status first = run_loop(x, 1);
		x->pass = false;
		if (first != EXEC_BUDGET || budget == 1)
			return first;
		budget--;
	}
	return run_loop(x, budget);
}

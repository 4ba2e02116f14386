/* The interpreter: the loop that runs one warp. */
#include "exec/barrier.h"
#include "exec/engine.h"
#include "exec/internal.h"
#include "exec/simt.h"

#define UNLIKELY(c) __builtin_expect(!!(c), 0)

/* The run's position: copies of the SIMT stack's top entry, and counts so far. The compiler keeps it in registers. */
struct cursor {
	uint32_t pc, rpc, active;
	uint32_t last;	/* instruction executed last */
	uint32_t first; /* first instruction of the straight way, with the same lanes, that isn't counted yet */
	uint64_t width; /* number of active lanes */
	uint64_t n, threads;
};

static inline __attribute__((always_inline)) void read_top(const struct exec *x, struct cursor *c)
{
	c->pc = x->top->pc;
	c->rpc = x->top->rpc;
	c->active = x->active;
	c->width = lanes_count(x->active);
	c->first = c->pc;
}

/* Counts the instructions from c->first to `end` - 1, which the same lanes have executed in a row. */
static inline __attribute__((always_inline)) void count_straight(const struct exec *x, const struct cursor *c, uint32_t end)
{
	uint64_t from = c->first, width = c->width;
	if (!x->counts)
		return;
	__asm__ volatile("" : "+r"(from), "+r"(width)); /* keeps what follows out of the loop over instructions */
	struct exec_count *const first = &x->counts[from], *const after = &x->counts[end];
	first->warps++;
	first->lanes += width;
	after->warps--;
	after->lanes -= width;
}

/* Handles the event that a handler has set. Returns true if the run continues; else *status says why it stops. */
static inline __attribute__((always_inline)) bool handle_event(struct exec *x, struct cursor *c, enum exec_status *status)
{
	uint32_t event = x->event;
	x->event = 0;
	if (event == EXEC_EVENT(EXEC_FAULT) || event == EXEC_EVENT(EXEC_ACCESS)) {
		x->top->pc = c->pc;
		*status = (enum exec_status)(event - 1);
		return false;
	}
	/* lanes a handler puts off are not counted yet */
	c->threads += lanes_count(x->mask);
	c->n++;
	c->last = c->pc;
	count_straight(x, c, c->pc + 1);
	c->first = c->pc;
	if (event == EXEC_EVENT_CONTROL) {
		read_top(x, c);
		return true;
	}
	if (event == EXEC_EVENT_SLEEP) {
		(x->wants.stays ? simt_goto : simt_sleep)(x, c->pc + 1);
		*status = EXEC_YIELD;
		return false;
	}
	/* barriers have set the stack's pc */
	if (event == EXEC_EVENT(EXEC_YIELD))
		simt_goto(x, c->pc + 1);
	*status = (enum exec_status)(event - 1);
	return false;
}

static inline __attribute__((always_inline)) void leave_warp(struct exec *x, const struct cursor *c, enum exec_status status)
{
	struct exec_warp *w = x->warp;
	if (status == EXEC_BUDGET || status == EXEC_MARK)
		x->top->pc = c->pc;
	count_straight(x, c, c->pc);
	x->event = 0;
	w->executed += c->n;
	w->last_pc = c->last;
	x->n_warp_insns += c->n;
	x->n_thread_insns += c->threads;
	if (status != EXEC_DONE)
		return;
	w->state = EXEC_WARP_DONE;
	x->cta->n_done++;
	barrier_warp_done(x);
}

static inline __attribute__((always_inline)) enum exec_status run_loop(struct exec *x, uint64_t budget, bool checked)
{
	const struct isa_insn *const insns = x->program->insns;
	const exec_handler *const handlers = x->handlers;
	const uint8_t *const marks = x->marks;
	enum exec_status status = EXEC_BUDGET;
	struct cursor c = {.last = x->warp->last_pc};
	read_top(x, &c);

	while (c.n < budget) {
		x->pc = c.pc;
		if (UNLIKELY(marks[c.pc]) && !x->pass) {
			x->n_run = c.n;
			if (!x->on_mark || !x->on_mark(x->mark_self, x)) {
				status = EXEC_MARK;
				break;
			}
		}
		const struct isa_insn *i = &insns[c.pc];
		/* mostly there is no guard; its predicate would be the only thing read of its line */
		uint32_t mask = i->guard == ISA_PRED_TRUE ? c.active : c.active & exec_pred(x, i->guard);
		if (mask) {
			x->mask = mask;
			x->n_run = c.n;
			handlers[i->handler](x, i);
			if (UNLIKELY(x->event)) {
				if (handle_event(x, &c, &status))
					continue;
				break;
			}
			c.threads += mask == c.active ? c.width : lanes_count(mask);
		} else {
			x->mask = 0;
			if (checked) { /* that no lane executes it may be the mistake */
				x->n_run = c.n;
				handlers[i->handler](x, i);
				if (x->event && !handle_event(x, &c, &status))
					break;
			}
		}
		c.n++;
		c.last = c.pc++;
		if (UNLIKELY(c.pc == c.rpc)) {
			count_straight(x, &c, c.pc);
			simt_goto(x, c.pc);
			x->event = 0;
			read_top(x, &c);
		}
	}
	leave_warp(x, &c, status);
	return status;
}

/* Runs with a checker, which also sees instructions that no lane executes. */
static __attribute__((noinline)) enum exec_status run_checked(struct exec *x, uint64_t budget)
{
	return run_loop(x, budget, true);
}

static __attribute__((noinline)) enum exec_status run_unchecked(struct exec *x, uint64_t budget)
{
	return run_loop(x, budget, false);
}

static enum exec_status interpret(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget)
{
	enum exec_status (*const run)(struct exec *, uint64_t) =
		UNLIKELY(x->wants.insns) ? run_checked : run_unchecked;
	simt_load_warp(x, cta, &cta->warp[warp]);
	if (x->pass && budget) {
		enum exec_status first = run(x, 1);
		x->pass = false;
		if (first != EXEC_BUDGET || budget == 1)
			return first;
		budget--;
	}
	return run(x, budget);
}

const struct exec_engine exec_interpreter = {.name = "interpreter", .run = interpret};

void exec_set_engine(struct exec *x, const struct exec_engine *e) { x->engine = e; }

enum exec_status exec_run(struct exec *x, struct exec_cta *cta, uint32_t warp, uint64_t budget)
{
	return x->engine->run(x, cta, warp, budget);
}

enum exec_status exec_step(struct exec *x, struct exec_cta *cta, uint32_t warp)
{
	simt_load_warp(x, cta, &cta->warp[warp]);
	const enum exec_status status =
		UNLIKELY(x->wants.insns) ? run_checked(x, 1) : run_loop(x, 1, false);
	x->pass = false;
	return status;
}

/* Commands that run the machine. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/ground/ground.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/machine.h"
#include "debug/stop/room.h"
#include "debug/stop/run.h"
#include "debug/stop/run_internal.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

static const struct machine_goal no_goal = {.cycle = UINT64_MAX};

bool debug_can_run(struct debug *d) { return gpu_has_work(d->g); }

static bool need_kernel(struct debug *d, struct text *why)
{
	if (d->core.report && d->core.has_program && !debug_is_past(d))
		return debug_fail(why, "the program that failed here ended with the session that wrote the file: the machine can be looked at, and can't run on");
	return debug_can_run(d) || debug_program_lives(d) || debug_is_past(d) ||
	       debug_fail(why, "%s",
			  d->program ? "The program is not being run." : "nothing is running: launch a kernel first");
}

/* Runs begin with need_run or run_need_thread. A run that can still be refused after that calls run_have_thread, and machine_go_on_from_focus once
 * nothing can refuse it: a command that fails must not let a warp pass a breakpoint. */
static bool need_run(struct debug *d, struct text *why)
{
	if (!need_kernel(d, why))
		return false;
	machine_go_on_from_focus(d, false);
	return true;
}

void run_hold_others(struct debug *d, bool is_step)
{
	d->stop->is_alone = d->settings.locking == DEBUG_LOCKING_ON || (is_step && d->settings.locking == DEBUG_LOCKING_STEP);
}

void run_begin_step(struct debug *d)
{
	run_hold_others(d, false);
	machine_go_on_from_focus(d, true);
	for (size_t i = 0; i < breakpoint_count(d); i++)
		breakpoint_at(d, i)->passed = 0;
	d->stop->step.is_on = !d->settings.steps_stop_all;
	d->stop->step.warp = d->focus;
}

bool run_have_thread(struct debug *d, struct debug_where *w, struct text *why)
{
	if (!need_kernel(d, why))
		return false;
	if (!debug_focus_where(d, w))
		return debug_fail(why, "there is no thread in focus");
	return w->state != DEBUG_THREAD_EXITED || debug_fail(why, "the focused thread has finished");
}

bool debug_can_run_focus(struct debug *d, struct text *why)
{
	struct debug_where w;
	return run_have_thread(d, &w, why);
}

bool run_need_thread(struct debug *d, struct debug_where *w, struct text *why)
{
	if (!run_have_thread(d, w, why))
		return false;
	run_begin_step(d);
	return true;
}

/* Ends what run_begin_step began. Appends `breakpoint 1: 7 hits of other warps passed; ...` to the stop if there were any. */
static void end_step(struct debug *d, struct debug_stop *stop)
{
	bool any = false;
	for (size_t i = 0; i < breakpoint_count(d) && d->stop->step.is_on; i++) {
		const struct breakpoint *b = breakpoint_at(d, i);
		if (!b->passed)
			continue;
		struct report *part = report_create();
		report_number(part, "number", b->number);
		report_number(part, "hits", b->passed);
		report_line(part, any ? ", breakpoint {number}: {hits} hit{hits|s}" : "breakpoint {number}: {hits} hit{hits|s}");
		stop_add_part(stop, "passed", part);
		any = true;
	}
	if (any)
		text_add(&stop->text, " of other warps passed; 'set step-stops all' stops there\n");
	d->stop->step.is_on = false;
}

bool run_finish(struct debug *d, struct debug_stop *stop)
{
	end_step(d, stop);
	machine_release_warps(d);
	breakpoint_unset_text(d, stop->reason == DEBUG_STOP_ENDED, &stop->text);
	stop_finish(d, stop);
	return true;
}

/* ---- continue, step, run-to-cycle ---- */

bool run_freely(struct debug *d, struct debug_stop *stop)
{
	machine_run(d, &no_goal, stop);
	return run_finish(d, stop);
}

bool debug_run_free(struct debug *d, struct debug_stop *stop, struct text *why)
{
	if (d->program && !d->program_begun && !debug_program_start(d, "", why))
		return false;
	if (!need_kernel(d, why))
		return false;
	debug_program_deliver(d);
	return run_freely(d, stop);
}

bool debug_run_continue(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why)
{
	if (!need_run(d, why))
		return false;
	struct breakpoint *b = d->has_last && d->last.n_hits ? breakpoint_find(d, d->last.hits[0]) : NULL;
	if (b && n > 1)
		b->ignore = n - 1;
	debug_program_deliver(d);
	run_hold_others(d, false);
	return run_freely(d, stop);
}

static bool run_to_cycle(struct debug *d, uint64_t cycle, bool by_step, struct debug_stop *stop)
{
	struct machine_goal goal = no_goal;
	goal.cycle = cycle;
	run_hold_others(d, false);
	if (machine_run(d, &goal, stop) == MACHINE_GOAL) {
		if (by_step) {
			stop_stepped(d, stop);
		} else {
			stop->reason = DEBUG_STOP_CYCLE;
			text_addf(&stop->text, "Reached cycle %llu\n", (unsigned long long)gpu_cycle(d->g));
		}
	}
	return run_finish(d, stop);
}

bool debug_run_step(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why)
{
	return need_run(d, why) && run_to_cycle(d, gpu_cycle(d->g) + n, true, stop);
}

bool debug_run_to_cycle(struct debug *d, int64_t cycle, struct debug_stop *stop, struct text *why)
{
	if (!need_run(d, why))
		return false;
	if (cycle < 0 || (uint64_t)cycle < gpu_cycle(d->g))
		return debug_fail(why, "cycle %lld is over, the machine is at cycle %llu", (long long)cycle,
				  (unsigned long long)gpu_cycle(d->g));
	return run_to_cycle(d, (uint64_t)cycle, false, stop);
}

/* ---- instructions of one warp ---- */

/* Has the warp arrived at a barrier that hasn't opened? Then it has counted the barrier's instruction, but still stands at it. */
static bool is_at_barrier(struct debug *d, const struct debug_thread *t)
{
	struct debug_where w;
	return debug_thread_where(d, t, &w) && w.state == DEBUG_THREAD_LIVE && w.w->state == EXEC_WARP_BARRIER;
}

static struct machine_goal warp_goal(struct debug *d, const struct debug_thread *t, uint64_t n)
{
	struct machine_goal goal = no_goal;
	machine_warp_executed(d, t, &goal.executed);
	goal.has_warp = true;
	goal.warp = *t;
	goal.executed += n - is_at_barrier(d, t);
	return goal;
}

/* Returns true if a thread's warp has exited: the machine stands there, or is idle. */
static bool warp_is_over(struct debug *d, const struct debug_thread *t)
{
	bool done;
	int32_t slot = gpu_find_cta(d->g, t->launch, t->cta, &done);
	return slot < 0 ? done : gpu_cta(d->g, (uint32_t)slot)->warp[debug_warp_of(d, t->thread)].state == EXEC_WARP_DONE;
}

/* Fills `stop` with the exit of a thread's warp, and completes its kernel's end. Returns MACHINE_STOPPED. */
static enum machine_end over_text(struct debug *d, const struct debug_thread *t, struct debug_stop *stop)
{
	struct debug_where w;
	struct machine_goal here = no_goal;
	here.cycle = gpu_cycle(d->g);
	/* the kernel's end, if this was its last warp, costs no cycle */
	if (machine_run(d, &here, stop) == MACHINE_STOPPED)
		return MACHINE_STOPPED;
	debug_thread_where(d, t, &w);
	stop->reason = DEBUG_STOP_STEPPED;
	struct report *part = report_create();
	report_number(part, "warp", w.warp_index);
	report_triple(part, "block", w.block_id);
	report_line(part, "Warp {warp} of block {block} has exited\n");
	stop_set_part(stop, "exited", part);
	return MACHINE_STOPPED;
}

enum machine_end run_step_warp(struct debug *d, const struct debug_thread *t, uint64_t n, bool stays_waiting, struct debug_stop *stop)
{
	struct machine_goal goal = warp_goal(d, t, n);
	goal.stays_waiting = stays_waiting;
	enum machine_end end = machine_run(d, &goal, stop);
	return end == MACHINE_GOAL && warp_is_over(d, t) ? over_text(d, t, stop) : end;
}

bool debug_run_stepi(struct debug *d, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	if (!run_need_thread(d, &w, why))
		return false;
	run_hold_others(d, true);
	if (run_step_warp(d, &w.thread, n, false, stop) == MACHINE_GOAL)
		stop_stepped(d, stop);
	return run_finish(d, stop);
}

bool debug_run_thread(struct debug *d, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct debug_thread t;
	if (!need_kernel(d, why))
		return false;
	if (!debug_thread_of_uid(d, uid, &t) || !debug_focus_set(d, &t))
		return debug_fail(why, "Unknown thread %llu.", (unsigned long long)uid);
	if (run_step_warp(d, &t, n, false, stop) == MACHINE_GOAL)
		stop_stepped(d, stop);
	return run_finish(d, stop);
}

/* ---- places the focused thread is to reach ---- */

/* The goal's thread stands at a goal's instruction in its own right: its lane is among those that are next. */
static bool thread_is_there(struct debug *d, const struct machine_goal *g, const struct debug_hit *h)
{
	return h->thread.launch == g->warp.launch && h->thread.cta == g->warp.cta &&
	       h->warp == debug_warp_of(d, g->warp.thread) && (h->active >> debug_lane_of(d, g->warp.thread) & 1) &&
	       h->cta->warp[h->warp].executed >= g->from;
}

static uint32_t depth_now(struct debug *d, const struct debug_hit *h)
{
	return exec_simt_top(gpu_exec(d->g), &h->cta->warp[h->warp])->call_depth;
}

static bool reached_any_depth(struct debug *d, const struct machine_goal *g, const struct debug_hit *h)
{
	(void)d;
	return thread_is_there(d, g, h);
}

/* At most as deep as when it started: back from a call, or out of the function. */
bool run_reached_outer(struct debug *d, const struct machine_goal *g, const struct debug_hit *h)
{
	return thread_is_there(d, g, h) && depth_now(d, h) <= g->depth;
}

struct machine_goal run_place_goal(struct debug *d, const struct debug_where *w, const uint32_t *pcs, uint32_t n)
{
	struct machine_goal goal = no_goal;
	uint64_t executed;
	goal.warp = w->thread;
	goal.pcs = pcs;
	goal.n_pcs = n;
	goal.reached = reached_any_depth;
	goal.has_warp = goal.stays_waiting = true;
	goal.executed = UINT64_MAX;
	goal.from = machine_warp_executed(d, &w->thread, &executed) ? executed + !is_at_barrier(d, &w->thread) : 0;
	return goal;
}

enum machine_end run_to_places(struct debug *d, const struct machine_goal *goal, struct debug_stop *stop)
{
	const enum machine_end end = machine_run(d, goal, stop);
	return end == MACHINE_GOAL && warp_is_over(d, &goal->warp) ? over_text(d, &goal->warp, stop) : end;
}

/* Where the focused activation continues in its caller; false: it is the kernel's own. */
bool run_return_place(struct debug *d, const struct debug_where *w, uint32_t level, uint32_t *pc, uint32_t *depth)
{
	struct debug_frame f, caller;
	if (!debug_frame_get(d, w, level, &f) || !debug_frame_get(d, w, level + 1, &caller))
		return false;
	*pc = caller.pc + 1;
	*depth = caller.depth;
	return true;
}

static bool is_exit(const struct isa_insn *i) { return isa_opcode_info[i->opcode].family == ISA_FAMILY_EXIT; }

static bool is_barrier(const struct isa_insn *i) { return isa_opcode_info[i->opcode].family == ISA_FAMILY_BARRIER; }

/* Runs to the first instruction of a kind that the focused thread reaches, or to its warp's end. `reached` (see struct machine_goal) may be NULL. */
static bool run_to_kind(struct debug *d, bool (*is_wanted)(const struct isa_insn *),
			bool (*reached)(struct debug *, const struct machine_goal *, const struct debug_hit *), struct debug_stop *stop, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	struct debug_where w;
	uint32_t n = 0;
	if (!run_need_thread(d, &w, why))
		return false;
	uint32_t *pcs = xcalloc(p->n_insns + 1u, sizeof *pcs);
	for (uint32_t pc = 0; pc < p->n_insns; pc++)
		if (is_wanted(&p->insns[pc]))
			pcs[n++] = pc;
	struct machine_goal goal = run_place_goal(d, &w, pcs, n);
	if (reached)
		goal.reached = reached;
	if (run_to_places(d, &goal, stop) == MACHINE_GOAL)
		stop_stepped(d, stop);
	free(pcs);
	return run_finish(d, stop);
}

/* About to leave the kernel: exit anywhere, ret in the kernel itself, and the guard lets it. */
static bool reached_exit(struct debug *d, const struct machine_goal *g, const struct debug_hit *h)
{
	return thread_is_there(d, g, h) && (h->executing >> debug_lane_of(d, g->warp.thread) & 1) &&
	       (debug_program(d)->insns[h->pc].opcode == ISA_OP_EXIT || depth_now(d, h) == 0);
}

bool debug_run_to_exit(struct debug *d, struct debug_stop *stop, struct text *why)
{
	return run_to_kind(d, is_exit, reached_exit, stop, why);
}

bool debug_run_to_barrier(struct debug *d, struct debug_stop *stop, struct text *why)
{
	return run_to_kind(d, is_barrier, NULL, stop, why);
}

/* Returns true if an instruction reads or writes memory other than a function's parameters. */
static bool is_memory_access(const struct isa_insn *i)
{
	const uint8_t family = isa_opcode_info[i->opcode].family;
	return family == ISA_FAMILY_ATOM || (family == ISA_FAMILY_MEM && i->space != ISA_SPACE_PARAM && isa_type_bytes((enum isa_type)i->type));
}

/* The goal's warp stands in front of an access that some of its lanes execute. The focused lane needn't be among them. */
static bool reached_access(struct debug *d, const struct machine_goal *g, const struct debug_hit *h)
{
	const bool is_warp = h->thread.launch == g->warp.launch && h->thread.cta == g->warp.cta && h->warp == debug_warp_of(d, g->warp.thread);
	if (!is_warp || !h->executing || h->cta->warp[h->warp].executed < g->from)
		return false;
	debug_focus_on(d, h, h->executing);
	return true;
}

bool debug_run_to_access(struct debug *d, struct debug_stop *stop, struct text *why)
{
	return run_to_kind(d, is_memory_access, reached_access, stop, why);
}

/* Places of arguments and return values in a call's words (isa_program.aux). */
enum { PLACE_ROW, PLACE_PRED, PLACE_LOCAL };

/* Of the type that the source gives the function. */
static bool returned_in_source(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
			       const struct isa_function *callee, const uint32_t *words, struct expr_value *v)
{
	const struct cscope *s = cnames_function(d, callee);
	const struct ctype *t = s ? s->result : NULL;
	const bool is_reference = t && ctype_core(t)->kind == CTYPE_REFERENCE;
	uint64_t n = is_reference ? 8 : t ? ctype_core(t)->bytes : 0;
	if (!n || n > callee->params[0].bytes || (words[1] == PLACE_ROW && n > 16))
		return false;
	unsigned char *bytes = xcalloc(n + 16, 1);
	bool read = words[1] == PLACE_LOCAL &&
		    debug_memory_read(d, w, EXEC_LOCAL_WINDOW + f->local_sp + words[2], bytes, n);
	if (words[1] == PLACE_ROW && words[2] != ISA_REF_NONE) {
		debug_row_read(d, w, f->frame, words[2], debug_reg_bytes((enum isa_type)callee->params[0].type), bytes);
		read = true;
	}
	uint64_t address;
	memcpy(&address, bytes, sizeof address);
	if (read && is_reference)
		read = cvalue_of_reference(d, t, address, v);
	else if (read)
		cvalue_of_bytes(t, bytes, 0, 0, v);
	free(bytes);
	return read;
}

static void say_returned(struct debug *d, const struct expr_value *v, struct debug_stop *stop)
{
	struct report *part = report_create();
	report_number(part, "number", debug_history_add(d, v));
	value_describe(d, part, "value", v, NULL);
	report_line(part, "Value returned is ${number} = {value}\n");
	stop_set_part(stop, "returned", part);
}

/* `Value returned is $1 = 400`: where the call put the first return value. */
void run_returned_value(struct debug *d, uint32_t call, const struct isa_function *callee, struct debug_stop *stop)
{
	const struct isa_program *p = debug_program(d);
	const uint32_t *words = &p->aux[p->insns[call].aux];
	struct debug_where w;
	struct debug_frame f;
	struct expr_value v;
	unsigned char bytes[16] = {0};
	if (!callee->n_params || !(callee->params[0].flags & ISA_VAR_RETURN) || !words[0] ||
	    !debug_focus_where(d, &w) || !debug_frame_get(d, &w, 0, &f) || !f.has_state)
		return;
	if (returned_in_source(d, &w, &f, callee, words, &v)) {
		say_returned(d, &v, stop);
		expr_value_free(&v);
		return;
	}
	if (callee->params[0].n_dims)
		return;
	enum isa_type type = (enum isa_type)callee->params[0].type;
	if (words[1] == PLACE_ROW && words[2] != ISA_REF_NONE)
		debug_row_read(d, &w, f.frame, words[2], debug_reg_bytes(type), bytes);
	else if (words[1] == PLACE_PRED)
		bytes[0] = debug_pred_read(d, &w, f.frame, ISA_PRED_SLOT(words[2]));
	else if (words[1] != PLACE_LOCAL ||
		 !debug_memory_read(d, &w, EXEC_LOCAL_WINDOW + f.local_sp + words[2], bytes, isa_type_bytes(type)))
		return;
	value_load(&v, type, 0, bytes);
	say_returned(d, &v, stop);
}

/* At the location asked for, or back in the caller: not in a deeper activation of the same function that returns to the same place. */
static bool reached_location(struct debug *d, const struct machine_goal *g, const struct debug_hit *h)
{
	uint32_t depth;
	if (!thread_is_there(d, g, h))
		return false;
	depth = depth_now(d, h);
	for (uint32_t k = 0; k < g->n_locations; k++)
		if (g->pcs[k] == h->pc && (g->location_depth == UINT32_MAX || depth == g->location_depth))
			return true;
	return g->n_pcs > g->n_locations && g->pcs[g->n_locations] == h->pc && depth <= g->depth;
}

bool run_to_location(struct debug *d, const struct debug_location *to, bool anywhere, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	struct debug_frame f;
	uint32_t pc, depth = 0, n = to->n;
	if (!run_need_thread(d, &w, why))
		return false;
	uint32_t *pcs = xcalloc(n + 1u, sizeof *pcs);
	memcpy(pcs, to->pcs, n * sizeof *pcs);
	if (run_return_place(d, &w, d->frame, &pc, &depth))
		pcs[n++] = pc;
	struct machine_goal goal = run_place_goal(d, &w, pcs, n);
	goal.reached = reached_location;
	goal.depth = depth;
	goal.n_locations = to->n;
	goal.location_depth = !anywhere && debug_frame_get(d, &w, d->frame, &f) ? f.depth : UINT32_MAX;
	const bool is_there = run_to_places(d, &goal, stop) == MACHINE_GOAL;
	if (is_there && to->is_call && debug_focus_where(d, &w))
		debug_unentered_at(d, &w, to->at);
	if (is_there)
		stop_stepped(d, stop);
	free(pcs);
	return run_finish(d, stop);
}

bool debug_run_advance(struct debug *d, const struct debug_location *to, struct debug_stop *stop, struct text *why)
{
	return run_to_location(d, to, true, stop, why);
}

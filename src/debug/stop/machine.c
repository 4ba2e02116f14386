/* The loop that runs the machine and looks at each of its events.
 *
 * Marks and page flags make gpu_run come back; this file decides whether a breakpoint or watchpoint is hit, and if none is, the machine continues
 * from the very same place. Nothing of this changes what is simulated. */
#include <assert.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/findings/findings.h"
#include "debug/stop/machine.h"
#include "debug/stop/room.h"
#include "debug/stop/reported_warps.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/stop/face_access.h"
#include "debug/view/view.h"
#include "isa/opcodes.h"

struct machine {
	struct debug *d;
	const struct machine_goal *goal;
	struct debug_stop *stop;
	struct gpu_event ev;
	uint64_t feed_at; /* the cycle in which the program is to be asked again; UINT64_MAX: none */
	uint64_t due;	  /* and in which a snapshot may be; likewise */
	bool pass;	  /* the next run's first instruction ignores marks and watches */
};

enum verdict { GO_ON, GOAL, STOPPED };

static struct exec_warp *warp_of(struct debug *d, const struct debug_thread *t)
{
	bool done;
	int32_t slot = gpu_find_cta(d->g, t->launch, t->cta, &done);
	struct exec_cta *cta = slot >= 0 ? gpu_cta(d->g, (uint32_t)slot) : NULL;
	const uint32_t warp = debug_warp_of(d, t->thread);
	return cta && warp < cta->n_warps ? &cta->warp[warp] : NULL;
}

bool machine_warp_executed(struct debug *d, const struct debug_thread *t, uint64_t *executed)
{
	const struct exec_warp *w = warp_of(d, t);
	*executed = w ? w->executed : 0;
	return w != NULL;
}

/* ---- requests ---- */

static void limit_cycles(struct gpu_request *r, uint64_t end, uint64_t now)
{
	const uint64_t left = end > now ? end - now : 0;
	if (end != UINT64_MAX && left < r->max_cycles)
		r->max_cycles = left;
}

static void go_through_past(struct machine *m, struct gpu_request *r, uint64_t now)
{
	const struct debug_past *p = m->d->past;
	r->until = p->next(p->self);
	m->due = p->due(p->self);
	limit_cycles(r, m->due, now);
}

/* Is called in the middle of a run in front of each mark: passes breakpoints whose filters and conditions exclude the warp. */
static bool passes_mark(void *self, const struct exec *x)
{
	struct debug *d = ((struct machine *)self)->d;
	return gpu_marks(d->g)[x->pc] == MARK_BREAK && !breakpoint_may_stop(d, x);
}

static void fill_request(struct machine *m, struct gpu_request *r)
{
	const struct machine_goal *g = m->goal;
	struct debug *d = m->d;
	uint64_t now = gpu_cycle(d->g), executed;
	*r = (struct gpu_request){.max_cycles = UINT64_MAX, .pass = m->pass, .interrupt = d->host.interrupt};
	if (!m->pass)
		r->due = d->host.due;
	if (g->cycle != UINT64_MAX)
		r->max_cycles = g->cycle > now ? g->cycle - now : 0;
	limit_cycles(r, m->feed_at, now);
	if (d->past)
		go_through_past(m, r, now);
	if (g->has_warp) {
		machine_warp_executed(d, &g->warp, &executed);
		r->has_warp = true;
		r->warp_launch = g->warp.launch;
		r->warp_cta = g->warp.cta;
		r->warp_index = debug_warp_of(m->d, g->warp.thread);
		r->warp_insns = g->executed > executed ? g->executed - executed : 0;
	}
	if (r->max_cycles > 1 && watch_any_field(d))
		r->max_cycles = 1;
	if (!watch_any_memory(d) && d->stop->direction != RUN_PASS) {
		r->on_warp_mark = passes_mark;
		r->warp_mark_self = m;
	}
	r->stop_launch = breakpoint_wants_launches(d) || launch_stop_wanted(d);
}

/* Resumes the goal's warp if it waits. That is an input: a run isn't the same without it. */
static void resume_waiting(struct debug *d, const struct machine_goal *g)
{
	bool done;
	const int32_t slot = g->has_warp && !g->stays_waiting && !debug_is_past(d) ? gpu_find_cta(d->g, g->warp.launch, g->warp.cta, &done) : -1;
	const uint32_t warp = debug_warp_of(d, g->warp.thread);
	if (slot >= 0 && warp < gpu_cta(d->g, (uint32_t)slot)->n_warps && gpu_is_waiting(d->g, (uint32_t)slot, warp))
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_SPIN, .warp = {(uint32_t)slot, warp}}, NULL);
}

/* Holds all warps but the focused one if the run is of that one alone, else releases them. */
static void hold_others(struct debug *d, bool is_alone)
{
	struct gpu_alone now, wanted = {.launch = 0};
	struct debug_where w;
	if (debug_is_past(d))
		return;
	if (is_alone && debug_focus_where(d, &w) && w.state != DEBUG_THREAD_EXITED)
		wanted = (struct gpu_alone){.cta = w.thread.cta, .launch = w.thread.launch + 1, .warp = w.warp_index};
	gpu_get_alone(d->g, &now);
	if (now.launch != wanted.launch || now.cta != wanted.cta || now.warp != wanted.warp)
		debug_input(d, &(struct gpu_input){.kind = GPU_INPUT_ALONE, .alone = wanted}, NULL);
}

void machine_release_warps(struct debug *d)
{
	d->stop->is_alone = false;
	hold_others(d, false);
}

static void run_once(struct machine *m, struct gpu_request *r)
{
	text_free(&m->ev.text);
	gpu_run(m->d->g, r, &m->ev);
	m->pass = false;
}

/* ---- executing one instruction under observation ---- */

/* Executes the instruction the machine stands in front of, ignoring marks; `access` gets what it touched of watched memory.
 * True: it was executed. False: another event (a fault ...) is in m->ev. */
static bool execute_one(struct machine *m, const struct debug_hit *h, bool ignore_access)
{
	uint8_t *marks = gpu_marks(m->d->g), mark = marks[h->pc];
	uint64_t before = h->cta->warp[h->warp].executed;
	struct gpu_request r = {.max_cycles = UINT64_MAX, .one_insn = true, .pass = ignore_access};
	DEBUG_HOOK(m->d, before, h);
	marks[h->pc] = 0;
	run_once(m, &r);
	marks[h->pc] = mark;
	bool executed = h->cta->warp[h->warp].executed != before;
	DEBUG_HOOK(m->d, after, executed);
	if (m->ev.kind == GPU_EVENT_OUTPUT && !executed) {
		debug_flush_output(m->d);
		return execute_one(m, h, ignore_access);
	}
	return executed;
}

static enum verdict handle(struct machine *m);

/* Stops at what a checker has found, at the instruction that is next or (`by_host`) in what the program did, if the run and the user want that. */
static bool finding_stops(struct machine *m, bool by_host)
{
	struct stop_room *s = m->d->stop;
	const bool wanted = s->direction == RUN_JUDGE || (s->direction == RUN_SCAN && s->scans_findings);
	if (!wanted && !by_host)
		debug_pass_finding(m->d, s->direction == RUN_SCAN);
	if (!wanted || !findings_stop(m->d, by_host, m->stop))
		return false;
	s->scan_host = by_host && s->direction == RUN_SCAN;
	return true;
}

/* Atomics are only sent off when they issue in performance mode: see on_atomic. */
static bool is_deferred(struct debug *d, uint32_t pc)
{
	uint16_t op = debug_program(d)->insns[pc].opcode;
	return gpu_is_performance(d->g) && isa_op_is_atomic(op);
}

/* Keeps those watches that a deferred atomic concerns when it issues (what it reads), or when it takes effect (the others). */
static size_t keep_read(struct watch_pending *p, size_t n, bool issues)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if ((p[i].b->watch.access == BREAKPOINT_READ) == issues)
			p[kept++] = p[i];
	return kept;
}

/* After the instruction: the event that came with it, if it is more than "one cycle is over". */
static enum verdict after_one(struct machine *m)
{
	switch (m->ev.kind) {
	case GPU_EVENT_CYCLES:
	case GPU_EVENT_STEPPED:
	case GPU_EVENT_MARK:
	case GPU_EVENT_ACCESS:
	case GPU_EVENT_OUTPUT:
	case GPU_EVENT_INTERRUPT:
	case GPU_EVENT_LIMIT:
	case GPU_EVENT_DEADLOCK: return GO_ON; /* those that still hold come back with the next run */
	default: return handle(m);
	}
}

static enum verdict watch_access(struct machine *m, const struct debug_hit *h, const struct watch_pending *registers,
				 size_t n_registers)
{
	struct debug *d = m->d;
	struct watch_pending memory[WATCH_PENDING_MAX];
	struct exec_access access = gpu_exec(d->g)->effect.access;
	size_t n = is_deferred(d, h->pc) ? 0 : watch_find_access(d, h, memory);
	if (!execute_one(m, h, true))
		return handle(m);
	access.failed = gpu_exec(d->g)->effect.access.failed;
	bool stops = watch_check(d, h, registers, n_registers, NULL, m->stop);
	stops |= watch_check(d, h, memory, n, &access, m->stop);
	return stops ? STOPPED : after_one(m);
}

static enum verdict step_over_mark(struct machine *m, const struct debug_hit *h)
{
	struct debug *d = m->d;
	struct watch_pending registers[WATCH_PENDING_MAX], scopes[WATCH_PENDING_MAX];
	size_t n = watch_find_registers(d, h, registers);
	if (is_deferred(d, h->pc))
		n = keep_read(registers, n, true);
	const size_t n_scopes = watch_find_scopes(d, h, scopes);
	const bool splits = breakpoint_wants_split(d, h);
	if (!n && !n_scopes && !splits && !watch_any_memory(d) && !(gpu_marks(d->g)[h->pc] & MARK_TRACE)) {
		m->pass = true;
		return GO_ON;
	}
	if (!execute_one(m, h, false)) {
		if (m->ev.kind != GPU_EVENT_ACCESS)
			return handle(m);
		if (finding_stops(m, false))
			return STOPPED;
		return watch_access(m, h, registers, n);
	}
	bool stops = watch_check(d, h, registers, n, NULL, m->stop);
	stops |= watch_end_scopes(d, h, scopes, n_scopes, m->stop);
	stops |= splits && breakpoint_check_split(d, h, m->stop);
	return stops ? STOPPED : after_one(m);
}

/* ---- events ---- */

static bool at_goal_place(const struct machine *m, const struct debug_hit *h)
{
	const struct machine_goal *g = m->goal;
	for (uint32_t i = 0; i < g->n_pcs; i++)
		if (g->pcs[i] == h->pc)
			return g->reached(m->d, g, h);
	return false;
}

static enum verdict on_mark(struct machine *m)
{
	struct debug_hit h;
	bool ok = debug_hit_of(m->d, &m->ev, &h);
	assert(ok);
	poke_apply(m->d);
	if (!stood_has(m->d, &h) && breakpoint_check_code(m->d, &h, m->stop)) {
		stood_add(m->d, &h);
		return STOPPED;
	}
	if (at_goal_place(m, &h))
		return GOAL;
	return step_over_mark(m, &h);
}

/* A deferred atomic has been executed for some lanes: memory, and the register it returns the old values in, may have changed. */
static enum verdict on_atomic(struct machine *m, struct debug_hit *h)
{
	struct debug *d = m->d;
	struct watch_pending found[WATCH_PENDING_MAX];
	const struct exec_access access = gpu_exec(d->g)->effect.access;
	h->pc = m->ev.pc;
	h->active = h->executing = m->ev.atomic_lanes;
	d->stop->front.place = GPU_BETWEEN; /* the machine can't stand right in front of it, but where its tick begins */
	d->stop->front.landed = GPU_ANY;
	size_t n = watch_find_registers(d, h, found);
	n = keep_read(found, n, false);
	bool stops = watch_check(d, h, found, n, NULL, m->stop);
	stops |= watch_check(d, h, found, watch_find_access(d, h, found), &access, m->stop);
	return stops ? STOPPED : GO_ON;
}

static enum verdict on_access(struct machine *m)
{
	struct debug_hit h;
	bool ok = debug_hit_of(m->d, &m->ev, &h);
	assert(ok);
	struct watch_pending found[WATCH_PENDING_MAX];
	if (finding_stops(m, false))
		return STOPPED;
	if (m->ev.atomic_lanes)
		return on_atomic(m, &h);
	if (is_deferred(m->d, h.pc) || !watch_find_access(m->d, &h, found)) {
		m->pass = true;
		return GO_ON;
	}
	return watch_access(m, &h, NULL, 0);
}

static enum verdict on_fault(struct machine *m)
{
	struct debug_hit h;
	bool has = debug_hit_of(m->d, &m->ev, &h);
	if (gpu_exec(m->d->g)->fault.kind == EXEC_FAULT_BREAKPOINT && has) {
		if (stood_has(m->d, &h)) {
			m->pass = true;
			return GO_ON;
		}
		stood_add(m->d, &h);
	} else if (breakpoint_check_event(m->d, BREAKPOINT_ON_EXCEPTION, m->ev.launch, m->stop)) {
		m->stop->reason = DEBUG_STOP_EXCEPTION;
	}
	stop_exception(m->d, &m->ev, m->stop);
	return STOPPED;
}

static enum verdict on_launched(struct machine *m)
{
	struct debug *d = m->d;
	bool stops = breakpoint_check_event(d, BREAKPOINT_ON_LAUNCH, m->ev.launch, m->stop);
	stops |= breakpoint_check_event(d, BREAKPOINT_ON_KERNEL, m->ev.launch, m->stop);
	stops |= launch_stop_check(d, m->ev.launch, m->stop);
	if (stops)
		debug_focus_set(d, &(struct debug_thread){.launch = m->ev.launch});
	return stops ? STOPPED : GO_ON;
}

static void report_done(struct debug *d)
{
	if (d->stop->done_unreported && d->host.kernel_done && !debug_is_past(d))
		d->host.kernel_done(d->host.self);
	d->stop->done_unreported = false;
}

/* Returns true if the machine stops at what the program's host code has done, or is about to do. */
static bool host_stops(struct machine *m)
{
	return watch_check_modules(m->d, m->stop) || watch_check_host(m->d, m->stop) || program_check_calls(m->d, m->stop);
}

/* The program's turn: its calls are served until there is something to run. */
static enum verdict feed(struct machine *m, enum verdict otherwise)
{
	const struct debug_program *p = m->d->program;
	m->feed_at = UINT64_MAX;
	if (!debug_program_lives(m->d) || debug_is_past(m->d))
		return otherwise;
	findings_drop_host_stop(m->d);
	if (host_stops(m)) /* a copy in a stream, which the device has made */
		return STOPPED;
	switch (p->feed(p->self, &m->feed_at, m->stop)) {
	case DEBUG_FED: return finding_stops(m, true) || host_stops(m) ? STOPPED : GO_ON;
	case DEBUG_FED_STOP: return STOPPED;
	case DEBUG_FED_NOTHING: break;
	}
	return otherwise;
}

static enum verdict on_kernel_done(struct machine *m)
{
	struct gpu_launch_info info;
	bool caught = breakpoint_check_event(m->d, BREAKPOINT_ON_EXIT, m->ev.launch, m->stop);
	const bool is_part =
		gpu_launch_get(m->d->g, m->ev.launch, &info) && info.parent; /* of the kernel that has launched it */
	const bool comes_again = m->d->program && debug_is_past(m->d);
	const bool is_said =
		!is_part && !debug_program_lives(m->d) && !comes_again; /* a program's kernels come and go */
	if (caught || (is_said && m->d->stop->direction != RUN_SCAN))
		stop_add_kernel(m->d, m->ev.launch, "finished", m->stop);
	m->d->stop->done_unreported = true;
	findings_tell(m->d);
	if (gpu_launches_left(m->d->g))
		report_done(m->d);
	return caught ? STOPPED : feed(m, GO_ON);
}

static enum verdict stopped_as(struct machine *m, enum debug_reason reason, const char *before, const char *after)
{
	m->stop->reason = reason;
	text_addf(&m->stop->text, "%s%s%s\n", before, text_str(&m->ev.text), after);
	return STOPPED;
}

static enum verdict on_idle(struct machine *m)
{
	report_done(m->d);
	const enum verdict fed = feed(m, GOAL);
	if (fed != GOAL)
		return fed;
	m->stop->reason = DEBUG_STOP_KERNEL_DONE;
	if (!m->stop->text.n)
		text_add(&m->stop->text, "The device is idle\n");
	return STOPPED;
}

static bool take_snapshot(const struct machine *m)
{
	const struct debug_past *p = m->d->past;
	if (!p || gpu_cycle(m->d->g) < m->due)
		return false;
	p->snapshot(p->self);
	return true;
}

/* Cycles are asked for one by one while the machine's fields are watched. */
static enum verdict on_cycles(struct machine *m)
{
	const struct machine_goal *g = m->goal;
	if (watch_check_fields(m->d, m->stop))
		return STOPPED;
	if (gpu_cycle(m->d->g) >= m->feed_at && (g->cycle == UINT64_MAX || gpu_cycle(m->d->g) < g->cycle))
		return feed(m, GO_ON);
	const bool more = take_snapshot(m) || watch_any_field(m->d);
	return g->cycle != UINT64_MAX && gpu_cycle(m->d->g) >= g->cycle ? GOAL : more ? GO_ON : GOAL;
}

/* Returns true if none of a launch's warps can run any more, so that only its end is left. */
static bool is_last(struct debug *d, uint32_t launch)
{
	struct gpu_launch_info l;
	uint32_t slot, warp;
	return gpu_launch_get(d->g, launch, &l) && l.ctas_started == l.launch.n_ctas && !gpu_next_warp(d->g, &slot, &warp);
}

/* The only warp that may run has exited, or waits for others. */
static enum verdict on_alone(struct machine *m)
{
	struct debug *d = m->d;
	struct debug_where w;
	if (d->stop->direction != RUN_JUDGE || !debug_focus_where(d, &w))
		return GO_ON;
	const bool waits = w.w && w.w->state != EXEC_WARP_DONE;
	if (!waits && is_last(d, w.thread.launch))
		return GO_ON;
	m->stop->reason = DEBUG_STOP_STEPPED;
	text_addf(&m->stop->text, "Warp %u of block (%u,%u,%u) %s\n", w.warp_index, w.block_id[0], w.block_id[1], w.block_id[2],
		  waits ? "waits for other warps, which scheduler-locking holds" : "has exited");
	return STOPPED;
}

/* Lets the program execute an operation whose turn in a stream has come. Without a program there is nothing to do. */
static enum verdict on_host(struct machine *m)
{
	const struct debug_program *p = m->d->program;
	if (debug_is_past(m->d)) /* it was done then */
		return stopped_as(m, DEBUG_STOP_INTERRUPTED, "Interrupted", "");
	if (!debug_program_lives(m->d) || !p->operation || p->operation(p->self, m->ev.tag))
		debug_input(m->d, &(struct gpu_input){.kind = GPU_INPUT_DONE}, NULL);
	return finding_stops(m, true) ? STOPPED : feed(m, GO_ON);
}

static enum verdict failed_as(struct machine *m, enum debug_reason reason, const char *before, const char *after)
{
	stopped_as(m, reason, before, after);
	stop_launched_from(m->d, m->ev.launch, &m->stop->text);
	return STOPPED;
}

/* Loops that ask for what a program writes to memory it shares end some time. */
static enum verdict on_deadlock(struct machine *m)
{
	const struct debug_program *p = m->d->program;
	if (!debug_program_lives(m->d) || debug_is_past(m->d) || !p->answers || !m->ev.polls || !p->answers(p->self)) {
		while (m->d->check && check_deadlock(m->d->check))
			if (finding_stops(m, false))
				return STOPPED;
		m->stop->polls = m->ev.polls;
		return failed_as(m, DEBUG_STOP_DEADLOCK, "Deadlock: ", "");
	}
	debug_input(m->d, &(struct gpu_input){.kind = GPU_INPUT_TOUCHED}, NULL);
	return feed(m, GO_ON);
}

static enum verdict handle(struct machine *m)
{
	switch (m->ev.kind) {
	case GPU_EVENT_CYCLES: return on_cycles(m);
	case GPU_EVENT_STEPPED: return GOAL;
	case GPU_EVENT_MARK: return on_mark(m);
	case GPU_EVENT_ACCESS: return on_access(m);
	case GPU_EVENT_FAULT: return on_fault(m);
	case GPU_EVENT_LAUNCHED: return on_launched(m);
	case GPU_EVENT_ALONE: return on_alone(m);
	case GPU_EVENT_KERNEL_DONE: return on_kernel_done(m);
	case GPU_EVENT_IDLE: return on_idle(m);
	case GPU_EVENT_DEADLOCK: return on_deadlock(m);
	case GPU_EVENT_LIMIT: return failed_as(m, DEBUG_STOP_LIMIT, "Limit ", " reached");
	case GPU_EVENT_INTERRUPT: return stopped_as(m, DEBUG_STOP_INTERRUPTED, "Interrupted", "");
	case GPU_EVENT_OUTPUT: debug_flush_output(m->d); return GO_ON;
	case GPU_EVENT_HOST: return on_host(m);
	case GPU_EVENT_DUE: m->d->host.progress(m->d->host.self); return GO_ON;
	}
	return GO_ON;
}

static void place_goal_marks(struct debug *d, const struct machine_goal *g, bool on)
{
	uint8_t *marks = gpu_marks(d->g);
	for (uint32_t i = 0; i < g->n_pcs; i++)
		marks[g->pcs[i]] =
			on ? (uint8_t)(marks[g->pcs[i]] | MARK_GOAL) : (uint8_t)(marks[g->pcs[i]] & ~MARK_GOAL);
}

/* What a thread's warp would hit with its next instruction. False: it executes nothing. */
static bool hit_in_front(struct debug *d, const struct debug_thread *t, struct debug_hit *h)
{
	struct gpu_event ev = {0};
	bool done;
	int32_t slot = gpu_find_cta(d->g, t->launch, t->cta, &done);
	ev.cta_slot = (uint32_t)slot;
	ev.warp = debug_warp_of(d, t->thread);
	return slot >= 0 && debug_hit_of(d, &ev, h);
}

void debug_hit_is_reported(struct debug *d, const struct debug_thread *t)
{
	uint64_t executed;
	struct debug_hit h;
	if (hit_in_front(d, t, &h))
		stood_add(d, &h);
	else if (!machine_warp_executed(d, t, &executed)) /* the block isn't on a core yet */
		stood_add_place(d, &(struct debug_stood){t->launch, debug_warp_of(d, t->thread), t->cta, 0});
}

static bool marks_are_stale(const struct debug *d)
{
	return d->marks_stale || d->stop->aliases != gpu_aliases_changed(d->g);
}

static void refresh_marks(struct debug *d)
{
	if (!marks_are_stale(d))
		return;
	breakpoint_write_marks(d);
	watch_arm(d);
}

void machine_go_on_from_focus(struct debug *d, bool by_hand)
{
	struct debug_hit h;
	uint64_t executed;
	if (!d->has_focus || !machine_warp_executed(d, &d->focus, &executed) || !executed ||
	    !hit_in_front(d, &d->focus, &h))
		return;
	refresh_marks(d);
	if (gpu_marks(d->g)[h.pc] & MARK_BREAK && (by_hand || !stood_is_unreported(d, &h)))
		stood_add(d, &h);
}

/* A stop behind an instruction, at a watchpoint or where lanes part, leaves the warp in front of its next one. If a breakpoint is there, running on hits it. */
static void note_unreported(struct debug *d)
{
	struct debug_hit h;
	d->stop->has_unreported = false;
	if (d->has_focus && hit_in_front(d, &d->focus, &h) && gpu_marks(d->g)[h.pc] & MARK_BREAK && !stood_has(d, &h))
		stood_set_unreported(d, &h);
}

bool machine_landed(struct debug *d, const struct debug_thread *t, struct debug_stop *stop)
{
	struct debug_hit h;
	refresh_marks(d);
	if (!hit_in_front(d, t, &h) || !gpu_marks(d->g)[h.pc] || stood_has(d, &h))
		return false;
	bool stops = breakpoint_check_code(d, &h, stop);
	if (stops || d->stop->hit_passed)
		stood_add(d, &h);
	return stops;
}

static enum machine_end landed(const struct machine *m)
{
	const struct machine_goal *g = m->goal;
	return g->has_warp && !g->reached && machine_landed(m->d, &g->warp, m->stop) ? MACHINE_STOPPED : MACHINE_GOAL;
}

/* It stands where something of the past comes again. */
static bool has_come(const struct machine *m, const struct gpu_request *r)
{
	struct gpu_moment now;
	if (!r->until)
		return false;
	gpu_moment_now(m->d->g, &now);
	return gpu_moment_is(&now, r->until);
}

/* Of fields that are compared after each cycle: in front of that. */
static void note_front(const struct machine *m)
{
	struct stop_room *s = m->d->stop;
	if (s->direction != RUN_SCAN)
		return;
	if (m->ev.kind == GPU_EVENT_CYCLES)
		s->front = s->cycle_front;
	else
		gpu_moment_now(m->d->g, &s->front);
}

static void note_cycle(const struct machine *m)
{
	if (m->d->stop->direction == RUN_SCAN && watch_any_field(m->d))
		gpu_moment_now(m->d->g, &m->d->stop->cycle_front);
}

/* Returns whether running on from here doesn't give the event again: it has to be handled before an input of the same moment comes. */
static bool happens_once(const struct gpu_event *ev)
{
	return ev->kind == GPU_EVENT_KERNEL_DONE || ev->kind == GPU_EVENT_LAUNCHED ||
	       (ev->kind == GPU_EVENT_ACCESS && ev->atomic_lanes);
}

static enum verdict comes_again(struct machine *m)
{
	const uint32_t generation = m->d->generation;
	findings_drop_host_stop(m->d);
	const bool more = m->d->past->arrived(m->d->past->self);
	debug_modules_settle(m->d, NULL);
	const bool stops = m->d->generation != generation && m->d->settings.stops_at_loads && m->d->stop->direction != RUN_SCAN;
	m->d->stop->scan_over = !more;
	watch_refresh(m->d);
	return more && !stops && !finding_stops(m, true) ? GO_ON : STOPPED;
}

static void begin_run(struct debug *d)
{
	if (d->stop->direction == RUN_SCAN)
		return;
	for (size_t i = d->stop->n_bps; i-- > 0;)
		if (d->stop->bps[i]->fired)
			breakpoint_drop(d, d->stop->bps[i]);
	DEBUG_HOOK(d, begin_run);
}

enum machine_end machine_run(struct debug *d, const struct machine_goal *goal, struct debug_stop *stop)
{
	struct machine m = {.d = d, .goal = goal, .stop = stop, .feed_at = UINT64_MAX, .due = UINT64_MAX};
	struct gpu_request r;
	enum verdict v = GO_ON;
	d->stop->direction = goal->direction;
	begin_run(d);
	resume_waiting(d, goal);
	refresh_marks(d);
	watch_refresh(d);
	place_goal_marks(d, goal, true);
	while (v == GO_ON) {
		if (marks_are_stale(d)) {
			breakpoint_write_marks(d);
			watch_arm(d);
			place_goal_marks(d, goal, true);
		}
		if (d->stop->is_alone && d->stop->direction == RUN_JUDGE)
			hold_others(d, true);
		fill_request(&m, &r);
		note_cycle(&m);
		const bool runs = !has_come(&m, &r);
		if (runs)
			run_once(&m, &r);
		note_front(&m);
		v = has_come(&m, &r) && !(runs && happens_once(&m.ev)) ? comes_again(&m) : handle(&m);
	}
	place_goal_marks(d, goal, false);
	if (v == STOPPED && stop->reason == DEBUG_STOP_WATCHPOINT && d->stop->direction != RUN_SCAN)
		note_unreported(d);
	text_free(&m.ev.text);
	const enum machine_end end = v == GOAL ? landed(&m) : MACHINE_STOPPED;
	d->stop->direction = RUN_JUDGE;
	return end;
}

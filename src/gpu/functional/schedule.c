/* Functional mode: how long a warp runs, what comes after it, and what stops the machine. Which comes next: choose.c.
 *
 * The order is fixed (docs/execution.md "Functional schedule"): blocks by id; a warp runs until it arrives at a barrier, exits, sleeps, is
 * seen to wait (turn.c), or has executed GPU_QUANTUM instructions in a row; then the block's next warp in index order that can run, from
 * index 0 if a barrier has opened. A block all of whose warps wait or are at barriers yields to the next resident one that can run, or to
 * a new block if the device has room. If there is none, the next operation of another stream begins. If there is none of these either, each warp that waits
 * is looked at: whether it waits for ever. If all do, that is a deadlock; else the others have turns. A block also yields if no block has ended for
 * long. Nothing here depends on how a run is cut into requests. */
#include <inttypes.h>
#include <string.h>

#include "gpu/functional/functional.h"
#include "gpu/launch/launch.h"
#include "gpu/moment.h"
#include "gpu/statistics/logs.h"
#include "gpu/stream/stream_internal.h"
#include "gpu/wait/deadlock.h"
#include "gpu/wait/wait.h"

/* What gpu_run carries along. */
struct running {
	struct gpu *g;
	const struct gpu_request *r;
	struct gpu_event *ev;
	uint64_t cycles_left;
	uint64_t watch_left;
	bool pass;
	bool is_special; /* turn_is_special of the warp that runs */
};

static bool cta_done(const struct exec_cta *c) { return c->n_done == c->n_warps; }

static bool all_at_barriers(const struct exec_cta *c)
{
	for (uint32_t k = 0; k < c->n_warps; k++)
		if (c->warp[k].state == EXEC_WARP_RUNNABLE)
			return false;
	return !cta_done(c);
}

/* ---- launches and blocks come and go ---- */

static bool stop(struct running *run, enum gpu_event_kind kind)
{
	run->ev->kind = kind;
	return false;
}

/* The functions below return false when gpu_run is to return. */

static void finish_current(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	if (s->current == GPU_NONE || s->current >= s->n_resident)
		return;
	const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[s->current]);
	if (!cta_done(c))
		return;
	gpu_transition(g);
	gpu_launch_at(g, c->launch)->ctas_done++;
	s->ctas_done++;
	turn_block_ended(g);
	functional_finish_block(g, s->current);
}

/* Ends the running launch. Its parent runs then if it waits for the launch, else the next launch. */
static bool end_running(struct running *run, struct gpu_launch_info *l)
{
	struct gpu *g = run->g;
	struct gpu_state *s = gpu_state(g);
	gpu_transition(g);
	run->ev->launch = l->launch.id;
	gpu_end_launch(g, l, GPU_LAUNCH_DONE);
	if (l->parent) {
		s->nested = gpu_launch_at(g, l->parent - 1)->parent ? l->parent : 0;
		s->current = GPU_NONE;
	} else {
		s->n_begun--;
		s->other = 0;
		s->head += l->launch.id == s->head;
	}
	while (s->head < s->n_launches && gpu_launch_at(g, s->head)->state == GPU_LAUNCH_DONE)
		s->head++; /* launches by threads */
	return stop(run, GPU_EVENT_KERNEL_DONE);
}

static bool finish_blocks(struct running *run)
{
	struct gpu *g = run->g;
	struct gpu_state *s = gpu_state(g);
	finish_current(g);
	if (gpu_running(g) >= s->n_launches)
		return true;
	struct gpu_launch_info *l = gpu_launch_at(g, gpu_running(g));
	if (l->state != GPU_LAUNCH_RUNNING || !gpu_blocks_are_done(l) || gpu_has_ready_child(g, l->launch.id))
		return true;
	return end_running(run, l);
}

/* Begins the next launch that a thread of the running launch has made, before all other work. Returns false if the run ends. */
static bool begin_child(struct running *run)
{
	struct gpu *g = run->g;
	struct gpu_state *s = gpu_state(g);
	const uint32_t parent = s->first_child ? gpu_running(g) : GPU_NONE;
	const uint32_t id = parent == GPU_NONE ? GPU_NONE : gpu_next_child(g, parent);
	if (id == GPU_NONE)
		return true;
	struct gpu_launch_info *l = gpu_launch_at(g, id);
	gpu_transition(g);
	l->first_resident = s->n_resident;
	l->state = GPU_LAUNCH_RUNNING;
	l->may_wait = wait_code_in(g, l->launch.function);
	s->nested = id + 1;
	s->current = GPU_NONE;
	run->ev->launch = id;
	gpu_statistics_begin(g, id);
	if (!functional_start_block(g))
		return true; /* report_deadlock explains it */
	s->current = s->n_resident - 1;
	return run->r->stop_launch ? stop(run, GPU_EVENT_LAUNCHED) : true;
}

static bool go_idle(struct running *run)
{
	if (!gpu_state(run->g)->was_idle)
		gpu_transition(run->g);
	gpu_state(run->g)->was_idle = true;
	return stop(run, GPU_EVENT_IDLE);
}

static bool start_launch(struct running *run, struct gpu_launch_info *l)
{
	struct gpu *g = run->g;
	struct gpu_state *s = gpu_state(g);
	if (s->was_idle || !s->n_begun) {
		s->run_cycle = s->cycle;
		s->run_insns = s->insns;
		s->run_warp_insns = s->warp_insns;
		s->was_idle = false;
	}
	l->state = GPU_LAUNCH_RUNNING;
	l->may_wait = wait_code_in(g, l->launch.function);
	s->has_concurrent = s->n_begun > 0;
	if (!s->n_begun++) {
		gpu_schedule_begin(g, l->launch.id);
		turn_begin(g);
	}
	s->other = l->launch.id == s->head ? 0 : l->launch.id + 1;
	turn_launch_begins(g, l);
	gpu_statistics_begin(g, l->launch.id);
	if (!functional_start_block(g))
		return true; /* report_deadlock explains it */
	s->current = s->n_resident - 1;
	return run->r->stop_launch ? stop(run, GPU_EVENT_LAUNCHED) : true;
}

/* Begins the next operation of the streams, and stores in *begun whether there is one. Operations begin in the order of queueing, so launches begin by
 * their ids, unless a launch waits for another. Returns false if the run ends. */
static bool begin_operation(struct running *run, bool *begun)
{
	struct gpu *g = run->g;
	*begun = true;
	if (gpu_state(g)->host_operation.number)
		return streams_hand_to_host(g, run->ev);
	streams_settle(g);
	struct stream *next = streams_next_in_order(g);
	*begun = next;
	if (!next)
		return true;
	const uint32_t id = streams_begin(g, next);
	if (id == GPU_NONE)
		return streams_hand_to_host(g, run->ev);
	return start_launch(run, gpu_launch_at(g, id));
}

/* Begins the next operation while no launch runs, or becomes idle. Returns false if the run ends. */
static bool next_operation(struct running *run)
{
	bool begun;
	return begin_operation(run, &begun) && (begun || go_idle(run));
}

/* Selects the launch to run, or begins one. Returns false if the run ends. */
static bool begin_launch(struct running *run)
{
	const struct gpu_state *s = gpu_state(run->g);
	functional_resume_concurrent(run->g);
	struct gpu_launch_info *l = s->head < s->mode_end ? gpu_launch_at(run->g, gpu_running(run->g)) : NULL;
	run->ev->launch = gpu_running(run->g);
	if (l && l->state == GPU_LAUNCH_FAILED)
		gpu_set_state(run->g, l, GPU_LAUNCH_RUNNING);
	return (l && l->state == GPU_LAUNCH_RUNNING) || next_operation(run);
}

/* Stores a GPU_EVENT_DEADLOCK with its explanation. Returns false always. */
static bool report_deadlock(struct running *run)
{
	struct gpu *g = run->g;
	if (gpu_state(g)->n_resident > functional_first_block(g))
		gpu_explain_deadlock(g, run->ev);
	else
		text_add(&run->ev->text, GPU_NO_ROOM_FOR_BLOCK);
	return stop(run, GPU_EVENT_DEADLOCK);
}

static bool watches_another(const struct running *run, const struct exec_cta *c)
{
	const struct gpu_request *r = run->r;
	return r->has_warp && (r->warp_launch != c->launch || r->warp_cta != c->linear);
}

/* Chooses the warp that runs alone, in the resident block with index `k`. Returns false if the run ends, as that warp waits. */
static bool choose_alone(struct running *run, uint32_t k)
{
	struct gpu *g = run->g;
	struct gpu_state *s = gpu_state(g);
	struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[k]);
	if (!functional_warp_can_run(g, &c->warp[s->alone.warp]))
		return all_at_barriers(c) ? report_deadlock(run) : stop(run, GPU_EVENT_ALONE);
	if (s->current != k || c->current != s->alone.warp)
		gpu_transition(g);
	s->current = k;
	c->current = s->alone.warp;
	s->must_yield = false;
	functional_set_running(g);
	return true;
}

static bool choose_block(struct running *run)
{
	struct gpu *g = run->g;
	struct gpu_state *s = gpu_state(g);
	uint32_t *r = gpu_residents(g);
	const uint32_t lone = functional_lone_block(g);
	if (lone != GPU_NONE)
		return choose_alone(run, lone);
	const struct exec_cta *c = s->current < s->n_resident && s->current >= functional_first_block(g)
					   ? gpu_cta_at(g, r[s->current])
					   : NULL;
	/* a block that waits for itself can't be helped by the others: say so at once, unless one of those is stepped */
	if (c && all_at_barriers(c) && !watches_another(run, c) && !run->r->until)
		return report_deadlock(run);
	const bool begins = s->must_yield && functional_operation_is_ready(g);
	const bool passes_on = s->must_yield && !begins && !functional_pass_to_context(g);
	bool begun;
	s->must_yield = false;
	if (begins && !begin_operation(run, &begun))
		return false;
	while (!functional_choose_block(g, passes_on)) {
		if (functional_operation_is_ready(g)) {
			if (!begin_operation(run, &begun))
				return false;
			continue;
		}
		if (!turn_choose_waiting(g))
			return report_deadlock(run);
		break;
	}
	functional_set_running(g);
	return true;
}

/* ---- limits and requests ---- */

static bool within_limits(struct running *run)
{
	const struct config_device *d = &run->g->device;
	const struct gpu_state *s = gpu_state(run->g);
	if (!gpu_has_limits(d))
		return true;
	const struct gpu_limit limits[] = {{"gpgpu_max_insn", d->max_insn, s->insns},
					   {"gpgpu_max_cycle", d->max_cycle, s->cycle},
					   {"gpgpu_max_cta", d->max_cta, s->ctas_done}};
	return gpu_within_limits(limits, sizeof limits / sizeof limits[0], run->ev);
}

static bool is_watched(const struct running *run, const struct exec_cta *c, uint32_t warp)
{
	const struct gpu_request *r = run->r;
	return r->has_warp && c->launch == r->warp_launch && c->linear == r->warp_cta && warp == r->warp_index;
}

/* Returns true if the watched warp has exited or its block is done. */
static bool watched_is_over(const struct running *run)
{
	bool done;
	int32_t slot = gpu_find_cta(run->g, run->r->warp_launch, run->r->warp_cta, &done);
	if (slot < 0)
		return done;
	const struct exec_cta *c = gpu_cta_at(run->g, (uint32_t)slot);
	return run->r->warp_index >= c->n_warps || c->warp[run->r->warp_index].state == EXEC_WARP_DONE;
}

bool gpu_is_waiting(struct gpu *g, uint32_t cta_slot, uint32_t warp)
{
	const struct exec_warp *w = &gpu_cta_at(g, cta_slot)->warp[warp];
	return !g->perf && w->state == EXEC_WARP_RUNNABLE && !functional_warp_can_run(g, w);
}

bool gpu_resume_waiting(struct gpu *g, uint32_t cta_slot, uint32_t warp)
{
	const bool waits = gpu_is_waiting(g, cta_slot, warp);
	if (waits)
		turn_resume(g, cta_slot, warp);
	return waits;
}

static bool stepped(struct running *run, uint32_t slot, uint32_t warp, uint32_t pc)
{
	run->ev->cta_slot = slot;
	run->ev->warp = warp;
	run->ev->pc = pc;
	return stop(run, GPU_EVENT_STEPPED);
}

/* Stores STEPPED if the watched warp has executed its instructions and can run, even if another warp has its turn. Returns true if it does. */
static bool watched_is_there(struct running *run)
{
	const struct gpu_request *r = run->r;
	bool done;
	int32_t slot = r->has_warp && !run->watch_left ? gpu_find_cta(run->g, r->warp_launch, r->warp_cta, &done) : -1;
	const struct exec_warp *w = slot < 0 ? NULL : &gpu_cta_at(run->g, (uint32_t)slot)->warp[r->warp_index];
	return w && w->state == EXEC_WARP_RUNNABLE && !r->in_turn &&
	       !stepped(run, (uint32_t)slot, r->warp_index, exec_simt_top(&run->g->exec, w)->pc);
}

/* Returns whether the watched warp has executed what was asked for, and its next instruction is what the device executes next. */
static bool turn_of_watched(const struct running *run, uint32_t slot, uint32_t warp)
{
	return run->r->in_turn && run->r->has_warp && !run->watch_left &&
	       is_watched(run, gpu_cta_at(run->g, slot), warp);
}

static bool requests_met(struct running *run)
{
	struct gpu *g = run->g;
	if (!run->cycles_left)
		return stop(run, GPU_EVENT_CYCLES);
	if (run->r->interrupt && *run->r->interrupt)
		return stop(run, GPU_EVENT_INTERRUPT);
	if (run->r->due && *run->r->due)
		return stop(run, GPU_EVENT_DUE);
	if (g->output.n + g->log.n > 1 << 16)
		return stop(run, GPU_EVENT_OUTPUT);
	return true;
}

/* ---- running ---- */

static uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns true if the request ends at a fault that the device stands in front of: the instruction must be tried. */
static bool fault_is_due(const struct running *run)
{
	const struct gpu_moment *m = run->r->until;
	return m && m->cycle == gpu_state(run->g)->cycle && gpu_state(run->g)->n_failed < m->failed;
}

static uint64_t budget_of(const struct running *run, const struct exec_cta *c, uint32_t slot, uint32_t warp)
{
	const struct gpu_state *s = gpu_state(run->g);
	const struct config_device *d = &run->g->device;
	uint64_t n = min_u64(c->warp[warp].quantum, run->cycles_left);
	if (run->is_special)
		n = min_u64(n, turn_budget(run->g, slot, warp));
	if (run->watch_left && is_watched(run, c, warp))
		n = min_u64(n, run->watch_left);
	if (run->r->until)
		n = min_u64(n, fault_is_due(run) ? 1 : run->r->until->cycle - s->cycle);
	if (d->max_cycle)
		n = min_u64(n, d->max_cycle - s->cycle);
	/* so that the limit is met at the same instruction however the run is cut */
	if (d->max_insn)
		n = min_u64(n, (d->max_insn - s->insns + LANES - 1) / LANES);
	return n;
}

/* Counts what the warp has executed. Returns false if that is nothing. */
static bool account(struct running *run, struct exec_cta *c, uint32_t warp)
{
	struct gpu_state *s = gpu_state(run->g);
	struct exec *x = &run->g->exec;
	uint64_t n = x->n_warp_insns;
	s->cycle += n;
	s->warp_insns += n;
	s->insns += x->n_thread_insns;
	s->epoch += x->n_stores;
	c->warp[warp].quantum -= (uint32_t)n;
	run->cycles_left -= n;
	if (run->watch_left && is_watched(run, c, warp))
		run->watch_left -= n;
	x->n_warp_insns = x->n_thread_insns = x->n_stores = 0;
	return n;
}

/* Ends the warp's turn if it has arrived somewhere, is done, sleeps, waits, or has used its instructions up. */
static void end_turn(struct gpu *g, uint32_t slot, uint32_t warp, enum exec_status status, bool waits)
{
	struct exec_cta *c = gpu_cta_at(g, slot);
	struct exec_warp *w = &c->warp[warp];
	if (status == EXEC_BUDGET && w->quantum && !waits)
		return;
	if (status == EXEC_YIELD && gpu_has_ready_child(g, c->launch)) {
		w->quantum = GPU_QUANTUM; /* it continues when that has run */
		return;
	}
	if (status == EXEC_BUDGET || status == EXEC_YIELD)
		turn_end(g, slot, warp);
	else
		w->idle_turns = w->changed = 0;
	w->quantum = GPU_QUANTUM;
	if (gpu_state(g)->schedule.spec.seed)
		gpu_state(g)->schedule.chosen = false;
	else
		functional_advance_block(g, c);
	if (gpu_state(g)->cycle >= gpu_state(g)->patience_over)
		turn_request_other_block(g);
}

static bool stopped(struct running *run, enum exec_status status, uint32_t slot, uint32_t warp)
{
	static const enum gpu_event_kind kinds[] = {
		[EXEC_MARK] = GPU_EVENT_MARK, [EXEC_ACCESS] = GPU_EVENT_ACCESS, [EXEC_FAULT] = GPU_EVENT_FAULT};
	run->ev->launch = gpu_cta_at(run->g, slot)->launch;
	run->ev->cta_slot = slot;
	run->ev->warp = warp;
	run->ev->pc = run->g->exec.pc;
	if (status == EXEC_FAULT && run->g->exec.fault.kind != EXEC_FAULT_BREAKPOINT)
		gpu_set_state(run->g, gpu_launch_at(run->g, run->ev->launch), GPU_LAUNCH_FAILED);
	return stop(run, kinds[status]);
}

/* Exec is in front of an instruction that the request's `look` is to see. */
static bool look_ahead(void *self, const struct exec *x)
{
	const struct gpu_request *r = self;
	r->look(r->look_self, x->cta, x->warp, x->pc, x->warp->executed + x->n_run);
	return true;
}

/* Sets the marks in front of which exec calls the request's functions. */
static void set_marks(const struct running *run, struct exec *x, const struct exec_cta *c, uint32_t warp)
{
	const struct gpu_request *r = run->r;
	if (!r->warp_marks && r->on_warp_mark) {
		x->on_mark = r->on_warp_mark;
		x->mark_self = r->warp_mark_self;
	}
	if (!r->warp_marks || !(r->look || is_watched(run, c, warp)))
		return;
	x->marks = r->warp_marks;
	x->on_mark = r->look ? look_ahead : r->on_warp_mark;
	x->mark_self = r->look ? (void *)(uintptr_t)r : r->warp_mark_self;
}

/* Returns true if the warp is the only one that may run. */
static bool is_alone(const struct gpu *g, const struct exec_cta *c, uint32_t warp)
{
	const struct gpu_alone *a = &gpu_state(g)->alone;
	return c->launch + 1 == a->launch && c->linear == a->cta && warp == a->warp;
}

static bool run_warp(struct running *run, uint32_t slot, uint32_t warp)
{
	struct gpu *g = run->g;
	struct exec *x = &g->exec;
	struct exec_cta *c = gpu_cta_at(g, slot);
	const struct gpu_launch_info *l = gpu_launch_at(g, c->launch);
	exec_enter(x, &l->launch);
	run->is_special = turn_is_special(g, l, &c->warp[warp]);
	if (run->is_special)
		turn_before(g, slot, warp);
	x->pass = run->pass;
	run->pass = false;
	const uint8_t *const marks = x->marks;
	set_marks(run, x, c, warp);
	enum exec_status status = exec_run(x, c, warp, budget_of(run, c, slot, warp));
	x->marks = marks;
	x->on_mark = NULL;
	x->pass = false;
	const uint64_t n_stores = x->n_stores;
	if (n_stores)
		turn_changed(&c->warp[warp]);
	const bool waits = account(run, c, warp) && run->is_special && turn_after(g, slot, warp, n_stores);
	if (status == EXEC_MARK || status == EXEC_ACCESS || status == EXEC_FAULT)
		return stopped(run, status, slot, warp);
	end_turn(g, slot, warp, status, waits);
	const bool was_alone = status == EXEC_DONE && is_alone(g, c, warp);
	if (was_alone)
		gpu_state(g)->alone = (struct gpu_alone){.launch = 0};
	if (status == EXEC_DONE && is_watched(run, c, warp))
		return stepped(run, slot, warp, c->warp[warp].last_pc);
	return !was_alone || run->r->until || stop(run, GPU_EVENT_ALONE);
}

/* Returns true, with CYCLES stored, if the device is at the moment at which the request ends. */
static bool reached(struct running *run) { return gpu_reached(run->g, run->r) && !stop(run, GPU_EVENT_CYCLES); }

/* Stores STEPPED on the way to a moment, if the watched warp's block has just begun and no instruction is requested. Returns true if it does. */
static bool begins_watched(struct running *run) { return run->r->until && watched_is_there(run); }

/* Returns true if the current block continues and nothing else ends or begins, which is the usual case. */
static bool block_continues(struct running *run)
{
	struct gpu *g = run->g;
	const struct gpu_state *s = gpu_state(g);
	const bool chooses = s->schedule.spec.seed && !s->schedule.chosen;
	if (run->r->until || s->current >= s->n_resident || s->first_child || chooses || s->must_yield)
		return false;
	const struct exec_cta *c = gpu_cta_at(g, gpu_residents(g)[s->current]);
	const struct exec_warp *w = &c->warp[c->current];
	run->ev->launch = c->launch;
	if (__builtin_expect(s->alone.launch, 0) && !is_alone(g, c, c->current))
		return false;
	return c->launch == gpu_running(g) && functional_warp_can_run(g, w) &&
	       gpu_launch_at(g, c->launch)->state == GPU_LAUNCH_RUNNING;
}

/* Ends and begins blocks, launches and the host's operations. Returns false if the run ends. */
static bool settle(struct running *run)
{
	return !reached(run) && finish_blocks(run) && !reached(run) && begin_child(run) && !reached(run) &&
	       begin_launch(run) && !reached(run) && within_limits(run) && choose_block(run) && !reached(run) &&
	       !begins_watched(run);
}

static bool run_some(struct running *run)
{
	struct gpu *g = run->g;
	if (block_continues(run) ? !within_limits(run) : !settle(run))
		return false;
	uint32_t slot = gpu_residents(g)[gpu_state(g)->current];
	uint32_t warp = gpu_cta_at(g, slot)->current;
	if (turn_of_watched(run, slot, warp))
		return stepped(run, slot, warp, exec_simt_top(&g->exec, &gpu_cta_at(g, slot)->warp[warp])->pc);
	if (run->r->until && run->r->until->cycle <= gpu_state(g)->cycle && !fault_is_due(run))
		return stop(run, GPU_EVENT_CYCLES); /* it would have to be reached by now */
	return requests_met(run) && run_warp(run, slot, warp);
}

void functional_run(struct gpu *g, const struct gpu_request *r, struct gpu_event *ev)
{
	struct running run = {
		.g = g, .r = r, .ev = ev, .cycles_left = r->one_insn ? 1 : r->max_cycles, .pass = r->pass};
	run.watch_left = r->has_warp ? r->warp_insns : 0;
	*ev = (struct gpu_event){.launch = gpu_running(g)};
	if (r->has_warp && watched_is_over(&run)) {
		stepped(&run, 0, r->warp_index, 0);
		return;
	}
	while (!watched_is_there(&run) && run_some(&run))
		;
}

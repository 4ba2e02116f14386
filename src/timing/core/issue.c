/* Issue: each scheduler tries its warps in order; the first that can issue does, and executes functionally at once.
 *
 * A stop in front of an instruction lies inside a cycle. What the stage has done so far in this cycle is in core_state (in_issue,
 * scheduler, turn ...), so the next call resumes with the same instruction. Source: GPGPU-Sim manual "Issue", behaviour of 3.2.2. */
#include <string.h>

#include "exec/pending.h"
#include "timing/core/front.h"
#include "timing/ldst/ldst.h"

enum attempt { ATTEMPT_OVER, ATTEMPT_ISSUED, ATTEMPT_STOPPED };

/* ---- executing ---- */

static inline __attribute__((always_inline)) bool execute(struct core *c, const struct core_warp *w)
{
	struct exec *x = c->t->exec;
	struct exec_cta *cta = &c->t->cta[w->cta_slot];
	if (!x->launch || x->launch->id != cta->launch)
		exec_enter(x, c->t->launch(c->t->gpu, cta->launch));
	x->effect.access.lanes = 0;
	enum exec_status status = exec_step(x, cta, w->index);
	c->t->status = status;
	c->t->s->changes += x->n_stores;
	x->n_warp_insns = x->n_thread_insns = x->n_stores = 0;
	return status != EXEC_MARK && status != EXEC_ACCESS && status != EXEC_FAULT;
}

bool front_execute(struct core *c, const struct core_warp *w) { return execute(c, w); }

void front_note_exits(struct core *c, uint32_t warp, const struct exec_warp *e, uint32_t exited_before)
{
	if (e->exited == exited_before)
		return;
	c->warp[warp].done = e->exited == e->lanes;
	front_flush(c, warp);
}

__attribute__((noinline)) void front_note_barriers(struct core *c, uint32_t slot)
{
	const struct core_cta *cta = &c->s->cta[slot];
	const struct exec_cta *e = &c->t->cta[cta->cta_slot];
	uint32_t waiting = 0;
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		struct core_warp *w = &c->warp[cta->first_warp + k];
		bool waits = e->warp[k].state == EXEC_WARP_BARRIER;
		waiting += waits;
		if ((w->waits & CORE_AT_BARRIER) == waits)
			continue;
		w->waits = (uint8_t)((w->waits & ~CORE_AT_BARRIER) | waits);
		front_update(c, cta->first_warp + k);
	}
	if (waiting && waiting + e->n_done == e->n_warps)
		c->t->s->stuck = true;
}

static __attribute__((noinline)) void note_atomic(struct core *c, uint32_t warp, struct inst *i)
{
	struct core_warp *w = &c->warp[warp];
	if (!i->active)
		return;
	w->atomics += (uint16_t)lanes_count(i->active);
	i->effect = c->t->exec->effect.pending;
	exec_pending_join(c->t->exec, &w->pending, i->effect);
}

static bool is_long_operation(const struct timing_insn *ti, const struct inst *i)
{
	if (ti->class != TIMING_LOAD)
		return false;
	unsigned space = i->space != ISA_SPACE_GENERIC ? i->space : ti->space;
	return space == ISA_SPACE_GLOBAL || space == ISA_SPACE_LOCAL || space == ISA_SPACE_PARAM ||
	       space == TIMING_SPACE_TEXTURE || space == ISA_SPACE_GENERIC;
}

static void reserve(struct core *c, uint32_t warp, const struct timing_insn *ti, const struct inst *i)
{
	if (ti->n_out)
		scoreboard_reserve(c, warp, ti, is_long_operation(ti, i));
}

/* -enable_ptx_file_line_stats. */
static __attribute__((noinline, cold)) void note_line(struct core *c, const struct inst *i, const struct exec_warp *e,
						      uint32_t depth)
{
	const enum timing_class class = core_insn(c, i)->class;
	const bool branches = class != TIMING_CALL && class != TIMING_RET && e->n_simt;
	timing_count_issue(c->t, i,
			   &(struct timing_step){.branches = branches,
						 .depth_before = depth,
						 .depth = e->n_simt,
						 .mask = e->n_simt ? exec_simt_top(c->t->exec, e)->mask : 0,
						 .exited = e->exited});
}

uint32_t front_new_inst(struct core *c, uint32_t warp, uint32_t pc, uint32_t issue_mask, uint64_t now)
{
	const struct core_warp *w = &c->warp[warp];
	const uint32_t k = core_new_inst(c);
	c->inst[k] = (struct inst){
		.uid = c->t->s->next_inst_uid++,
		.issued = now,
		.dynamic_warp = w->dynamic_id,
		.pc = pc,
		.issue_mask = issue_mask,
		.active = c->t->exec->mask,
		.warp = (uint16_t)warp,
		.dispatch = c->program->insns[pc].initiation,
		.used = true,
	};
	return k;
}

/* Issues the warp's next instruction to a unit with a free pipeline register. Returns false if the machine stopped in front of it. */
static bool issue(struct core *c, uint32_t warp, struct exec_warp *e, const struct timing_insn *ti,
		  unsigned unit, uint64_t now)
{
	struct core_warp *w = &c->warp[warp];
	const struct exec_simt *top = exec_simt_top(c->t->exec, e);
	const uint32_t exited = e->exited, depth = e->n_simt, issue_mask = top->mask;
	if (!execute(c, w))
		return false;
	const uint32_t k = front_new_inst(c, warp, w->ibuffer[w->next].pc, issue_mask, now);
	struct inst *i = &c->inst[k];
	w->ibuffer[w->next].valid = false;
	w->n_issued++;
	c->stats->occupancy[lanes_count(issue_mask)]++;
	if (ti->is_atomic)
		note_atomic(c, warp, i);
	if (ti->class == TIMING_LOAD || ti->class == TIMING_STORE)
		ldst_make_accesses(c, i, &c->t->exec->effect.access);
	front_note_exits(c, warp, e, exited);
	if (ti->class == TIMING_BARRIER || e->exited != exited)
		front_note_barriers(c, w->cta);
	if (ti->class == TIMING_MEMBAR)
		w->membar = true;
	reserve(c, warp, ti, i);
	w->fetch_pc = i->pc + 1;
	pipe_put(&c->s->pipes, PIPE_IN(unit), k);
	if (ti->is_atomic || ti->class == TIMING_BARRIER || ti->class == TIMING_MEMBAR || e->exited != exited)
		front_update(c, warp);
	else
		front_issued(c->s, warp, !w->ibuffer[w->next ^ 1].valid);
	if (c->t->line)
		note_line(c, i, e, depth);
	if (c->t->log_issue)
		c->t->log_issue(c->t->log_self, c, i);
	if (c->t->observer.on_issue)
		c->t->observer.on_issue(c->t->observer.self, c, k, now);
	return true;
}

/* ---- one instruction ---- */

/* Adds a warp to those that starve of the pipeline registers of a unit; instructions of several kinds of units have more than one chance. */
static void note_starving(struct core_state *s, uint32_t warp, core_unit_set units)
{
	const uint64_t bit = UINT64_C(1) << warp;
	if (units & (units - 1))
		return;
	s->starved[__builtin_ctz(units)] |= bit;
	s->starving |= bit;
}

static __attribute__((noinline)) enum attempt redirect(struct core *c, uint32_t warp, uint32_t pc)
{
	c->warp[warp].fetch_pc = pc;
	front_flush(c, warp);
	return ATTEMPT_OVER;
}

static bool is_watched(const struct core *c, const struct core_warp *w)
{
	const struct timing_watch *t = &c->t->watch;
	return t->on && w->cta_slot == t->cta_slot && w->index == t->warp;
}

/* An instruction of an observed warp is about to issue: stores are compared with what they replace, and front_stops_after is called. */
static __attribute__((noinline, cold)) void begin_observed(struct timing *t)
{
	t->observed = (struct timing_observed){.on = true, .changes = t->s->changes};
	t->asks = true;
	exec_set_needs(t->exec, EXEC_PART_ISSUE, EXEC_NEED_COMPARE);
}

__attribute__((noinline, cold)) void front_end_observed(struct timing *t)
{
	if (!t->observed.on)
		return;
	t->observed.on = false;
	exec_set_needs(t->exec, EXEC_PART_ISSUE, 0);
	timing_ask(t);
}

__attribute__((noinline, cold)) bool front_stops_before(struct core *c, const struct core_warp *w)
{
	struct timing *t = c->t;
	if (t->before_issue)
		t->before_issue(t->gpu, w->cta_slot, w->index);
	if (t->watch.look)
		t->watch.look(t->gpu, w->cta_slot, w->index, t->at.pc);
	if (front_exec_warp(c, w)->waiting)
		begin_observed(t);
	const bool watched = is_watched(c, w), at_front = t->stop_front && t->stop_front == t->s->next_inst_uid,
		   marked = watched && t->watch.marks && t->watch.marks[t->at.pc] && !t->exec->pass;
	if (!(watched && !t->watch.left) && !at_front && !marked)
		return false;
	t->status = marked && !at_front && t->watch.left ? EXEC_MARK : EXEC_BUDGET;
	return true;
}

__attribute__((noinline, cold)) bool front_stops_after(struct core *c, const struct core_warp *w)
{
	struct timing *t = c->t;
	if (t->observed.on) {
		front_end_observed(t);
		t->on_observed(t->gpu, w->cta_slot, w->index, t->at.pc, t->s->changes != t->observed.changes);
	}
	if (is_watched(c, w))
		t->watch.left--;
	if (!t->one && !(t->stop_after && t->stop_after == t->s->next_inst_uid))
		return false;
	t->one = false;
	t->stopped = TIMING_AFTER;
	return true;
}

static enum attempt try_next(struct core *c, struct issue_turn *t, uint64_t now)
{
	const uint32_t warp = t->warp;
	struct core_warp *w = &c->warp[warp];
	struct core_state *s = c->s;
	const struct ibuffer_entry *b = &w->ibuffer[w->next];
	if (!b->valid)
		return ATTEMPT_OVER;
	struct exec_warp *e = front_exec_warp(c, w);
	const uint32_t pc = exec_simt_top(c->t->exec, e)->pc;
	if (b->pc != pc)
		return redirect(c, warp, pc);
	t->seen_valid = true;
	const struct timing_insn *ti = &c->program->insns[pc];
	if (scoreboard_collides(c, warp, ti)) {
		s->blocked |= UINT64_C(1) << warp;
		return ATTEMPT_OVER;
	}
	t->seen_ready = true;
	const uint32_t units = pipes_in_free(&s->pipes, ti->units); /* where it can go now */
	if (!units) {
		note_starving(s, warp, ti->units);
		return ATTEMPT_OVER;
	}
	c->t->at.core = c->id;
	c->t->at.cta_slot = w->cta_slot;
	c->t->at.warp = w->index;
	c->t->at.pc = pc;
	if ((__builtin_expect(c->t->asks, 0) && front_stops_before(c, w)) || !issue(c, warp, e, ti, (unsigned)__builtin_ctz(units), now)) {
		if (__builtin_expect(c->t->observed.on, 0))
			front_end_observed(c->t);
		c->t->stopped = TIMING_IN_FRONT;
		return ATTEMPT_STOPPED;
	}
	t->seen_issued = true;
	w->next ^= 1;
	return ATTEMPT_ISSUED;
}

/* ---- one warp, one scheduler ---- */

/* Issues up to max_issue instructions of a warp. Returns false if the machine stopped. */
static bool try_warp(struct core *c, struct issue_turn *t, uint64_t now)
{
	struct core_state *s = c->s;
	const uint32_t most = c->cfg->max_issue, warp = t->warp;
	while (s->issued < most && s->runnable >> warp & 1) {
		enum attempt a = try_next(c, t, now);
		if (a != ATTEMPT_ISSUED)
			return a == ATTEMPT_OVER;
		c->stats->warp_issue[warp] += ++s->issued;
		if (__builtin_expect(c->t->asks, 0) && front_stops_after(c, &c->warp[warp]))
			return false;
	}
	return true;
}

static void account(struct core *c, const struct issue_turn *t)
{
	if (t->seen_issued)
		return;
	if (!t->seen_valid)
		c->stats->w0_idle++;
	else if (!t->seen_ready)
		c->stats->w0_scoreboard++;
	else
		c->stats->stall++;
}

uint64_t front_starving(const struct core *c)
{
	const struct core_state *s = c->s;
	uint64_t warps = 0;
	if (!s->starving)
		return 0;
	for (uint32_t full = s->pipes.full & ((1u << CORE_UNITS_MAX) - 1); full; full &= full - 1)
		warps |= s->starved[__builtin_ctz(full)];
	return warps;
}

static enum timing_turn outcome(const struct issue_turn *t)
{
	if (t->seen_issued)
		return TURN_ISSUED;
	if (!t->seen_valid)
		return TURN_IDLE;
	return t->seen_ready ? TURN_PIPELINE : TURN_SCOREBOARD;
}

/* Reports to the observer of turns that a turn begins. */
static __attribute__((noinline, cold)) void tell_begun(struct core *c)
{
	if (c->t->observer.on_turn)
		c->t->observer.on_turn(c->t->observer.self, c, c->s->scheduler, TURN_BEGINS, 0, 1);
}

/* Clears the state of a turn, as in a core that sleeps, and reports its outcome to the observer of turns. */
static __attribute__((noinline)) void end_turn(struct core *c, const struct issue_turn *t)
{
	memset(c->s->order, 0, sizeof c->s->order);
	if (c->t->observer.on_turn)
		c->t->observer.on_turn(c->t->observer.self, c, c->s->scheduler, outcome(t), t->warp, 1);
}

/* Returns true, and counts the turn, if the sets show that no warp can be tried: half of all turns. */
static bool has_none_open(const struct core *c)
{
	const struct core_state *s = c->s;
	const uint64_t runs = s->runnable & c->scheduler[s->scheduler].mine;
	if (c->t->turns || runs & ~s->blocked)
		return false;
	*(runs ? &c->stats->w0_scoreboard : &c->stats->w0_idle) += 1;
	return true;
}

static void begin_turn(struct core *c, struct issue_turn *t)
{
	struct core_state *s = c->s;
	*t = (struct issue_turn){.left = 0};
	if (c->t->turns) {
		tell_begun(c);
		if (c->t->lists) {
			/* those that look at some of the warps only have to test them one by one */
			t->n_order = scheduler_candidates(c, s->scheduler, s->order, &t->seen_valid);
			return;
		}
	}
	const uint64_t runs = s->runnable & c->scheduler[s->scheduler].mine, open = runs & ~s->blocked;
	const uint64_t starved = open ? front_starving(c) & open : 0;
	t->seen_valid = open != runs || starved;
	t->seen_ready = starved != 0;
	t->left = open & ~starved;
}

/* Stores the next warp to try in t->warp. Returns false if there is none. */
static bool next_warp(struct core *c, struct issue_turn *t)
{
	struct core_state *s = c->s;
	if (c->t->lists) {
		if (t->position == t->n_order)
			return false;
		t->warp = s->order[t->position++];
	} else {
		if (!t->left)
			return false;
		t->warp = scheduler_first(c, s->scheduler, t->left);
		t->left &= ~(UINT64_C(1) << t->warp);
	}
	s->issued = 0;
	return t->trying = true;
}

/* Runs a scheduler's turn, or resumes it. Returns false if the machine stops inside the turn, which is kept. */
static bool run_scheduler(struct core *c, bool resumed, uint64_t now)
{
	struct core_state *s = c->s;
	struct issue_turn t;
	if (resumed)
		t = s->turn;
	else if (has_none_open(c))
		return true;
	else
		begin_turn(c, &t);
	while (t.trying || next_warp(c, &t)) {
		if (!try_warp(c, &t, now)) {
			s->turn = t;
			return false;
		}
		t.trying = false;
		if (s->issued) {
			scheduler_issued(c, s->scheduler, t.warp);
			break;
		}
	}
	account(c, &t);
	if (c->t->turns)
		end_turn(c, &t);
	if (resumed) /* the state shall not show that the machine has stopped */
		s->turn = (struct issue_turn){.left = 0};
	return true;
}

bool front_issue(struct core *c, uint64_t now)
{
	struct core_state *s = c->s;
	const uint32_t n = c->cfg->schedulers;
	bool resumed = s->in_issue;
	if (!resumed)
		s->scheduler = s->first_scheduler;
	s->in_issue = true;
	do {
		if (!run_scheduler(c, resumed, now))
			return false;
		resumed = false;
		s->scheduler = s->scheduler + 1 < n ? s->scheduler + 1 : 0;
	} while (s->scheduler != s->first_scheduler);
	s->in_issue = false;
	front_turn_schedulers(c, 1);
	return true;
}

void front_turn_schedulers(struct core *c, uint64_t cycles)
{
	if (c->cfg->rules.schedulers_take_turns)
		c->s->first_scheduler = (uint32_t)((c->s->first_scheduler + cycles) % c->cfg->schedulers);
}

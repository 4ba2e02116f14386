/* A cycle of the textbook core: each free scheduler issues from the first warp, in the order of its policy, whose next instruction can issue, and with
 * issue width 2 perhaps the instruction behind it. What an instruction does happens in the cycle in which it issues. */
#include "timing/core/textbook.h"

#include <string.h>

#include "timing/common/valid.h"
#include "timing/core/front.h"

#define NO_WARP UINT32_MAX

const char *const textbook_policy_names[] = {"round robin", "lowest slot", "most issued", "fewest issued"};

/* ---- registers ---- */

static uint64_t *ready_of(const struct core *c, uint32_t warp) { return c->scoreboard + (uint64_t)warp * c->sb_words; }

uint64_t textbook_ready(const struct core *c, uint32_t warp, uint32_t reg) { return reg < c->sb_words ? ready_of(c, warp)[reg] : 0; }

uint64_t textbook_present(const struct core *c) { return c->textbook->now + !c->s->in_issue; }

uint32_t textbook_next_pending(const struct core *c, uint32_t warp, uint32_t from)
{
	const uint64_t *ready = ready_of(c, warp);
	for (uint32_t reg = from; reg < c->sb_words; reg++)
		if (ready[reg] > textbook_present(c))
			return reg;
	return UINT32_MAX;
}

static bool registers_are_ready(const struct core *c, uint32_t warp, const struct timing_insn *ti, uint64_t now)
{
	const uint64_t *ready = ready_of(c, warp);
	for (unsigned k = 0; k < ti->n_check; k++)
		if (ready[ti->check[k]] > now)
			return false;
	return true;
}

static void set_ready(struct core *c, uint32_t warp, const struct timing_insn *ti, uint64_t at)
{
	uint64_t *ready = ready_of(c, warp);
	for (unsigned k = 0; k < ti->n_out; k++)
		ready[ti->out[k]] = at;
}

/* ---- which warp ---- */

static bool has_next(const struct core *c, uint32_t warp, uint32_t *pc)
{
	const struct core_warp *w = &c->warp[warp];
	if (!w->used || w->done || w->waits)
		return false;
	*pc = exec_simt_top(c->t->exec, front_exec_warp(c, w))->pc;
	return *pc < c->program->n;
}

static bool can_issue(const struct core *c, uint32_t warp, uint64_t now)
{
	uint32_t pc;
	return has_next(c, warp, &pc) && c->textbook->wait[warp] <= now && registers_are_ready(c, warp, &c->program->insns[pc], now);
}

/* Returns the place of a warp in the order in which its scheduler looks; the smallest is first. */
static uint64_t rank_of(const struct core *c, uint32_t scheduler, uint32_t warp)
{
	const struct scheduler_state *s = &c->scheduler[scheduler];
	const uint64_t n = c->warp[warp].n_issued;
	switch (c->cfg->textbook.policy) {
	case TEXTBOOK_ROUND_ROBIN: return s->has_last && warp <= s->last ? warp + TEXTBOOK_WARPS_MAX : warp;
	case TEXTBOOK_AHEAD: return ~n << 6 | warp;
	case TEXTBOOK_BEHIND: return n << 6 | warp;
	case TEXTBOOK_LOWEST: break;
	}
	return warp;
}

static uint32_t choose_warp(const struct core *c, uint32_t scheduler, uint64_t now)
{
	uint32_t best = NO_WARP;
	for (uint64_t left = c->scheduler[scheduler].mine & c->s->live; left; left &= left - 1) {
		const uint32_t warp = (uint32_t)__builtin_ctzll(left);
		if (can_issue(c, warp, now) && (best == NO_WARP || rank_of(c, scheduler, warp) < rank_of(c, scheduler, best)))
			best = warp;
	}
	return best;
}

enum textbook_wait textbook_waits(const struct core *c, uint32_t warp, uint32_t pc)
{
	const struct textbook_state *x = c->textbook;
	const uint64_t next = textbook_present(c);
	if (x->wait[warp] > next)
		return TEXTBOOK_LATENCY;
	if (pc < c->program->n && !registers_are_ready(c, warp, &c->program->insns[pc], next))
		return TEXTBOOK_REGISTER;
	return x->free[warp % c->cfg->schedulers] > next ? TEXTBOOK_DISPATCH : TEXTBOOK_READY;
}

/* ---- pairs ---- */

/* Returns the kind of the units that execute an instruction. */
static enum textbook_kind units_of(const struct textbook_config *k, const struct timing_insn *ti)
{
	return ti->kind == TEXTBOOK_INT32 && !k->units[TEXTBOOK_INT32] ? TEXTBOOK_FP32 : (enum textbook_kind)ti->kind;
}

static bool has_register(const uint32_t *list, unsigned n, uint32_t reg)
{
	for (unsigned k = 0; k < n; k++)
		if (list[k] == reg)
			return true;
	return false;
}

/* Returns true if instruction j neither touches what i writes nor writes what i reads. */
static bool is_independent(const struct timing_insn *i, const struct timing_insn *j)
{
	for (unsigned k = 0; k < i->n_out; k++)
		if (has_register(j->check, j->n_check, i->out[k]))
			return false;
	for (unsigned k = 0; k < j->n_out; k++)
		if (has_register(i->check, i->n_check, j->out[k]))
			return false;
	return true;
}

/* Returns true if two schedulers share a third of the FP32 units: 192 units of four, 48 units of two. */
static bool shares_units(const struct core_config *cfg)
{
	const uint32_t units = cfg->textbook.units[TEXTBOOK_FP32];
	return (units == 192 && cfg->schedulers == 4) || (units == 48 && cfg->schedulers == 2);
}

static bool has_two_sets(const struct core_config *cfg, enum textbook_kind kind) { return cfg->textbook.units[kind] >= 64 * cfg->schedulers; }

/* Returns true if the units let a scheduler issue i and j in cycle `now`. Sets *shared if the pair takes the units that two schedulers share. */
static bool units_allow(const struct core *c, const struct timing_insn *i, const struct timing_insn *j, uint64_t now, bool *shared)
{
	const struct textbook_config *k = &c->cfg->textbook;
	const enum textbook_kind a = units_of(k, i), b = units_of(k, j);
	*shared = false;
	switch (k->pairs) {
	case TEXTBOOK_PAIRS_ANY: return a != b || has_two_sets(c->cfg, a);
	case TEXTBOOK_PAIRS_INT32: return (i->kind == TEXTBOOK_INT32) != (j->kind == TEXTBOOK_INT32);
	case TEXTBOOK_PAIRS_FP32: break;
	}
	if (a != TEXTBOOK_FP32 || b != TEXTBOOK_FP32)
		return false;
	if (has_two_sets(c->cfg, TEXTBOOK_FP32))
		return true;
	*shared = shares_units(c->cfg) && c->textbook->shared_free[c->s->scheduler / 2] <= now;
	return *shared;
}

/* Returns true if the instruction behind the one that has issued issues with it. Sets *shared as units_allow does. */
static bool pairs_with_next(struct core *c, uint64_t now, bool *shared)
{
	const struct textbook_turn *t = &c->textbook->turn;
	const struct timing_insn *i = &c->program->insns[t->pc];
	uint32_t pc;
	*shared = false;
	if (c->cfg->textbook.issue_width < 2 || i->kind == TEXTBOOK_CONTROL || t->ends_path || !has_next(c, t->warp, &pc) || pc != t->pc + 1)
		return false;
	const struct timing_insn *j = &c->program->insns[pc];
	return j->kind != TEXTBOOK_CONTROL && registers_are_ready(c, t->warp, j, now) && is_independent(i, j) && units_allow(c, i, j, now, shared);
}

/* ---- issue ---- */

static void at_least(uint64_t *to, uint64_t value)
{
	if (*to < value)
		*to = value;
}

/* Releases warps of a block that have left a barrier since `waited`, a bit for each warp of the core. */
static void release(struct core *c, uint64_t waited, uint64_t now)
{
	for (; waited; waited &= waited - 1) {
		const uint32_t warp = (uint32_t)__builtin_ctzll(waited);
		if (!(c->warp[warp].waits & CORE_AT_BARRIER))
			at_least(&c->textbook->wait[warp], now + 1);
	}
}

static uint64_t warps_at_barriers(const struct core *c)
{
	uint64_t warps = 0;
	for (uint64_t left = c->s->live; left; left &= left - 1)
		warps |= c->warp[__builtin_ctzll(left)].waits & CORE_AT_BARRIER ? left & -left : 0;
	return warps;
}

/* Retires the warps that are done. */
static void retire_done(struct core *c, uint64_t now)
{
	for (uint64_t left = c->s->live; left; left &= left - 1) {
		const uint32_t warp = (uint32_t)__builtin_ctzll(left);
		if (c->warp[warp].done)
			front_retire(c, warp, now);
	}
}

/* Where a warp stands before an instruction, to see what the instruction did to its path. */
struct path {
	uint32_t depth, mask, exited;
};

static struct path path_of(const struct core *c, const struct exec_warp *e)
{
	return (struct path){e->n_simt, exec_simt_top(c->t->exec, e)->mask, e->exited};
}

/* Returns true if the path that the warp was on has ended at its reconvergence point. */
static bool has_reconverged(const struct path *before, const struct exec_warp *e)
{
	return e->n_simt < before->depth && before->mask & ~e->exited;
}

/* The registers of an activation that has just begun have not been written. */
static void begin_activation(struct core *c, uint32_t warp, uint32_t pc)
{
	const struct timing_registers *r = timing_registers_of(c->program, pc);
	for (uint32_t reg = r ? r->first : 0; r && reg < r->end && reg < c->sb_words; reg++)
		ready_of(c, warp)[reg] = 0;
}

/* Returns true if the instruction is a branch, a call or a return after which lanes of its path go on. */
static bool goes_elsewhere(const struct timing_insn *ti, const struct path *before, const struct exec_warp *e)
{
	return ti->class == TIMING_BRANCH || ti->class == TIMING_CALL || (ti->class == TIMING_RET && before->mask & ~e->exited);
}

/* Updates registers and waits after an instruction has executed. */
static void take_time(struct core *c, uint32_t warp, const struct timing_insn *ti, const struct path *before, uint64_t now)
{
	struct textbook_state *x = c->textbook;
	const struct exec_warp *e = front_exec_warp(c, &c->warp[warp]);
	const bool reconverged = has_reconverged(before, e);
	set_ready(c, warp, ti, now + ti->latency);
	at_least(&x->until, now + (ti->n_out && ti->latency > ti->initiation ? ti->latency : ti->initiation));
	if (goes_elsewhere(ti, before, e))
		at_least(&x->wait[warp], now + ti->latency);
	if (reconverged)
		at_least(&x->wait[warp], now + ti->path_latency);
	x->turn.ends_path = reconverged;
}

/* Tells observers and statistics of an instruction that has issued. */
static void report(struct core *c, uint32_t inst, const struct timing_insn *ti, uint64_t now)
{
	struct timing *t = c->t;
	const struct inst *i = &c->inst[inst];
	if (t->log_issue)
		t->log_issue(t->log_self, c, i);
	if (t->observer.on_issue)
		t->observer.on_issue(t->observer.self, c, inst, now);
	core_complete(c, i, now + (ti->n_out ? ti->latency : ti->initiation));
	core_free_inst(c, inst);
}

/* Issues a warp's next instruction. Returns false if the machine stopped in front of it. */
static bool issue(struct core *c, uint32_t warp, uint64_t now)
{
	struct core_warp *w = &c->warp[warp];
	struct exec_warp *e = front_exec_warp(c, w);
	const struct path before = path_of(c, e);
	const uint32_t pc = exec_simt_top(c->t->exec, e)->pc;
	const struct timing_insn *ti = &c->program->insns[pc];
	c->t->at = (struct timing_place){c->id, w->cta_slot, w->index, pc};
	if ((c->t->asks && front_stops_before(c, w)) || !front_execute(c, w)) {
		front_end_observed(c->t);
		c->t->stopped = TIMING_IN_FRONT;
		return false;
	}
	const uint64_t waited = warps_at_barriers(c);
	const uint32_t inst = front_new_inst(c, warp, pc, before.mask, now);
	w->n_issued++;
	c->stats->occupancy[lanes_count(before.mask)]++;
	front_note_exits(c, warp, e, before.exited);
	if (ti->class == TIMING_BARRIER || e->exited != before.exited)
		front_note_barriers(c, w->cta);
	release(c, waited, now);
	take_time(c, warp, ti, &before, now);
	if (ti->class == TIMING_CALL && e->n_simt > before.depth)
		begin_activation(c, warp, exec_simt_top(c->t->exec, e)->pc);
	report(c, inst, ti, now);
	c->textbook->turn.pc = pc;
	return true;
}

/* ---- the turn of a scheduler, the cycle ---- */

static void tell(struct core *c, enum timing_turn what, uint32_t warp)
{
	if (c->t->observer.on_turn)
		c->t->observer.on_turn(c->t->observer.self, c, c->s->scheduler, what, warp, 1);
}

static void end_turn(struct core *c, enum timing_turn what)
{
	struct textbook_state *x = c->textbook;
	if (what == TURN_ISSUED)
		scheduler_issued(c, c->s->scheduler, x->turn.warp);
	tell(c, what, x->turn.warp);
	c->s->issued = 0;
	x->turn = (struct textbook_turn){0};
}

/* Returns true if a warp of the scheduler waits for something other than a barrier. */
static bool has_waiting_warp(const struct core *c)
{
	bool waits = false;
	for (uint64_t left = c->scheduler[c->s->scheduler].mine & c->s->live; left; left &= left - 1)
		waits |= !(c->warp[__builtin_ctzll(left)].waits & CORE_AT_BARRIER);
	return waits;
}

/* Ends a turn in which nothing issued. */
static void end_idle(struct core *c, bool dispatches)
{
	struct core_stats *n = c->stats;
	const bool waits = !dispatches && has_waiting_warp(c);
	*(dispatches ? &n->stall : waits ? &n->w0_scoreboard : &n->w0_idle) += 1;
	end_turn(c, dispatches ? TURN_PIPELINE : waits ? TURN_SCOREBOARD : TURN_IDLE);
}

/* Returns the warp whose turn it is. Returns NO_WARP if nothing can issue, and the turn has ended. */
static uint32_t begin_turn(struct core *c, uint64_t now)
{
	struct textbook_state *x = c->textbook;
	const bool dispatches = x->free[c->s->scheduler] > now;
	if (!x->turn.has_begun)
		tell(c, TURN_BEGINS, 0);
	x->turn.has_begun = true;
	const uint32_t warp = dispatches ? NO_WARP : choose_warp(c, c->s->scheduler, now);
	if (warp == NO_WARP)
		end_idle(c, dispatches);
	return warp;
}

/* Issues the turn's first instruction, or its second. Returns false if the machine stopped in front of it. */
static bool issue_for_turn(struct core *c, uint32_t warp, uint64_t now)
{
	struct textbook_state *x = c->textbook;
	if (!issue(c, warp, now))
		return false;
	at_least(&x->free[c->s->scheduler], now + c->program->insns[x->turn.pc].initiation);
	c->s->issued = x->turn.is_open ? 2 : 1;
	c->stats->warp_issue[warp] += c->s->issued;
	return true;
}

static bool stops_behind(struct core *c, uint32_t warp) { return c->t->asks && front_stops_after(c, &c->warp[warp]); }

/* Issues the first instruction of a turn. Returns false if the machine stopped. */
static bool issue_first(struct core *c, uint64_t now)
{
	struct textbook_state *x = c->textbook;
	const uint32_t warp = begin_turn(c, now);
	if (warp == NO_WARP)
		return true;
	if (!issue_for_turn(c, warp, now))
		return false;
	x->turn.warp = (uint8_t)warp;
	x->turn.is_open = true;
	return !stops_behind(c, warp);
}

/* Issues the second instruction of a turn if the two make a pair, and ends the turn. Returns false if the machine stopped. */
static bool issue_second(struct core *c, uint64_t now)
{
	struct textbook_state *x = c->textbook;
	const uint32_t warp = x->turn.warp, first = x->turn.pc;
	bool shared;
	if (!pairs_with_next(c, now, &shared)) {
		end_turn(c, TURN_ISSUED);
		return true;
	}
	if (!issue_for_turn(c, warp, now))
		return false;
	if (shared)
		x->shared_free[c->s->scheduler / 2] = now + c->program->insns[first].initiation;
	end_turn(c, TURN_ISSUED);
	return !stops_behind(c, warp);
}

/* Runs the turn of a scheduler, or resumes it. Returns false if the machine stopped. */
static bool run_turn(struct core *c, uint64_t now)
{
	const struct textbook_turn *t = &c->textbook->turn;
	if (!t->is_open && !issue_first(c, now))
		return false;
	return !t->is_open || issue_second(c, now);
}

bool textbook_cycle(struct core *c, uint64_t now)
{
	struct core_state *s = c->s;
	if (!s->in_issue) {
		c->stats->cycles++;
		c->textbook->now = now;
		s->scheduler = 0;
		s->in_issue = true;
	}
	while (s->scheduler < c->cfg->schedulers) {
		const bool goes_on = run_turn(c, now);
		if (!c->textbook->turn.has_begun) /* it has ended */
			s->scheduler++;
		if (!goes_on)
			return false;
	}
	s->scheduler = 0;
	s->in_issue = false;
	retire_done(c, now);
	if (c->t->observer.on_cycle)
		c->t->observer.on_cycle(c->t->observer.self, c, now);
	return true;
}

/* ---- blocks and launches ---- */

void textbook_placed(struct core *c, uint32_t slot, uint64_t now)
{
	const struct core_cta *cta = &c->s->cta[slot];
	for (uint32_t k = 0; k < cta->n_warps; k++) {
		const uint32_t warp = cta->first_warp + k;
		c->textbook->wait[warp] = now;
		memset(ready_of(c, warp), 0, c->sb_words * sizeof(uint64_t));
	}
}

void textbook_restart(struct core *c)
{
	for (uint32_t k = 0; k < c->cfg->schedulers; k++) {
		c->scheduler[k].has_last = false;
		c->scheduler[k].last = 0;
	}
}

bool textbook_is_valid(const struct core *c)
{
	const struct textbook_turn *t = &c->textbook->turn;
	return VALID_BOOL(t->is_open) && VALID_BOOL(t->ends_path) && VALID_BOOL(t->has_begun) && t->warp < c->cfg->n_warps &&
	       (!t->is_open || (t->has_begun && t->pc < c->program->n)) && (!t->has_begun || c->s->in_issue);
}

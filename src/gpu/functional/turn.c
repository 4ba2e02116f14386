/* Functional mode: observes warps that may wait (wait.h), and chooses a warp when only waiting warps are left.
 *
 * Observing costs some ten times as much as running, so it is done where it is likely to find something: in the first instructions of a turn
 * of a warp in a loop that may wait by its code (wait_code.c) or in which one has waited before, and of a warp that is resumed after a wait.
 * What was observed in vain is observed again after twice as many occasions. All of it is state of the arena, and doesn't depend on how a run
 * is cut into requests. */
#include <string.h>

#include "gpu/functional/functional.h"
#include "gpu/wait/prove.h"
#include "gpu/wait/wait.h"
#include "gpu/wait/paths.h"

#define FIRST_LOOK 64u	  /* instructions into a turn after which a warp may be observed, if it hasn't changed memory; then after 128, 256 and so on */
#define FIRST_STEPS 128u  /* instructions that a round may take in the first observation, */
#define MOST_STEPS 8192u  /* at most, */
#define RESUMED_STEPS 1024u /* and after a wait */
#define SKIP_AFTER_FAIL 64u
#define SKIP_OTHER 16u	  /* occasions let pass at first where the code doesn't look like a wait */
#define LENT_MOST 8u
#define BLIND_FIRST 4u	  /* turns without a change of memory after which a loop that reads nothing is looked at */
#define BLIND_EVERY 64u

static struct exec_warp *warp_at(const struct gpu *g, uint32_t slot, uint32_t warp) { return &gpu_cta_at(g, slot)->warp[warp]; }

/* ---- rules: how often is observed ---- */

void turn_begin(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	memset(s->look, 0, sizeof s->look);
	s->look[GPU_LOOK_OTHER].skip = SKIP_OTHER;
	s->n_known = 0;
}

static uint32_t known_at(const struct gpu_state *s, uint32_t pc)
{
	for (uint32_t k = 0; k < s->n_known && k < GPU_KNOWN_WAITS; k++)
		if (pc >= s->look[GPU_LOOK_KNOWN + k].first && pc <= s->look[GPU_LOOK_KNOWN + k].last)
			return GPU_LOOK_KNOWN + k;
	return GPU_LOOK_NONE;
}

/* The rule for what the warp executes now: its callers may be in the loop. */
static uint32_t rule_of(const struct gpu *g, const struct exec_warp *w)
{
	const struct exec_simt *s = arena_at(&g->arena, g->exec.sec_simt, w->simt);
	const uint32_t known = known_at(gpu_state(g), s[w->n_simt - 1].pc);
	if (known != GPU_LOOK_NONE)
		return known;
	for (uint32_t e = w->n_simt; e-- > 0;)
		if (wait_code_at(g, s[e].pc))
			return GPU_LOOK_LIKELY;
	return GPU_LOOK_OTHER;
}

static uint32_t steps_by(const struct gpu_look_rule *rule, uint32_t number)
{
	if (number >= GPU_LOOK_KNOWN)
		return MOST_STEPS;
	return rule->fails < 6 ? FIRST_STEPS << rule->fails : MOST_STEPS;
}

static void note_failure(struct gpu *g, uint32_t number)
{
	struct gpu_look_rule *rule = &gpu_state(g)->look[number < GPU_LOOK_RULES ? number : 0];
	if (number >= GPU_LOOK_NONE)
		return;
	rule->skip = (number < GPU_LOOK_KNOWN ? SKIP_AFTER_FAIL : 1) << (rule->fails < 6 ? rule->fails : 6);
	rule->fails++;
}

/* A warp waits: its loop is known from now on. */
static void note_success(struct gpu *g, const struct wait_record *r)
{
	struct gpu_state *s = gpu_state(g);
	uint32_t number = known_at(s, r->first);
	if (number == GPU_LOOK_NONE)
		number = GPU_LOOK_KNOWN + s->n_known++ % GPU_KNOWN_WAITS;
	struct gpu_look_rule *rule = &s->look[number];
	const bool is_new = !rule->last;
	*rule = (struct gpu_look_rule){.first = is_new || r->first < rule->first ? r->first : rule->first,
				       .last = r->last_pc > rule->last ? r->last_pc : rule->last};
	if (r->rule < GPU_LOOK_KNOWN)
		s->look[r->rule].fails = s->look[r->rule].skip = 0;
}

/* Starts to observe a warp, if its rule says so. */
static void look(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct gpu_state *s = gpu_state(g);
	struct exec_warp *w = warp_at(g, slot, warp);
	if (w->state != EXEC_WARP_RUNNABLE || w->waiting || w->changed & 1 || w->executed < wait_record_of(g, slot, warp)->next_look)
		return;
	const uint32_t number = rule_of(g, w);
	struct gpu_look_rule *rule = &s->look[number];
	if (rule->skip) {
		rule->skip--;
		return;
	}
	wait_begin(g, slot, warp, number, steps_by(rule, number));
}

/* ---- running ---- */

static uint32_t in_turn(const struct exec_warp *w) { return GPU_QUANTUM - w->quantum; }

uint64_t turn_budget(const struct gpu *g, uint32_t slot, uint32_t warp)
{
	const struct exec_warp *w = warp_at(g, slot, warp);
	if (w->waiting || turn_is_probe(gpu_state(g), slot, warp))
		return 1;
	if (!turn_observes_early(gpu_state(g), gpu_launch_at(g, gpu_cta_at(g, slot)->launch)))
		return GPU_QUANTUM;
	uint32_t next = FIRST_LOOK;
	while (next <= in_turn(w))
		next *= 2;
	return next - in_turn(w);
}

void turn_before(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct exec_warp *w = warp_at(g, slot, warp);
	const bool proves = turn_is_probe(gpu_state(g), slot, warp);
	if (w->waiting >= WAIT_FOUND && !proves) { /* what it has read is something else now */
		wait_end(g, slot, warp);
		wait_begin(g, slot, warp, GPU_LOOK_NONE, RESUMED_STEPS);
	}
	exec_set_needs(&g->exec, EXEC_PART_WAITS, w->waiting || proves ? EXEC_NEED_RECORD | EXEC_NEED_COMPARE : 0);
	g->exec.effect.access.lanes = 0;
	if (proves)
		prove_before(g);
}

/* Returns true if the path that runs was seen to wait, and no memory has changed since. */
static bool has_waited(const struct gpu *g, uint32_t slot, uint32_t warp)
{
	const struct wait_record *r = wait_record_of(g, slot, warp);
	return r->paths && r->epoch == gpu_state(g)->epoch && !(exec_simt_top(&g->exec, warp_at(g, slot, warp))->mask & ~r->paths);
}

/* The path that runs waits. Returns true if the warp does: no other path of it can run. */
static bool all_ways_wait(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const struct exec_cta *c = gpu_cta_at(g, slot);
	const struct exec_warp *w = &c->warp[warp];
	wait_set(g, slot, warp, WAIT_FOUND);
	if (!paths_other_lanes(g, c, w) || wait_record_of(g, slot, warp)->is_proving)
		return true;
	wait_touch_record(g, slot, warp)->stands = false;
	for (uint32_t lanes = wait_lanes(g, slot, warp); paths_switch(g, slot, warp, gpu_state(g)->epoch, lanes); lanes = exec_simt_top(&g->exec, w)->mask) {
		wait_begin_path(g, slot, warp);
		if (!has_waited(g, slot, warp))
			return false;
	}
	wait_set(g, slot, warp, WAIT_FOUND);
	return true;
}

static bool prove(struct gpu *g, uint32_t slot, uint32_t warp, bool changed)
{
	struct exec_warp *w = warp_at(g, slot, warp);
	const bool is_blind = gpu_state(g)->probe.is_blind;
	switch (prove_after(g, changed)) {
	case PROVE_DONE:
		if (is_blind && paths_switch(g, slot, warp, gpu_state(g)->epoch, exec_simt_top(&g->exec, w)->mask)) {
			w->idle_turns = 0; /* another path of the warp runs */
			return false;
		}
		if (is_blind) { /* what it may have read isn't known */
			wait_begin(g, slot, warp, GPU_LOOK_NONE, 0);
			wait_touch_record(g, slot, warp)->has_all_places = false;
		}
		wait_set(g, slot, warp, is_blind ? WAIT_FOREVER : WAIT_FOUND);
		return true;
	case PROVE_FAILED:
		if (is_blind)
			return false;
		if (changed || w->state != EXEC_WARP_RUNNABLE) {
			wait_end(g, slot, warp);
			return false;
		}
		wait_set(g, slot, warp, WAIT_TIMED);
		return true;
	default: return false;
	}
}

bool turn_after(struct gpu *g, uint32_t slot, uint32_t warp, uint64_t n_stores)
{
	struct gpu_state *s = gpu_state(g);
	struct exec_warp *w = warp_at(g, slot, warp);
	if (turn_is_probe(s, slot, warp))
		return prove(g, slot, warp, n_stores);
	if (w->waiting == WAIT_OBSERVED) {
		const uint32_t rule = wait_record_of(g, slot, warp)->rule;
		if (!n_stores && w->state == EXEC_WARP_RUNNABLE && has_waited(g, slot, warp) && !wait_record_of(g, slot, warp)->is_proving)
			return all_ways_wait(g, slot, warp);
		switch (wait_step(g, slot, warp, g->exec.pc, &g->exec.effect.access, n_stores)) {
		case WAIT_IS_FOUND: note_success(g, wait_record_of(g, slot, warp)); return all_ways_wait(g, slot, warp);
		case WAIT_IS_OVER: note_failure(g, rule); return false;
		default: return false;
		}
	}
	if (in_turn(w) >= FIRST_LOOK && !(in_turn(w) & (in_turn(w) - 1)) &&
	    turn_observes_early(s, gpu_launch_at(g, gpu_cta_at(g, slot)->launch))) {
		look(g, slot, warp);
		w->changed &= 2;
	}
	return false;
}

/* A path of the warp has waited, and memory has changed since: it has a turn, too. */
static void change_way(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const struct exec_ways *ways = &paths_of(g, warp_at(g, slot, warp))->paths;
	if (ways->spin_lanes && ways->epoch != gpu_state(g)->epoch)
		paths_switch(g, slot, warp, gpu_state(g)->epoch, 0);
}

static bool is_due(uint64_t turns)
{
	return turns >= BLIND_FIRST && (turns % BLIND_EVERY == 0 || (turns < BLIND_EVERY && !(turns & (turns - 1))));
}

void turn_end(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct exec_warp *w = warp_at(g, slot, warp);
	w->idle_turns = w->changed & 2 ? 0 : w->idle_turns + 1;
	if (!w->idle_turns && wait_record_of(g, slot, warp)->lent)
		wait_touch_record(g, slot, warp)->lent = 0;
	if (w->state == EXEC_WARP_RUNNABLE && !w->waiting) {
		change_way(g, slot, warp);
		look(g, slot, warp);
		if (!w->waiting && !gpu_state(g)->probe.active && is_due(w->idle_turns))
			prove_begin(g, slot, warp, true);
	}
	w->changed = 0;
}

/* ---- only waiting warps are left ---- */

bool turn_wait_has_ended(const struct gpu *g, const struct exec_warp *w)
{
	return turn_is_probe(gpu_state(g), w->cta, w->index) || !gpu_warp_waits(g, w);
}

/* A waiting warp whose wait has to be proven, or may end by itself. */
struct candidate {
	uint32_t block, warp; /* block: number among the resident ones; GPU_NONE: none */
	uint64_t lent;
	bool proves;
};

static void consider(const struct gpu *g, uint32_t block, uint32_t warp, struct candidate *best)
{
	const uint32_t slot = gpu_residents(g)[block];
	const struct exec_warp *w = warp_at(g, slot, warp);
	const uint64_t lent = wait_record_of(g, slot, warp)->lent;
	const bool proves = w->waiting == WAIT_FOUND;
	if (w->state != EXEC_WARP_RUNNABLE || w->waiting < WAIT_FOUND || w->waiting == WAIT_FOREVER || best->proves)
		return;
	if (best->block == GPU_NONE || proves || lent < best->lent)
		*best = (struct candidate){block, warp, lent, proves};
}

/* Takes the next step of the proof: for the path that runs, unless it is proven already, else for another one. Each path is observed anew before. Returns
 * false if all paths are proven to wait for ever. */
static bool continue_proof(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct exec_cta *c = gpu_cta_at(g, slot);
	const struct exec_warp *w = &c->warp[warp];
	struct wait_record *r = wait_touch_record(g, slot, warp);
	if (!(exec_simt_top(&g->exec, w)->mask & ~r->proven) && paths_other_lanes(g, c, w)) {
		paths_switch(g, slot, warp, gpu_state(g)->epoch, exec_simt_top(&g->exec, w)->mask);
		r->stands = false;
	}
	if (!(exec_simt_top(&g->exec, w)->mask & ~r->proven)) {
		wait_set(g, slot, warp, WAIT_FOREVER);
		return false;
	}
	if (r->stands)
		prove_begin(g, slot, warp, false);
	else
		wait_begin_path(g, slot, warp);
	r->is_proving = true;
	return true;
}

static void lend(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const struct exec_warp *w = warp_at(g, slot, warp);
	wait_end(g, slot, warp);
	if (paths_of(g, w)->paths.spin_lanes)
		paths_touch(g, slot, warp)->paths.spin_lanes = 0;
	struct wait_record *r = wait_touch_record(g, slot, warp);
	r->next_look = w->executed + ((uint64_t)GPU_QUANTUM << (r->lent < LENT_MOST ? r->lent : LENT_MOST));
	r->lent++;
}

bool turn_choose_waiting(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	for (;;) {
		struct candidate best = {.block = GPU_NONE};
		for (uint32_t k = functional_first_block(g); k < s->n_resident; k++)
			for (uint32_t w = 0; w < gpu_cta_at(g, gpu_residents(g)[k])->n_warps; w++)
				consider(g, k, w, &best);
		if (best.block == GPU_NONE)
			return false;
		gpu_transition(g);
		const uint32_t slot = gpu_residents(g)[best.block];
		if (best.proves && !continue_proof(g, slot, best.warp))
			continue;
		if (!best.proves)
			lend(g, slot, best.warp);
		s->current = best.block;
		gpu_cta_at(g, slot)->current = best.warp;
		s->schedule.chosen = true;
		return true;
	}
}

void turn_resume(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct exec_warp *w = warp_at(g, slot, warp);
	const bool spins = gpu_warp_spins(g, w);
	wait_end(g, slot, warp);
	if (!spins)
		return;
	w->spin_epoch = gpu_state(g)->epoch;
	wait_begin(g, slot, warp, GPU_LOOK_NONE, MOST_STEPS); /* while the warp is observed, failed compare-and-swaps change no epoch */
}

/* ---- patience ---- */

static uint64_t patience(const struct gpu_state *s) { return UINT64_C(1) << (GPU_PATIENCE_BITS - 2 * s->patience_level); }

void turn_block_ended(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->patience_level = 0;
	if (gpu_contexts(g) == 1) /* otherwise contexts have turns, which may end between two blocks */
		s->patience_over = s->cycle + patience(s);
}

void turn_launch_begins(struct gpu *g, const struct gpu_launch_info *l)
{
	struct gpu_state *s = gpu_state(g);
	s->patience_level = 0;
	s->patience_over = s->cycle + patience(s);
	s->turn_context = gpu_contexts(g) == 1 ? 0 : l->launch.context + 1;
}

void turn_request_other_block(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	s->patience_level += s->patience_level < GPU_PATIENCE_LEVELS;
	s->patience_over = s->cycle + patience(s);
	s->must_yield = true;
}

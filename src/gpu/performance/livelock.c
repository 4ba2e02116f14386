/* Performance mode: warps that spin for ever, for instance on a lock that another lane of the same warp holds. GPGPU-Sim's test for deadlocks
 * doesn't see them, since they go on executing.
 *
 * There are two proofs. A loop that reads memory is proven as in functional mode, by running ahead (prove_ahead.c). And a warp that comes back to an
 * instruction with the same registers and SIMT stack, while memory is unchanged, does so for ever; the states are compared as 64-bit hashes.
 * Looking costs time, so it happens in intervals in which no CTA has finished, fewer and fewer of them, and running ahead only where memory has
 * not changed since the last test. In these intervals stores are compared with what they replace (EXEC_NEED_COMPARE), so that failed
 * compare-and-swaps don't count as changes. Which intervals these are follows from the cycle, so that it doesn't depend on how a run is cut
 * into requests. */
#include "base/hash.h"
#include "gpu/performance/performance.h"
#include "gpu/wait/prove.h"
#include "gpu/wait/wait.h"
#include "gpu/wait/paths.h"

#define FIRST_WATCH 4u /* intervals without a finished CTA: in real kernels a CTA takes two or three all the time */
#define OTHER_WATCH 16u /* of them, until loops are run ahead that don't look like waits by their code */
#define NEXT_TRY 8000u	/* cycles after which a warp is run ahead again, twice as many each time */
#define NEXT_MOST 6u	/* times that they are doubled */
#define STEPS_IN_VAIN 4096u /* instructions run ahead between two tests that prove nothing, and then the rest of an attempt */
#define PROBE_STEPS 8192u /* instructions after which a warp's probe begins anew */

static void note_changes(struct gpu *g)
{
	struct timing_state *t = g->perf->timing.s;
	gpu_state(g)->epoch += t->changes;
	t->changes = 0;
}

static struct livelock_probe *probe_of(const struct gpu *g, uint32_t cta_slot, uint32_t warp)
{
	return &g->perf->probes[cta_slot * EXEC_WARPS_PER_CTA + warp];
}

static bool may_wait(const struct gpu *g, const struct exec_warp *w)
{
	const struct exec_simt *s = arena_at(&g->arena, g->exec.sec_simt, w->simt);
	if (g->perf->s->quiet_intervals % OTHER_WATCH == 0)
		return true;
	for (uint32_t e = w->n_simt; e-- > 0;)
		if (wait_code_at(g, s[e].pc))
			return true;
	return false;
}

/* Runs the warp ahead, if that is due. Its wait record says when: next_look is a cycle, and lent the number of times that it was in vain. */
static void run_ahead(struct gpu *g, struct exec_warp *w)
{
	const uint64_t now = gpu_state(g)->cycle, epoch = gpu_state(g)->epoch;
	const struct wait_record *before = wait_record_of(g, w->cta, w->index);
	struct perf_state *s = g->perf->s;
	const uint64_t tries = before->lent < s->ahead_tries ? s->ahead_tries : before->lent;
	if (s->tested_epoch != epoch || !s->ahead_left || now < before->next_look || !may_wait(g, w))
		return;
	const struct prove_ahead result = prove_ahead(g, w->cta, w->index, tries);
	if (!result.is_tried)
		return;
	struct wait_record *r = wait_touch_record(g, w->cta, w->index);
	r->next_look = now + ((uint64_t)NEXT_TRY << (r->lent < NEXT_MOST ? r->lent : NEXT_MOST));
	if (result.is_proven) {
		w->spin_epoch = epoch;
		r->lent = 0;
		s->ahead_tries = (uint32_t)tries;
	} else {
		r->lent++;
		s->ahead_left -= result.steps < s->ahead_left ? result.steps : s->ahead_left;
	}
}

static void look_at_warp(void *gpu, uint32_t cta_slot, uint32_t warp)
{
	struct gpu *g = gpu;
	note_changes(g);
	struct exec_warp *w = &gpu_cta_at(g, cta_slot)->warp[warp];
	struct livelock_probe *p = probe_of(g, cta_slot, warp);
	const uint32_t pc = exec_simt_top(&g->exec, w)->pc;
	const uint64_t epoch = gpu_state(g)->epoch;
	if (!gpu_warp_spins(g, w))
		run_ahead(g, w);
	if (gpu_warp_spins(g, w))
		return;
	if (p->epoch != epoch || w->executed < p->executed || w->executed - p->executed > PROBE_STEPS) {
		*p = (struct livelock_probe){
			.epoch = epoch, .executed = w->executed, .pc = pc, .n_simt = w->n_simt};
		return;
	}
	/* a stop may bring the same instruction here twice */
	if (p->pc != pc || p->n_simt != w->n_simt || w->executed == p->executed || w->executed == p->last)
		return;
	p->last = w->executed;
	if (!p->hashed) { /* a round without a change of memory: now its registers are worth a look */
		p->hashed = true;
		p->hash = gpu_warp_hash(g, w);
		return;
	}
	p->matches++;
	if ((p->matches & (p->matches - 1)) || gpu_warp_hash(g, w) != p->hash)
		return;
	if (paths_other_lanes(g, gpu_cta_at(g, cta_slot), w))
		paths_repeat(g, cta_slot, warp);
	else
		w->spin_epoch = epoch;
}

/* Pc of a probe that a warp is in whose paths all wait. */
#define ALL_WAYS UINT32_MAX

void livelock_all_paths_wait(struct gpu *g, uint32_t cta_slot, uint32_t warp)
{
	note_changes(g);
	struct exec_warp *w = &gpu_cta_at(g, cta_slot)->warp[warp];
	struct livelock_probe *p = probe_of(g, cta_slot, warp);
	const uint64_t epoch = gpu_state(g)->epoch, hash = gpu_warp_hash(g, w);
	if (p->epoch != epoch || p->pc != ALL_WAYS)
		*p = (struct livelock_probe){.epoch = epoch, .executed = w->executed, .pc = ALL_WAYS};
	/* each path has had its turn since, and the warp is in the same state: it will be so again and again */
	if (p->matches && p->hash == hash)
		w->spin_epoch = epoch;
	/* the states may recur in a longer cycle */
	p->matches++;
	if (!(p->matches & (p->matches - 1)))
		p->hash = hash;
}

void livelock_resume(struct gpu *g)
{
	const bool on = g->perf->s->watchful;
	exec_set_needs(&g->exec, EXEC_PART_QUIET, on ? EXEC_NEED_COMPARE : 0);
	g->perf->timing.before_issue = on ? look_at_warp : NULL;
	g->perf->timing.observes = paths_are_observed(g);
	timing_ask(&g->perf->timing);
}

void livelock_interval(struct gpu *g)
{
	struct perf_state *s = g->perf->s;
	const uint64_t done = gpu_state(g)->ctas_done;
	s->quiet_intervals = done == s->ctas_done_before ? s->quiet_intervals + 1 : 0;
	s->ctas_done_before = done;
	const uint64_t n = s->quiet_intervals;
	s->watchful = n >= FIRST_WATCH && (n % 16 == 0 || !(n & (n - 1)));
	livelock_resume(g);
}

static bool spins(struct gpu *g, struct exec_warp *w)
{
	if (!gpu_warp_spins(g, w))
		run_ahead(g, w); /* others may keep it from issuing */
	return gpu_warp_spins(g, w);
}

/* Returns true if the block's warps wait at a barrier, are done, or spin. A block whose warps are all done only waits for the memory system. */
static bool goes_nowhere(struct gpu *g, struct exec_cta *c)
{
	bool all_done = true;
	for (uint32_t k = 0; k < c->n_warps; k++) {
		if (c->warp[k].state == EXEC_WARP_RUNNABLE && !spins(g, &c->warp[k]))
			return false;
		all_done &= c->warp[k].state == EXEC_WARP_DONE;
	}
	return !all_done;
}

bool livelock_found(struct gpu *g)
{
	struct perf_state *s = g->perf->s;
	note_changes(g);
	const uint64_t epoch = gpu_state(g)->epoch;
	bool all = gpu_state(g)->n_resident > 0;
	for (uint32_t k = 0; all && k < gpu_state(g)->n_resident; k++)
		all = goes_nowhere(g, gpu_cta_at(g, gpu_residents(g)[k]));
	/* twice, so that a CTA that was just to be placed has been placed */
	const bool again = all && s->livelock_epoch == epoch && s->livelock_ctas == s->ctas_launched;
	s->tested_epoch = epoch;
	s->ahead_left = STEPS_IN_VAIN;
	s->livelock_epoch = all ? epoch : 0;
	s->livelock_ctas = s->ctas_launched;
	return again;
}

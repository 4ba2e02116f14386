/* Finding warps that spin: proof by repetition.
 *
 * A warp that comes back to the same pc with the same registers and SIMT stack, and nobody has changed memory in between, will
 * do so for ever, until somebody else changes memory. Taking a snapshot and looking after every instruction is slow, so it is done
 * for one warp at a time, after 4, 8, 16 ... turns without its arriving at a barrier, and for a few instructions more each time. While such a
 * proof stands, stores are compared with what they replace (exec_count_changes), so that a failed compare-and-swap or an exchange
 * of 1 for 1 doesn't end it. A warp that reads a clock never repeats itself; that is no proof of a deadlock either. */
#include <string.h>

#include "base/hash.h"
#include "gpu/internal.h"

#define FIRST_PROBE 4u
#define PROBE_EVERY 64u /* turns at most between two probes of a warp */
#define STEPS_PER_TURN 64u
#define STEPS_MOST 8192u
#define MATCHES_MOST 256u
#define SNAPSHOT_MOST (UINT64_C(1) << 20)

struct piece {
	const void *at;
	uint64_t n;
};

static const struct exec_simt *stack_of(const struct gpu *g, const struct exec_warp *w)
{
	return arena_at(&g->arena, g->exec.sec_simt, w->simt);
}

/* The k-th part of what the warp's next instructions depend on; false: there are no more. */
static bool next_piece(const struct gpu *g, const struct exec_warp *w, uint32_t *k, struct piece *p)
{
	const struct exec_simt *s = stack_of(g, w);
	if (*k == 0) {
		*p = (struct piece){s, w->n_simt * sizeof *s};
		(*k)++;
		return true;
	}
	const uint32_t *const lanes[] = {&w->carry, &w->sync_lanes, &w->barrier_lanes}; /* the last two: who waits for whom */
	if (*k <= 3) {
		*p = (struct piece){lanes[*k - 1], sizeof *lanes[*k - 1]};
		(*k)++;
		return true;
	}
	for (uint32_t e = *k - 4; e < w->n_simt; e++) {
		if (e && s[e].frame == s[e - 1].frame)
			continue;
		*p = (struct piece){arena_at(&g->arena, g->exec.sec_frame, s[e].frame), s[e].frame_bytes};
		*k = e + 5;
		return true;
	}
	/* local memory of the lanes that exist */
	const uint32_t first = 4 + w->n_simt, lane = *k < first ? 0 : *k - first;
	if (lane >= LANES || !(w->lanes >> lane))
		return false;
	*p = (struct piece){arena_at(&g->arena, g->exec.sec_local, w->local + (uint64_t)lane * w->local_stride), s[w->n_simt - 1].local_top};
	*k = first + lane + 1;
	return true;
}

static bool take_snapshot(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = &gpu_state(g)->probe;
	struct piece p;
	uint64_t n = 0;
	for (uint32_t k = 0; next_piece(g, w, &k, &p); n += p.n)
		if (n + p.n > SNAPSHOT_MOST || !arena_use(&g->arena, g->sec_probe, n + p.n))
			return false;
		else
			memcpy(arena_at(&g->arena, g->sec_probe, n), p.at, p.n);
	pr->bytes = n;
	pr->n_simt = w->n_simt;
	pr->pc = exec_simt_top(&g->exec, w)->pc;
	pr->epoch = gpu_state(g)->epoch;
	return true;
}

static bool equals_snapshot(const struct gpu *g, const struct exec_warp *w)
{
	struct piece p;
	uint64_t n = 0;
	for (uint32_t k = 0; next_piece(g, w, &k, &p); n += p.n)
		if (n + p.n > gpu_state(g)->probe.bytes || memcmp(arena_at(&g->arena, g->sec_probe, n), p.at, p.n))
			return false;
	return n == gpu_state(g)->probe.bytes;
}

uint64_t gpu_warp_hash(const struct gpu *g, const struct exec_warp *w)
{
	struct piece p;
	uint64_t h = 0;
	for (uint32_t k = 0; next_piece(g, w, &k, &p);)
		h = hash_bytes(p.at, p.n, h);
	return h;
}

bool gpu_warp_spins(const struct gpu *g, const struct exec_warp *w) { return w->spin_epoch == gpu_state(g)->epoch; }

void gpu_spin_turn_over(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct gpu_state *s = gpu_state(g);
	struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	uint32_t turns = ++w->idle_turns;
	bool due = turns % PROBE_EVERY == 0 || (turns >= FIRST_PROBE && turns < PROBE_EVERY && !(turns & (turns - 1)));
	if (!due || s->probe.active || gpu_warp_spins(g, w))
		return;
	uint32_t steps = turns * STEPS_PER_TURN;
	s->probe = (struct gpu_probe){
		.active = true, .cta_slot = slot, .warp = warp, .max_steps = steps < STEPS_MOST ? steps : STEPS_MOST};
	if (!take_snapshot(g, w))
		s->probe.active = false;
}

void gpu_spin_step(struct gpu *g)
{
	struct gpu_state *s = gpu_state(g);
	struct gpu_probe *pr = &s->probe;
	struct exec_warp *w = &gpu_cta_at(g, pr->cta_slot)->warp[pr->warp];
	pr->steps++;
	if (s->epoch != pr->epoch || w->state != EXEC_WARP_RUNNABLE) {
		pr->active = false;
		return;
	}
	if (w->n_simt == pr->n_simt && exec_simt_top(&g->exec, w)->pc == pr->pc) {
		if (equals_snapshot(g, w)) {
			w->spin_epoch = s->epoch;
			s->watchful = true;
			pr->active = false;
			return;
		}
		pr->matches++;
	}
	if (pr->steps >= pr->max_steps || pr->matches >= MATCHES_MOST)
		pr->active = false;
}

/* The proof that a warp goes round a loop for ever, as long as no other warp changes the memory it reads.
 *
 * A warp that waits (wait.h) is followed for some more rounds. Some of its registers and local memory differ from round to round: counters, clocks,
 * times to sleep. They are assumed to vary freely, and so is all that is computed from them in a round. If no branch out of the loop, address, or
 * value for memory depends on such a value, and all that doesn't vary is the same after the round as before it, the next round does the
 * same, and so does each one after it. A loop that ends by its count or by a clock has a branch that does depend on it.
 *
 * What varies is a table of lanes: for each register, predicate and word of local memory. A branch that depends on such a value, but both paths of which
 * meet again in the loop, lets everything vary that is written between. A loop that reads no memory is proven only if its whole state repeats. */
#include "gpu/wait/prove.h"

#include <string.h>

#include "base/hash.h"
#include "gpu/wait/prove_internal.h"
#include "gpu/wait/wait.h"

#define STEPS_MOST 8192u     /* instructions in a round */
#define STEPS_BLIND 64u	     /* for each turn without a change */
#define ROUNDS_MOST 12u	     /* until nothing more is found to vary */
#define MATCHES_MOST 256u    /* times that a blind loop was at the same pc in another state */
#define SNAPSHOT_MOST (UINT64_C(1) << 19)
struct piece {
	const void *at;
	uint64_t n;
};

#define SNAPSHOT_AT PROVE_TABLES

static const struct exec_simt *stack_of(const struct gpu *g, const struct exec_warp *w)
{
	return arena_at(&g->arena, g->exec.sec_simt, w->simt);
}

/* ---- the state of a warp, in pieces ---- */

enum piece_kind { PIECE_FIXED, PIECE_FRAME, PIECE_LOCAL };

/* Finds the k-th piece of what the warp's next instructions depend on besides memory, and advances k. entry: the SIMT stack entry of a frame, the lane of
 * local memory. Returns false if there are no more. */
static bool next_piece(const struct gpu *g, const struct exec_warp *w, uint32_t *k, struct piece *p, enum piece_kind *kind, uint32_t *entry)
{
	const struct exec_simt *s = stack_of(g, w);
	const uint32_t *const lanes[] = {&w->carry, &w->sync_lanes, &w->barrier_lanes};
	*kind = PIECE_FIXED;
	if (*k <= 3) {
		*p = *k ? (struct piece){lanes[*k - 1], sizeof *lanes[0]} : (struct piece){s, w->n_simt * sizeof *s};
		(*k)++;
		return true;
	}
	for (uint32_t e = *k - 4; e < w->n_simt; e++) {
		if (e && s[e].frame == s[e - 1].frame)
			continue;
		*p = (struct piece){arena_at(&g->arena, g->exec.sec_frame, s[e].frame), s[e].frame_bytes};
		*k = e + 5;
		*kind = PIECE_FRAME;
		*entry = e;
		return true;
	}
	const uint32_t first = 4 + w->n_simt, lane = *k < first ? 0 : *k - first;
	if (lane >= LANES || !(w->lanes >> lane))
		return false;
	*p = (struct piece){arena_at(&g->arena, g->exec.sec_local, w->local + (uint64_t)lane * w->local_stride), s[w->n_simt - 1].local_top};
	*k = first + lane + 1;
	*kind = PIECE_LOCAL;
	*entry = lane;
	return true;
}

uint64_t gpu_warp_hash(const struct gpu *g, const struct exec_warp *w)
{
	struct piece p;
	enum piece_kind kind;
	uint64_t h = 0;
	for (uint32_t k = 0, e; next_piece(g, w, &k, &p, &kind, &e);)
		h = hash_bytes(p.at, p.n, h);
	return h;
}

static bool take_snapshot(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = prove_probe(g);
	struct piece p;
	enum piece_kind kind;
	uint64_t n = SNAPSHOT_AT;
	for (uint32_t k = 0, e; next_piece(g, w, &k, &p, &kind, &e); n += p.n)
		if (n + p.n > SNAPSHOT_MOST || !arena_use(&g->arena, g->sec_probe, n + p.n))
			return false;
		else
			memcpy(arena_at(&g->arena, g->sec_probe, n), p.at, p.n);
	pr->bytes = n;
	pr->n_simt = w->n_simt;
	pr->pc = exec_simt_top(&g->exec, w)->pc;
	pr->epoch = gpu_state(g)->epoch;
	pr->has_snapshot = true;
	return true;
}

static bool equals_snapshot(const struct gpu *g, const struct exec_warp *w)
{
	struct piece p;
	enum piece_kind kind;
	uint64_t n = SNAPSHOT_AT;
	for (uint32_t k = 0, e; next_piece(g, w, &k, &p, &kind, &e); n += p.n)
		if (n + p.n > prove_probe(g)->bytes || memcmp(arena_at(&g->arena, g->sec_probe, n), p.at, p.n))
			return false;
	return n == prove_probe(g)->bytes;
}

/* ---- differences between two rounds ---- */

static uint32_t row_differs(const char *a, const char *b, uint32_t bytes)
{
	uint32_t lanes = 0;
	const uint32_t n = bytes < 8 ? bytes : 8;
	if (!memcmp(a, b, (size_t)bytes * LANES))
		return 0;
	for (unsigned l = 0; l < LANES; l++)
		if (memcmp(a + l * n, b + l * n, n) || (bytes == 16 && memcmp(a + 256 + 8 * l, b + 256 + 8 * l, 8)))
			lanes |= lanes_bit(l);
	return lanes;
}

static bool add_frame(struct gpu *g, const struct exec_simt *e, const char *now, const char *before)
{
	const struct isa_function *f = isa_program_function_at(&g->program, e->pc);
	bool ok = f != NULL;
	for (uint32_t p = 0; ok && p < f->n_preds; p++) {
		uint32_t a, b;
		memcpy(&a, now + 4 * p, 4);
		memcpy(&b, before + 4 * p, 4);
		if (p != ISA_PRED_SINK)
			ok = prove_add(g, PROVE_PRED | (e->frame + 4 * p), a ^ b);
	}
	for (uint32_t k = 0; ok && k < f->n_regs; k++) {
		const struct isa_reg *r = &f->regs[k];
		const uint32_t type = isa_type_bytes((enum isa_type)r->type), bytes = type < 2 ? 2 : type;
		for (uint32_t n = 0; ok && r->type != ISA_PRED && n < (r->count ? r->count : 1); n++) {
			const uint32_t at = ISA_REF_OFFSET(r->first) + n * bytes * LANES;
			ok = prove_add(g, PROVE_ROW | (e->frame + at), row_differs(now + at, before + at, bytes));
		}
	}
	return ok;
}

static bool add_local(struct gpu *g, uint32_t lane, const struct piece *p, const char *before)
{
	const char *now = p->at;
	bool ok = true;
	for (uint64_t at = 0; ok && at < p->n; at += 4) {
		const size_t n = p->n - at < 4 ? (size_t)(p->n - at) : 4;
		if (memcmp(now + at, before + at, n))
			ok = prove_add(g, PROVE_LOCAL | at / 4, lanes_bit(lane));
	}
	return ok;
}

/* Adds what is other than in the snapshot to what varies. Returns false if the warp isn't where it was then. */
static bool add_differences(struct gpu *g, const struct exec_warp *w)
{
	const struct exec_simt *s = stack_of(g, w);
	struct piece p;
	enum piece_kind kind;
	uint64_t n = SNAPSHOT_AT;
	for (uint32_t k = 0, e = 0; next_piece(g, w, &k, &p, &kind, &e); n += p.n) {
		const char *before = arena_at(&g->arena, g->sec_probe, n);
		if (n + p.n > prove_probe(g)->bytes)
			return false;
		if (!p.n || !memcmp(before, p.at, p.n))
			continue;
		if (kind == PIECE_FIXED || (kind == PIECE_FRAME && !add_frame(g, &s[e], p.at, before)) ||
		    (kind == PIECE_LOCAL && !add_local(g, e, &p, before)))
			return false;
	}
	return n == prove_probe(g)->bytes;
}

/* ---- rounds ---- */

void prove_begin(struct gpu *g, uint32_t slot, uint32_t warp, bool is_blind)
{
	struct gpu_probe *pr = prove_probe(g);
	const struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	const uint64_t steps = (uint64_t)w->idle_turns * STEPS_BLIND;
	*pr = (struct gpu_probe){.active = true, .is_blind = is_blind, .cta_slot = slot, .warp = warp,
				 .max_steps = is_blind && steps < STEPS_MOST ? (uint32_t)steps : STEPS_MOST};
	pr->active = arena_use(&g->arena, g->sec_probe, SNAPSHOT_AT) && (!is_blind || take_snapshot(g, w));
}

void prove_before(struct gpu *g)
{
	struct gpu_probe *pr = prove_probe(g);
	prove_note(g);
	if (!pr->is_blind && g->program.where && !pr->in_region && prove_branch_varies(g))
		prove_explore_region(g);
}

bool prove_is_valid(const struct gpu *g)
{
	const struct gpu_probe *pr = prove_probe(g);
	return pr->n_varying <= PROVE_TABLE && pr->n_assumed <= PROVE_TABLE && pr->n_written <= PROVE_TABLE && g->arena.section[g->sec_probe].used >= SNAPSHOT_AT &&
	       pr->at_pc < g->program.n_insns;
}

static enum prove_news end(struct gpu *g, enum prove_news news)
{
	prove_probe(g)->active = false;
	return news;
}

static enum prove_news blind_step(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = prove_probe(g);
	if (pr->steps > pr->max_steps || gpu_state(g)->epoch != pr->epoch)
		return end(g, PROVE_FAILED);
	if (w->n_simt != pr->n_simt || exec_simt_top(&g->exec, w)->pc != pr->pc)
		return PROVE_GOES_ON;
	if (equals_snapshot(g, w))
		return end(g, PROVE_DONE);
	return ++pr->rounds < MATCHES_MOST ? PROVE_GOES_ON : end(g, PROVE_FAILED);
}

/* Returns true if all that varies after the round was assumed to when it began. */
static bool is_closed(const struct gpu *g)
{
	const struct gpu_probe *pr = prove_probe(g);
	for (uint32_t k = 0; k < pr->n_varying; k++) {
		const struct prove_entry *e = prove_find(prove_assumed(g), pr->n_assumed, prove_varying(g)[k].key);
		if (prove_varying(g)[k].lanes & ~(e ? e->lanes : 0))
			return false;
	}
	return true;
}

/* Assumes all to vary that has so far. */
static bool begin_round(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = prove_probe(g);
	bool ok = true;
	for (uint32_t k = 0; ok && k < pr->n_assumed; k++)
		ok = prove_add(g, prove_assumed(g)[k].key, (uint32_t)prove_assumed(g)[k].lanes);
	memcpy(prove_assumed(g), prove_varying(g), pr->n_varying * sizeof(struct prove_entry));
	pr->n_assumed = pr->n_varying;
	pr->steps = 0;
	return ok && take_snapshot(g, w);
}

static enum prove_news end_round(struct gpu *g, const struct exec_warp *w)
{
	struct gpu_probe *pr = prove_probe(g);
	if (pr->in_region || pr->rounds++ == ROUNDS_MOST)
		return end(g, PROVE_FAILED);
	const bool knows_registers = g->program.where; /* else all of them have to repeat */
	if (pr->has_snapshot && !(knows_registers ? add_differences(g, w) : equals_snapshot(g, w)))
		return end(g, PROVE_FAILED);
	if (pr->has_snapshot && is_closed(g) && gpu_warp_waits(g, w)) {
		struct wait_record *r = wait_touch_record(g, pr->cta_slot, pr->warp);
		r->proven |= r->lanes;
		return end(g, PROVE_DONE);
	}
	return begin_round(g, w) ? PROVE_GOES_ON : end(g, PROVE_FAILED);
}

enum prove_news prove_after(struct gpu *g, bool changed)
{
	struct gpu_probe *pr = prove_probe(g);
	const struct exec_warp *w = prove_warp(g);
	pr->steps++;
	if (changed || w->state != EXEC_WARP_RUNNABLE)
		return end(g, PROVE_FAILED);
	if (pr->is_blind)
		return blind_step(g, w);
	if (pr->steps > pr->max_steps || !prove_flow(g))
		return end(g, PROVE_FAILED);
	switch (wait_follow(g, pr->cta_slot, pr->warp, pr->at_pc, &g->exec.effect.access)) {
	case WAIT_ROUND_DIFFERS: return end(g, PROVE_FAILED);
	case WAIT_ROUND_OVER: return end_round(g, w);
	default: return PROVE_GOES_ON;
	}
}

/* The state machine that finds waits; see wait.h. */
#include "gpu/wait/wait.h"

#include <assert.h>
#include <string.h>

#include "gpu/device/valid_internal.h"
#include "gpu/wait/paths.h"

#define SHARED (UINT64_C(1) << 63)
#define BYTES_SHIFT 48
#define MISMATCHES_MOST 16u /* changes of the event that begins a round */
#define OFFSET_MASK ((UINT64_C(1) << BYTES_SHIFT) - 1)

const struct wait_record *wait_record_of(const struct gpu *g, uint32_t slot, uint32_t warp)
{
	return (const struct wait_record *)arena_at(&g->arena, g->sec_wait, 0) + (slot * EXEC_WARPS_PER_CTA + warp);
}

struct wait_record *wait_touch_record(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const uint64_t at = (uint64_t)(slot * EXEC_WARPS_PER_CTA + warp) * sizeof(struct wait_record);
	const bool fits = arena_use(&g->arena, g->sec_wait, at + sizeof(struct wait_record));
	assert(fits);
	arena_touch(&g->arena, g->sec_wait, at, sizeof(struct wait_record));
	return arena_at(&g->arena, g->sec_wait, at);
}

bool wait_add_section(struct gpu *g)
{
	const uint64_t n = (uint64_t)g->max_slots * EXEC_WARPS_PER_CTA;
	g->sec_wait = arena_add(&g->arena, "wait", ARENA_PAGED, n * sizeof(struct wait_record));
	return g->sec_wait >= 0;
}

static void clear(struct wait_record *r)
{
	memset(r, 0, offsetof(struct wait_record, place) + r->n_places * sizeof r->place[0]);
}

void wait_begin(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t rule, uint32_t max_steps)
{
	struct wait_record *r = wait_touch_record(g, slot, warp);
	clear(r);
	r->rule = rule;
	r->max_steps = max_steps;
	r->needed = WAIT_ROUNDS;
	r->touched = gpu_state(g)->touched;
	r->epoch = gpu_state(g)->epoch;
	r->has_all_places = true;
	gpu_cta_at(g, slot)->warp[warp].waiting = WAIT_OBSERVED;
}

void wait_begin_path(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct wait_record *r = wait_touch_record(g, slot, warp), before = *r;
	const bool holds = before.epoch == gpu_state(g)->epoch && before.touched == gpu_state(g)->touched;
	wait_begin(g, slot, warp, before.rule, before.max_steps);
	if (!holds)
		return;
	memcpy(r->place, before.place, before.n_places * sizeof before.place[0]);
	r->n_kept = r->n_places = before.n_places;
	r->has_all_places = before.has_all_places;
	r->paths = before.paths;
	r->proven = before.proven;
	r->is_proving = before.is_proving;
}

void wait_end(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	if (w->waiting == WAIT_NONE)
		return;
	clear(wait_touch_record(g, slot, warp));
	w->waiting = WAIT_NONE;
}

uint32_t wait_lanes(const struct gpu *g, uint32_t slot, uint32_t warp) { return wait_record_of(g, slot, warp)->lanes; }

void wait_require_rounds(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t rounds)
{
	wait_touch_record(g, slot, warp)->needed = rounds;
}

void wait_end_block(struct gpu *g, uint32_t slot)
{
	const struct exec_cta *c = gpu_cta_at(g, slot);
	for (uint32_t w = 0; w < c->n_warps; w++) {
		const struct wait_record *r = wait_record_of(g, slot, w);
		wait_end(g, slot, w);
		if (r->next_look | r->lent)
			memset(wait_touch_record(g, slot, w), 0, sizeof *r);
	}
	paths_end_block(g, slot);
}

void wait_set(struct gpu *g, uint32_t slot, uint32_t warp, enum wait_phase phase)
{
	gpu_cta_at(g, slot)->warp[warp].waiting = (uint8_t)phase;
}

/* ---- places ---- */

static uint64_t read_bytes(const char *p, uint32_t n)
{
	uint64_t v = 0;
	memcpy(&v, p, n);
	return v;
}

static uint64_t value_at(const struct gpu *g, uint64_t at)
{
	const struct exec *x = &g->exec;
	const int section = at & SHARED ? x->sec_shared : x->sec_global;
	const uint64_t offset = at & OFFSET_MASK;
	if (offset >= g->arena.section[section].reserved - 8)
		return 0;
	return read_bytes(arena_at(&g->arena, section, offset), (uint32_t)(at >> BYTES_SHIFT & 15));
}

/* Returns the place of a generic address, 0 if it is in none of the spaces that other warps can change. */
static uint64_t place_of(const struct exec_cta *c, uint64_t address)
{
	if (address >= EXEC_MODULE_GLOBALS)
		return address;
	if (address < EXEC_SHARED_WINDOW || address - EXEC_SHARED_WINDOW >= c->shared_bytes)
		return 0;
	return SHARED | (c->shared + (address - EXEC_SHARED_WINDOW));
}

static uint64_t address_of(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
	return h ^ h >> 29;
}

static void add_place(struct wait_record *r, uint64_t at, uint64_t value)
{
	for (uint32_t k = r->n_places; k-- > 0;)
		if (r->place[k].at == at)
			return;
	if (r->n_places == WAIT_PLACES)
		r->has_all_places = false;
	else
		r->place[r->n_places++] = (struct wait_place){at, value};
}

/* Hashes what the lanes have read, and adds the places to a record if r isn't NULL. Returns 0 if none of it was global or shared memory. */
static uint64_t hash_access(const struct gpu *g, const struct exec_cta *c, const struct exec_access *a, struct wait_record *r)
{
	uint64_t h = 0, before = 0;
	LANES_EACH (lane, a->lanes) {
		const uint64_t first = place_of(c, address_of(a, lane));
		h = mix(h, first);
		if (!first || first == before)
			continue;
		before = first;
		for (uint32_t n = 0; n < a->size; n += 8) {
			const uint32_t bytes = a->size - n < 8 ? a->size - n : 8;
			const uint64_t at = (first + n) | (uint64_t)bytes << BYTES_SHIFT, value = value_at(g, at);
			h = mix(h, value);
			if (r)
				add_place(r, at, value);
		}
	}
	return before ? h | 1 : 0;
}

void wait_add_places(struct gpu *g, uint32_t slot, uint32_t warp, const struct exec_access *access)
{
	hash_access(g, gpu_cta_at(g, slot), access, wait_touch_record(g, slot, warp));
}

/* ---- rounds ---- */

/* Starts to count rounds anew, with another event as their beginning. */
static void change_anchor(struct wait_record *r, uint64_t anchor)
{
	r->anchor = anchor;
	r->has_begun = false;
	r->rounds = 0;
	memset(&r->place[r->n_kept], 0, (r->n_places - r->n_kept) * sizeof r->place[0]);
	r->n_places = r->n_kept;
}

/* Ends a round at the event that begins the next one. Returns false if the loop has no equal rounds. */
static bool end_round(struct wait_record *r, uint64_t last, uint32_t pc)
{
	if (r->rounds && r->round != r->expected) {
		change_anchor(r, last); /* the event that made the difference is rarer */
		return ++r->mismatches < MISMATCHES_MOST;
	}
	if (r->has_begun) {
		r->expected = r->round;
		r->rounds++;
	}
	if (!r->rounds) { /* of the round that comes */
		r->first = r->last_pc = pc;
		r->lanes = 0;
	}
	r->has_begun = true;
	r->round = 0;
	r->steps = 0;
	return true;
}

/* Returns false if the observation is to end. */
static bool note_event(struct wait_record *r, uint64_t event, uint32_t pc, uint64_t epoch)
{
	const uint64_t last = r->last;
	r->last = event;
	if (!r->anchor)
		r->anchor = event;
	if (event == r->anchor && r->rounds + 1 < r->needed)
		r->round_epoch = epoch; /* of the last round, when that begins */
	if (event == r->anchor && !end_round(r, last, pc))
		return false;
	r->round = mix(r->round, event);
	return true;
}

/* Returns the hash of a read, 0 if the access is none of global or shared memory. */
static uint64_t event_of(const struct gpu *g, const struct exec_warp *w, uint32_t pc, const struct exec_access *a, struct wait_record *r)
{
	if (!a->lanes || !a->is_read)
		return 0;
	const uint64_t h = hash_access(g, gpu_cta_at(g, w->cta), a, r);
	return h ? mix(mix(h, pc), (uint64_t)w->n_simt << 32 | a->lanes) | 1 : 0;
}

static void found(struct gpu *g, struct exec_warp *w, struct wait_record *r)
{
	if (r->epoch != gpu_state(g)->epoch) { /* other warps have changed memory since: what is known of other paths is old */
		memmove(r->place, &r->place[r->n_kept], (r->n_places - r->n_kept) * sizeof r->place[0]);
		memset(&r->place[r->n_places - r->n_kept], 0, r->n_kept * sizeof r->place[0]);
		r->n_places -= r->n_kept;
		r->n_kept = r->paths = 0;
	}
	w->waiting = WAIT_FOUND;
	r->epoch = r->round_epoch;
	r->stands = true;
	r->paths |= r->lanes;
}

enum wait_news wait_step(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t pc, const struct exec_access *access, bool changed)
{
	struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	struct wait_record *r = wait_touch_record(g, slot, warp);
	if (changed || w->state != EXEC_WARP_RUNNABLE || ++r->steps > r->max_steps || r->touched != gpu_state(g)->touched) {
		wait_end(g, slot, warp);
		return WAIT_IS_OVER;
	}
	r->lanes |= exec_simt_top(&g->exec, w)->mask;
	if (pc < r->first)
		r->first = pc;
	if (pc > r->last_pc)
		r->last_pc = pc;
	/* the places are those of the second round: with the first one others may have been read */
	const uint64_t event = event_of(g, w, pc, access, r->rounds == 1 ? r : NULL);
	if (event && !note_event(r, event, pc, gpu_state(g)->epoch)) {
		wait_end(g, slot, warp);
		return WAIT_IS_OVER;
	}
	if (r->rounds < r->needed)
		return WAIT_GOES_ON;
	found(g, w, r);
	return WAIT_IS_FOUND;
}

enum wait_round wait_follow(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t pc, const struct exec_access *access)
{
	struct wait_record *r = wait_touch_record(g, slot, warp);
	const uint64_t event = event_of(g, &gpu_cta_at(g, slot)->warp[warp], pc, access, NULL);
	if (!event)
		return WAIT_ROUND_INSIDE;
	if (event != r->anchor) {
		r->round = mix(r->round, event);
		return WAIT_ROUND_INSIDE;
	}
	const bool same = r->round == r->expected;
	r->round = mix(0, event);
	return same ? WAIT_ROUND_OVER : WAIT_ROUND_DIFFERS;
}

/* ---- waits that were found ---- */

bool gpu_warp_waits(const struct gpu *g, const struct exec_warp *w)
{
	const struct gpu_state *s = gpu_state(g);
	if (w->waiting < WAIT_FOUND)
		return false;
	const struct wait_record *r = wait_record_of(g, w->cta, w->index);
	if (r->touched != s->touched)
		return false;
	if (r->epoch == s->epoch)
		return true;
	bool holds = r->has_all_places;
	for (uint32_t k = 0; k < r->n_places && holds; k++)
		holds = value_at(g, r->place[k].at) == r->place[k].value;
	return holds;
}

bool gpu_warp_spins(const struct gpu *g, const struct exec_warp *w)
{
	return w->spin_epoch == gpu_state(g)->epoch || (w->waiting == WAIT_FOREVER && gpu_warp_waits(g, w));
}

/* ---- validation ---- */

bool gpu_valid_waits(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const uint64_t n = gpu_valid_entries(v, g->sec_wait, sizeof(struct wait_record));
	for (uint64_t k = 0; k < n; k++) {
		const struct wait_record *r = wait_record_of(g, 0, 0) + k;
		if (!arena_written(&g->arena, g->sec_wait, k * sizeof *r, sizeof *r))
			continue;
		if (!VALID_BOOL(r->has_begun) || !VALID_BOOL(r->has_all_places) || !VALID_BOOL(r->stands) ||
		    !VALID_BOOL(r->is_proving) || r->n_places > WAIT_PLACES || r->n_kept > r->n_places)
			return invalid(v->what, "how a warp waits");
		for (uint32_t i = 0; i < r->n_places; i++)
			if ((r->place[i].at >> BYTES_SHIFT & 15) > 8)
				return invalid(v->what, "what a warp waits for");
	}
	for (uint32_t slot = 0; slot < gpu_state(g)->n_slots; slot++)
		for (uint32_t w = 0; w < EXEC_WARPS_PER_CTA && gpu_cta_at(g, slot)->used; w++) {
			const struct exec_warp *warp = &gpu_cta_at(g, slot)->warp[w];
			if (w < gpu_cta_at(g, slot)->n_warps && warp->waiting &&
			    (warp->waiting > WAIT_FOREVER || slot * EXEC_WARPS_PER_CTA + w >= n))
				return invalid(v->what, "whether a warp waits");
		}
	return true;
}

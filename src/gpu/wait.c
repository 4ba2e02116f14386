/* The state machine that finds waits; see wait.h. */
#include "gpu/wait.h"
#include "gpu/ways.h"

#include "gpu/valid_internal.h"

#include <assert.h>

#include <string.h>

#define SHARED (UINT64_C(1) << 63)
#define BYTES_SHIFT 48
#define MISMATCHES_MOST 16u /* changes of the event that begins a round */
#define OFFSET_MASK ((UINT64_C(1) << BYTES_SHIFT) - 1)

static struct wait_record *record_of(const struct gpu *g, uint32_t slot, uint32_t warp)
{
	return (struct wait_record *)arena_at(&g->arena, g->sec_wait, 0) + (slot * EXEC_WARPS_PER_CTA + warp);
}

/* Returns the record for writing. */
static struct wait_record *touch_record(struct gpu *g, uint32_t slot, uint32_t warp)
{
	const uint64_t at = (uint64_t)(slot * EXEC_WARPS_PER_CTA + warp) * sizeof(struct wait_record);
	const bool fits = arena_use(&g->arena, g->sec_wait, at + sizeof(struct wait_record));
	assert(fits);
	arena_touch(&g->arena, g->sec_wait, at, sizeof(struct wait_record));
	return record_of(g, slot, warp);
}

bool wait_add_section(struct gpu *g)
{
	const uint64_t n = (uint64_t)g->max_slots * EXEC_WARPS_PER_CTA;
	g->sec_wait = arena_add(&g->arena, "wait", ARENA_PAGED, n * sizeof(struct wait_record));
	return g->sec_wait >= 0;
}

void wait_begin(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t max_steps)
{
	struct wait_record *r = touch_record(g, slot, warp);
	memset(r, 0, offsetof(struct wait_record, place));
	r->max_steps = max_steps;
	r->needed = WAIT_ROUNDS;
	r->has_all_places = true;
	gpu_cta_at(g, slot)->warp[warp].waiting = WAIT_OBSERVED;
}

void wait_hasten(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t rounds)
{
	touch_record(g, slot, warp)->needed = rounds;
}

void wait_end(struct gpu *g, uint32_t slot, uint32_t warp)
{
	struct exec_warp *w = &gpu_cta_at(g, slot)->warp[warp];
	if (w->waiting == WAIT_NONE)
		return;
	struct wait_record *r = touch_record(g, slot, warp);
	memset(r, 0, offsetof(struct wait_record, place) + r->n_places * sizeof r->place[0]);
	w->waiting = WAIT_NONE;
}

void wait_end_block(struct gpu *g, uint32_t slot)
{
	for (uint32_t w = 0; w < gpu_cta_at(g, slot)->n_warps; w++)
		wait_end(g, slot, w);
	ways_end_block(g, slot);
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

/* Hashes what the lanes have read, and keeps the places if `keeps`. Returns 0 if none of it was global or shared memory. */
static uint64_t hash_access(const struct gpu *g, const struct exec_cta *c, const struct exec_access *a, struct wait_record *r, bool keeps)
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
			if (keeps)
				add_place(r, at, value);
		}
	}
	return before ? h | 1 : 0;
}

/* ---- rounds ---- */

/* Starts to count rounds anew, with another event as their beginning. */
static void change_anchor(struct wait_record *r, uint64_t anchor)
{
	r->anchor = anchor;
	r->has_begun = false;
	r->rounds = 0;
	r->n_places = r->lanes = 0;
	r->has_all_places = true;
}

/* The event that begins a round has come. Returns false if the loop has no rounds that are alike. */
static bool end_round(struct wait_record *r, uint64_t last)
{
	if (r->rounds && r->round != r->expected) {
		change_anchor(r, last); /* the event that made the difference is rarer */
		return ++r->mismatches < MISMATCHES_MOST;
	}
	if (r->has_begun) {
		r->expected = r->round;
		r->rounds++;
	}
	r->has_begun = true;
	r->round = 0;
	r->steps = 0;
	return true;
}

/* Returns false if the observation is to end. */
static bool note_event(struct wait_record *r, uint64_t event)
{
	const uint64_t last = r->last;
	r->last = event;
	if (!r->anchor)
		r->anchor = event;
	if (event == r->anchor && !end_round(r, last))
		return false;
	r->round = mix(r->round, event);
	return true;
}

static enum wait_news found(struct gpu *g, struct exec_warp *w, struct wait_record *r)
{
	w->waiting = WAIT_FOUND;
	r->checked = gpu_state(g)->epoch;
	r->touched = gpu_state(g)->touched;
	return WAIT_IS_FOUND;
}

enum wait_news wait_step(struct gpu *g, uint32_t slot, uint32_t warp, uint32_t pc, const struct exec_access *access, bool changed)
{
	struct exec_cta *c = gpu_cta_at(g, slot);
	struct exec_warp *w = &c->warp[warp];
	struct wait_record *r = touch_record(g, slot, warp);
	if (changed || w->state != EXEC_WARP_RUNNABLE || ++r->steps > r->max_steps) {
		wait_end(g, slot, warp);
		return WAIT_IS_OVER;
	}
	if (!access->lanes || !access->is_read)
		return WAIT_GOES_ON;
	/* the places are those of one round: the second one, since the first may begin with another event */
	uint64_t event = hash_access(g, c, access, r, r->rounds == 1);
	if (!event)
		return WAIT_GOES_ON;
	r->lanes |= exec_simt_top(&g->exec, w)->mask;
	event = mix(mix(event, pc), w->n_simt * UINT64_C(0x100000000) + access->lanes) | 1;
	if (!note_event(r, event)) {
		wait_end(g, slot, warp);
		return WAIT_IS_OVER;
	}
	return r->rounds >= r->needed ? found(g, w, r) : WAIT_GOES_ON;
}

/* ---- waits that were found ---- */

uint32_t wait_lanes(const struct gpu *g, uint32_t slot, uint32_t warp) { return record_of(g, slot, warp)->lanes; }

bool gpu_warp_waits(const struct gpu *g, const struct exec_warp *w)
{
	const struct gpu_state *s = gpu_state(g);
	if (w->waiting != WAIT_FOUND)
		return false;
	const struct wait_record *r = record_of(g, w->cta, w->index);
	if (r->touched != s->touched)
		return false;
	if (r->checked == s->epoch)
		return true;
	bool holds = r->has_all_places;
	for (uint32_t k = 0; k < r->n_places && holds; k++)
		holds = value_at(g, r->place[k].at) == r->place[k].value;
	return holds;
}

/* ---- validation ---- */

bool gpu_valid_waits(struct gpu_valid *v)
{
	const struct gpu *g = v->g;
	const uint64_t n = gpu_valid_entries(v, g->sec_wait, sizeof(struct wait_record));
	for (uint64_t k = 0; k < n; k++) {
		const struct wait_record *r = record_of(g, 0, 0) + k;
		if (!arena_written(&g->arena, g->sec_wait, k * sizeof *r, sizeof *r))
			continue;
		if (!VALID_BOOL(r->has_begun) || !VALID_BOOL(r->has_all_places) || r->n_places > WAIT_PLACES)
			return invalid(v->what, "how a warp waits");
		for (uint32_t i = 0; i < r->n_places; i++)
			if ((r->place[i].at >> BYTES_SHIFT & 15) > 8)
				return invalid(v->what, "what a warp waits for");
	}
	for (uint32_t slot = 0; slot < gpu_state(g)->n_slots; slot++)
		for (uint32_t w = 0; w < EXEC_WARPS_PER_CTA && gpu_cta_at(g, slot)->used; w++) {
			const struct exec_warp *warp = &gpu_cta_at(g, slot)->warp[w];
			if (w < gpu_cta_at(g, slot)->n_warps && warp->waiting &&
			    (warp->waiting > WAIT_FOUND || slot * EXEC_WARPS_PER_CTA + w >= n))
				return invalid(v->what, "whether a warp waits");
		}
	return true;
}

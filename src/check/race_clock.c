/* Who knows of whose accesses: blocks, barriers, lanes that part and meet. */
#include <stddef.h>
#include <string.h>

#include "check/race_cell.h"

#define EMPTY_HEAD ((struct race_head){.time = 1, .n_pubs = 1, .n_knows = 1, .n_places = 1, .n_logs = 1, .n_mores = 1})

bool race_init(struct race *r, struct arena *a, uint64_t device_end, uint64_t shared, uint32_t n_slots)
{
	const uint64_t tables = RACE_ENTRIES * (sizeof(struct race_pub) + sizeof(struct race_know) +
						sizeof(struct race_place) + sizeof(struct race_log)) +
				RACE_MORES * sizeof(struct race_more);
	r->arena = a;
	r->n_slots = n_slots;
	r->warp_threads = r->warp_threads ? r->warp_threads : LANES;
	r->sec_state = arena_add(a, "race", ARENA_PAGED, race_block_offset(n_slots) + tables);
	r->sec_global = r->sec_state < 0 ? -1 : arena_add(a, "race-global", ARENA_PAGED, cell_bytes(device_end));
	r->sec_shared = r->sec_global < 0 ? -1 : arena_add(a, "race-shared", ARENA_PAGED, cell_bytes(shared));
	if (r->sec_shared < 0)
		return false;
	for (int k = r->sec_state; k <= r->sec_shared; k++)
		a->section[k].is_tool_state = a->section[k].only_whole = true;
	race_forget(r);
	return arena_use(a, r->sec_state, race_block_offset(n_slots) + tables);
}

void race_forget(struct race *r)
{
	struct race_head *h = race_head(r);
	/* times go on, so that what cells and blocks still hold is old */
	const uint32_t time = h->time;
	race_touch(r, h, sizeof *h);
	memset(h, 0, sizeof *h);
	*h = EMPTY_HEAD;
	h->time = time < RACE_TIME_MAX ? time + 1 : time;
	for (uint32_t slot = 0; slot < r->n_slots; slot++) {
		struct race_block *b = race_block(r, slot);
		if (!b->used)
			continue;
		race_touch(r, b, sizeof b->used);
		b->used = false;
	}
}

uint32_t race_now(const struct race *r) { return race_head(r)->time; }

uint32_t race_tick(struct race *r)
{
	struct race_head *h = race_head(r);
	race_touch(r, &h->time, sizeof h->time);
	if (h->time < RACE_TIME_MAX)
		h->time++;
	return h->time;
}

uint32_t race_known(const struct race *r, bool (*before)(void *self, uint32_t launch), void *self)
{
	const struct race_head *h = race_head(r);
	uint32_t known = h->time;
	for (uint32_t k = 0; k < RACE_LAUNCHES; k++) {
		const struct race_launch *l = &h->launch[k];
		if (l->id && l->begun < known && !before(self, l->id - 1))
			known = l->begun;
	}
	return known;
}

struct follower {
	const struct race *r;
	uint32_t launch;
};

static bool is_before(void *self, uint32_t launch)
{
	const struct follower *f = self;
	return !f->r->ordered || f->r->ordered(f->r->self, launch, f->launch);
}

uint32_t race_launch_known(struct race *r, uint32_t launch)
{
	struct race_launch *l = &race_head(r)->launch[launch % RACE_LAUNCHES];
	if (l->id == launch + 1)
		return l->known;
	const uint32_t now = race_tick(r), known = race_known(r, is_before, &(struct follower){r, launch});
	race_touch(r, l, sizeof *l);
	*l = (struct race_launch){launch + 1, now, known};
	return known;
}

void race_begin_block(struct race *r, uint32_t slot, const struct race_block_spec *s, uint64_t shared_offset)
{
	struct race_block *b = race_block(r, slot);
	const uint32_t warps = race_warp_of(r, s->threads + r->warp_threads - 1);
	const uint64_t bytes = offsetof(struct race_block, warp) + warps * sizeof b->warp[0];
	race_touch(r, b, bytes);
	memset(b, 0, bytes);
	b->used = true;
	b->launch = s->launch;
	b->launch_uid = s->launch_uid;
	b->uid = s->block_uid;
	b->threads = s->threads;
	b->launch_threads = s->launch_threads;
	b->known = s->known;
	b->begun = b->barrier =
		race_tick(r); /* what its shared memory and tables have of the slot's last block is older */
	b->shared = shared_offset;
	for (uint32_t w = 0; w < warps; w++)
		b->warp[w].whole = true;
}

bool race_has_block(const struct race *r, uint32_t slot, uint32_t launch, uint32_t block_uid)
{
	const struct race_block *b = race_block(r, slot);
	return b->used && b->launch == launch && b->uid == block_uid;
}

bool race_is_whole(const struct race *r, uint32_t slot, uint32_t warp)
{
	return !r->strict && race_block(r, slot)->warp[warp].whole;
}

/* ---- lanes of a warp ---- */

static void spread(struct race_warp *w)
{
	if (!w->whole)
		return;
	w->whole = false;
	for (unsigned l = 0; l < LANES; l++)
		w->together[l] = LANES_ALL;
}

void race_split(struct race *r, uint32_t slot, uint32_t warp, uint32_t n, const uint32_t *lanes)
{
	struct race_warp *w = &race_block(r, slot)->warp[warp];
	race_touch(r, w, offsetof(struct race_warp, lane));
	spread(w);
	for (uint32_t k = 0; k < n; k++)
		LANES_EACH (l, lanes[k])
			w->together[l] &= lanes[k];
}

/* Those of `lanes` that go on together do so from now on; NULL: all. */
static void regroup(struct race_warp *w, uint32_t lanes, uint32_t live, const uint32_t *group)
{
	bool whole = lanes == live;
	if (w->whole)
		return;
	LANES_EACH (l, group ? lanes : 0)
		whole = whole && group[l] == live;
	w->whole = whole;
	LANES_EACH (l, lanes)
		w->together[l] |= lanes & (group ? group[l] : lanes);
}

static void meet_some(struct race *r, struct race_block *b, uint32_t warp, uint32_t lanes, uint32_t now)
{
	uint32_t known[LANES] = {0};
	uint32_t(*rows)[LANES] = b->lanes[warp];
	race_touch(r, rows, sizeof b->lanes[warp]);
	LANES_EACH (l, lanes) {
		for (unsigned m = 0; m < LANES; m++)
			known[m] = rows[l][m] > known[m] ? rows[l][m] : known[m];
	}
	LANES_EACH (l, lanes)
		known[l] = now;
	LANES_EACH (l, lanes) {
		memcpy(rows[l], known, sizeof known);
		b->warp[warp].lane[l].part = now;
	}
}

static void share_knowledge(struct race *r, struct race_warp *w, uint32_t lanes, uint32_t *know)
{
	LANES_EACH (l, lanes)
		*know = w->lane[l].know == *know ? *know : race_know_both(r, *know, w->lane[l].know);
}

static void take_knowledge(struct race_warp *w, uint32_t lanes, uint32_t know)
{
	LANES_EACH (l, lanes)
		w->lane[l].know = know;
}

void race_join(struct race *r, uint32_t slot, uint32_t warp, uint32_t lanes, uint32_t live, const uint32_t *group)
{
	struct race_block *b = race_block(r, slot);
	struct race_warp *w = &b->warp[warp];
	const uint32_t now = race_tick(r);
	race_touch(r, w, sizeof *w);
	if (lanes == live)
		w->joined = now;
	else
		meet_some(r, b, warp, lanes, now);
	regroup(w, lanes, live, group);
	if (race_anything_told(r)) {
		uint32_t know = 0;
		share_knowledge(r, w, lanes, &know);
		take_knowledge(w, lanes, know);
	}
}

/* ---- barriers ---- */

/* What they have seen of flags they know now; the block's barrier is their fence. By the ISA's letter it isn't, for other blocks. */
static void settle_pending(struct race *r, struct race_warp *w)
{
	for (unsigned l = 0; l < LANES; l++) {
		struct race_lane *lane = &w->lane[l];
		for (unsigned s = 0; s < (r->strict ? RACE_SCOPE_GPU : RACE_SCOPES); s++)
			if (lane->pending[s]) {
				lane->know = race_know_both(r, lane->know, lane->pending[s]);
				lane->pending[s] = 0;
			}
	}
}

static void barrier_knowledge(struct race *r, struct race_block *b, uint64_t came, uint64_t waited)
{
	uint32_t know = 0;
	WARPS_EACH (w, came) {
		race_touch(r, &b->warp[w], sizeof b->warp[w]);
		settle_pending(r, &b->warp[w]);
		share_knowledge(r, &b->warp[w], LANES_ALL, &know);
	}
	WARPS_EACH (w, waited) {
		race_touch(r, &b->warp[w], sizeof b->warp[w]);
		take_knowledge(&b->warp[w], LANES_ALL, know);
	}
}

/* All threads have fenced what they did before that time. Only fences since the last barrier count, but for what it was known for. */
static void all_fenced(struct race *r, struct race_block *b)
{
	for (unsigned s = 0; s < RACE_SCOPES && !r->strict; s++) {
		uint32_t least = UINT32_MAX;
		for (uint32_t t = 0; t < b->threads; t++) {
			const uint32_t own = b->warp[race_warp_of(r, t)].lane[race_lane_of(r, t)].fenced[s].own;
			least = own < least ? own : least;
		}
		b->fenced[s] = least > b->fenced[s] ? least : b->fenced[s];
	}
}

/* at[w]: when warp w came. */
static void open_some(struct race *r, struct race_block *b, uint64_t came, uint64_t waited,
		      const uint32_t at[RACE_WARPS])
{
	const uint32_t now = race_now(r);
	uint32_t known[RACE_WARPS] = {0};
	race_touch(r, b->row, sizeof b->row);
	WARPS_EACH (w, came) {
		for (unsigned v = 0; v < RACE_WARPS; v++)
			known[v] = b->row[w][v] > known[v] ? b->row[w][v] : known[v];
	}
	WARPS_EACH (w, came)
		known[w] = waited >> w & 1 || !at[w] ? now : at[w];
	WARPS_EACH (w, waited) {
		for (unsigned v = 0; v < RACE_WARPS; v++)
			b->row[w][v] = known[v] > b->row[w][v] ? known[v] : b->row[w][v];
		race_touch(r, &b->warp[w], sizeof b->warp[w]);
		b->warp[w].named = b->warp[w].joined = now;
	}
}

void race_come(struct race *r, uint32_t slot, uint32_t warp, uint32_t barrier)
{
	struct race_block *b = race_block(r, slot);
	race_touch(r, b, offsetof(struct race_block, row));
	b->came[barrier % RACE_BARRIERS] |= UINT64_C(1) << warp;
	b->came_at[barrier % RACE_BARRIERS][warp] = race_tick(r);
}

void race_open(struct race *r, uint32_t slot, uint32_t barrier, uint64_t came, uint64_t waited, bool all,
	       uint64_t warps)
{
	struct race_block *b = race_block(r, slot);
	const uint32_t now = race_tick(r);
	race_touch(r, b, offsetof(struct race_block, row));
	const uint32_t *at = b->came_at[barrier % RACE_BARRIERS];
	came |= b->came[barrier % RACE_BARRIERS];
	if (all || !(warps & ~(came & waited))) {
		b->barrier = now;
		if (b->warp[0].lane[0].fenced[0].own)
			all_fenced(r, b);
	} else {
		open_some(r, b, came, waited, at);
	}
	b->came[barrier % RACE_BARRIERS] = 0;
	memset(b->came_at[barrier % RACE_BARRIERS], 0, sizeof b->came_at[0]);
	if (race_anything_told(r))
		barrier_knowledge(r, b, came, waited);
}

void race_go_on(struct race *r, uint32_t slot, uint32_t warp, uint32_t live, const uint32_t *group)
{
	struct race_warp *w = &race_block(r, slot)->warp[warp];
	if (w->whole)
		return;
	race_touch(r, w, offsetof(struct race_warp, lane));
	regroup(w, live, live, group);
}

/* ---- knowing ---- */

static bool knows_in_block(const struct race *r, const struct race_block *b, uint32_t warp, unsigned lane, uint32_t thread,
			   uint32_t stamp)
{
	const struct race_warp *w = &b->warp[warp];
	const uint32_t other_warp = race_warp_of(r, thread);
	const unsigned other = race_lane_of(r, thread);
	if (stamp < b->barrier)
		return true;
	if (other_warp != warp)
		return stamp < b->row[warp][other_warp];
	const bool in_step = !r->strict && (w->whole || w->together[lane] >> other & 1);
	return other == lane || in_step || stamp < w->joined || stamp < b->lanes[warp][lane][other];
}

bool race_block_of(const struct race *r, uint32_t slot, uint32_t uid, uint32_t stamp, uint32_t *block)
{
	const struct race_block *b = race_block(r, slot);
	const uint32_t in_launch = uid - b->launch_uid;
	*block = b->launch_uid + in_launch / b->threads * b->threads;
	return in_launch >= b->launch_threads && r->other && r->other(r->self, uid, stamp, slot, block);
}

bool race_knows(const struct race *r, uint32_t slot, uint32_t warp, unsigned lane, uint32_t uid, uint32_t stamp)
{
	const struct race_block *b = race_block(r, slot);
	const uint32_t thread = uid - b->uid, know = b->warp[warp].lane[lane].know;
	uint32_t block;
	if (stamp < b->known || (thread < b->threads && knows_in_block(r, b, warp, lane, thread, stamp)))
		return true;
	return race_block_of(r, slot, uid, stamp, &block) || (know && race_told(r, know, uid, block, stamp));
}

/* By the ISA's causality order: a write is in front of what follows on an access that has observed it. */
bool race_has_seen(const struct race *r, const struct race_access *a, unsigned lane, uint64_t address, uint32_t uid,
		   uint32_t stamp)
{
	const struct race_block *b = race_block(r, a->slot);
	const uint32_t know = b->warp[a->warp].lane[lane].know;
	uint32_t block;
	return know && (race_block_of(r, a->slot, uid, stamp, &block) ||
			race_told_by(r, know, uid, block, stamp, race_place_key(b, a->shared, address)));
}

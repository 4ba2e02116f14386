/* Cells: who has accessed a word of memory, and whether somebody else may now. */
#include <string.h>

#include "check/race_state.h"

/* Of a word: access 0 is the last write, 1 and 2 are accesses since, or writes that aren't ordered with it (strong ones, or of other bytes).
 * when 0: none. how: of each 19 bits of the instruction's index, 2 of the first byte; the highest bit: 1 or 2 is a write. */
#define ACCESSES 3u
#define HOW_BITS 21u
#define HOW_MASK ((UINT64_C(1) << HOW_BITS) - 1)
#define PC_MAX ((1u << 19) - 1)
#define MORE_WRITES (UINT64_C(1) << 63)
struct cell {
	uint32_t who[ACCESSES], when[ACCESSES];
	uint64_t how;
};
_Static_assert(sizeof(struct cell) == 32, "8 bytes for each of memory");

/* What decides without a closer look. */
struct view {
	struct race *r;
	const struct race_access *a;
	const struct race_block *b;
	char *base;
	uint8_t *flags;
	int section;
	uint32_t known, uid, threads, barrier; /* the block's */
	uint32_t warp_uid, joined;
	bool whole;
	uint32_t now, pc;
	struct race_found *out;
	uint32_t n;
};

static inline bool is_easy(const struct view *v, uint32_t who, uint32_t when, uint32_t me)
{
	return when < v->known || (when < v->barrier && who - v->uid < v->threads) || who == me ||
	       (who - v->warp_uid < LANES && (v->whole || when < v->joined));
}

static inline uint64_t how_at(const struct cell *c, unsigned k) { return c->how >> k * HOW_BITS & HOW_MASK; }
static inline void set_how(struct cell *c, unsigned k, uint64_t how)
{
	c->how = (c->how & ~(HOW_MASK << k * HOW_BITS)) | how << k * HOW_BITS;
}

/* Bytes of the word that an access of the instruction covers. */
static unsigned bytes_of(const struct race_site *s, uint64_t how)
{
	return s->size >= 4 ? 15u : ((1u << s->size) - 1u) << (how & 3);
}

/* ---- judging ---- */

static void found(struct view *v, unsigned lane, uint64_t address, const struct cell *c, unsigned k,
		  const struct race_site *other)
{
	const uint32_t pc = (uint32_t)(how_at(c, k) >> 2);
	for (uint32_t n = v->n; n > 0 && v->out[n - 1].lane == lane; n--)
		if (v->out[n - 1].pc == pc)
			return;
	if (v->n == RACE_FOUND_MAX)
		return;
	v->out[v->n++] =
		(struct race_found){.lane = lane, .address = address, .uid = c->who[k], .pc = pc, .other = *other};
}

static __attribute__((noinline)) void judge(struct view *v, unsigned lane, uint64_t address, const struct cell *c,
					    unsigned k)
{
	const struct race_site *mine = &v->a->site;
	const struct race_site other = v->r->site(v->r->self, (uint32_t)(how_at(c, k) >> 2));
	if ((!mine->is_write && !other.is_write) || (mine->strong && other.strong))
		return;
	if (!(bytes_of(mine, address) & bytes_of(&other, how_at(c, k))))
		return;
	if (!race_knows(v->r, v->a->slot, v->a->warp, lane, c->who[k], c->when[k]))
		found(v, lane, address, c, k, &other);
}

static inline void look(struct view *v, unsigned lane, uint64_t address, const struct cell *c)
{
	const uint32_t me = v->warp_uid + lane;
	const unsigned n = v->a->site.is_write || c->how & MORE_WRITES ? ACCESSES : 1;
	for (unsigned k = 0; k < n; k++)
		if (c->when[k] && !is_easy(v, c->who[k], c->when[k], me))
			judge(v, lane, address, c, k);
}

/* ---- recording ---- */

static void put(const struct view *v, struct cell *c, unsigned k, uint32_t me, uint64_t how)
{
	c->who[k] = me;
	c->when[k] = v->now;
	set_how(c, k, how);
}

static bool is_known(const struct view *v, unsigned lane, const struct cell *c, unsigned k)
{
	return !c->when[k] || is_easy(v, c->who[k], c->when[k], v->warp_uid + lane) ||
	       race_knows(v->r, v->a->slot, v->a->warp, lane, c->who[k], c->when[k]);
}

/* Threads of one block may be apart by a warp, those of two are apart by more. */
static unsigned distance(const struct view *v, uint32_t a, uint32_t b)
{
	const uint32_t in_a = a - v->b->launch_uid, in_b = b - v->b->launch_uid;
	if (in_a / v->threads != in_b / v->threads)
		return 3;
	return a == b ? 0 : in_a % v->threads / LANES == in_b % v->threads / LANES ? 1 : 2;
}

/* Of two others and this one the two that are the farthest apart stay. True: in place k. */
static bool replaces(const struct view *v, const struct cell *c, uint32_t me, unsigned *k)
{
	const unsigned now = distance(v, c->who[1], c->who[2]);
	*k = 2;
	if (distance(v, c->who[1], me) > now)
		return true;
	*k = 1;
	return distance(v, c->who[2], me) > now;
}

/* An access besides the last write. */
static __attribute__((noinline)) void add_other(const struct view *v, struct cell *c, unsigned lane, uint32_t me,
						uint64_t how, bool is_write)
{
	unsigned k;
	const bool partial = v->a->site.size < 4;
	for (k = 1; k < ACCESSES; k++)
		if (!c->when[k] || (is_known(v, lane, c, k) && (!partial || how == how_at(c, k))))
			break;
	if (k == ACCESSES && !replaces(v, c, me, &k))
		return;
	put(v, c, k, me, how);
	if (is_write)
		c->how |= MORE_WRITES;
}

/* Two others that aren't known, as far from each other as this one could be from either. */
static inline bool has_room(const struct view *v, const struct cell *c, uint32_t me)
{
	const uint32_t apart = c->who[1] > c->who[2] ? c->who[1] - c->who[2] : c->who[2] - c->who[1];
	const uint32_t a = c->who[1] - v->uid, b = c->who[2] - v->uid;
	if (!c->when[2] || is_easy(v, c->who[2], c->when[2], me))
		return true;
	return apart < v->threads && !(a < v->threads && b < v->threads && a / LANES != b / LANES);
}

/* This warp has read the word, rightly, and nothing has happened since. */
static inline bool is_again(const struct view *v, const struct cell *c)
{
	return v->whole && c->when[1] == v->now && c->who[1] - v->warp_uid < LANES && !(c->how & MORE_WRITES) &&
	       is_easy(v, c->who[0], c->when[0], v->warp_uid);
}

static inline void record_read(const struct view *v, struct cell *c, unsigned lane, uint64_t how)
{
	const uint32_t me = v->warp_uid + lane;
	if (v->a->site.size >= 4 && is_easy(v, c->who[1], c->when[1], me) && !(c->how & MORE_WRITES))
		put(v, c, 1, me, how);
	else if (v->a->site.size < 4 || has_room(v, c, me))
		add_other(v, c, lane, me, how, false);
}

/* What was known is, from now on, by way of this write; what wasn't, is of no use any more if it was a plain access: the race is told. */
static __attribute__((noinline)) void displace(const struct view *v, struct cell *c, unsigned lane, uint64_t how)
{
	const uint32_t me = v->warp_uid + lane;
	const struct cell old = *c;
	const bool partial = v->a->site.size < 4;
	*c = (struct cell){.how = 0};
	put(v, c, 0, me, how);
	for (unsigned k = 0, to = 1; k < ACCESSES && to < ACCESSES; k++) {
		const struct race_site other =
			old.when[k] ? v->r->site(v->r->self, (uint32_t)(how_at(&old, k) >> 2)) : v->a->site;
		const bool apart =
			(partial || other.size < 4) && bytes_of(&other, how_at(&old, k)) & ~bytes_of(&v->a->site, how);
		const bool unordered =
			v->a->site.strong && other.strong && other.is_write && !is_known(v, lane, &old, k);
		if (!old.when[k] || (!apart && !unordered))
			continue;
		c->who[to] = old.who[k];
		c->when[to] = old.when[k];
		set_how(c, to, how_at(&old, k));
		c->how |= other.is_write ? MORE_WRITES : 0;
		to++;
	}
}

static inline void record_write(const struct view *v, struct cell *c, unsigned lane, uint64_t how)
{
	if (v->a->site.size >= 4 && !v->a->site.strong) {
		*c = (struct cell){.who = {v->warp_uid + lane}, .when = {v->now}, .how = how};
		return;
	}
	displace(v, c, lane, how);
}

/* ---- words ---- */

static inline struct cell *cell_at(const struct view *v, uint64_t address)
{
	return (struct cell *)(void *)(v->base + (address & ~UINT64_C(3)) * 8);
}

static inline void touch_cell(const struct view *v, const struct cell *c)
{
	const uint64_t offset = (uint64_t)((const char *)c - v->r->arena->section[v->section].base);
	if (!(v->flags[offset >> ARENA_PAGE_SHIFT] & ARENA_PAGE_DIRTY))
		arena_touch(v->r->arena, v->section, offset, sizeof *c);
}

static inline unsigned words_of(const struct race_access *a) { return a->site.size > 4 ? a->site.size / 4 : 1; }

/* Reads aren't judged against each other. */
static void read_all(struct view *v)
{
	const struct race_access *a = v->a;
	const unsigned words = words_of(a);
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words; k++) {
			const uint64_t address = a->address[l] + 4 * k;
			struct cell *c = cell_at(v, address);
			if (is_again(v, c))
				continue;
			look(v, l, address, c);
			touch_cell(v, c);
			record_read(v, c, l, (uint64_t)v->pc << 2 | (address & 3));
		}
}

static void look_at_all(struct view *v)
{
	const struct race_access *a = v->a;
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words_of(a); k++)
			look(v, l, a->address[l] + 4 * k, cell_at(v, a->address[l] + 4 * k));
}

static void record_all(const struct view *v)
{
	const struct race_access *a = v->a;
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words_of(a); k++) {
			const uint64_t address = a->address[l] + 4 * k;
			struct cell *c = cell_at(v, address);
			touch_cell(v, c);
			record_write(v, c, l, (uint64_t)v->pc << 2 | (address & 3));
		}
}

static void set_view(struct view *v, struct race *r, const struct race_access *a)
{
	const struct race_block *b = race_block(r, a->slot);
	const struct race_warp *w = &b->warp[a->warp];
	const struct arena_section *s = &r->arena->section[a->shared ? r->sec_shared : r->sec_global];
	v->r = r;
	v->a = a;
	v->b = b;
	v->section = a->shared ? r->sec_shared : r->sec_global;
	v->base = s->base + (a->shared ? b->shared * 8 : 0);
	v->flags = s->page_flags;
	v->known = a->shared ? b->begun : b->known;
	v->uid = b->uid;
	v->threads = b->threads;
	v->barrier = b->barrier;
	v->warp_uid = b->uid + a->warp * LANES;
	v->joined = w->joined;
	v->whole = w->whole;
	v->now = race_head(r)->time;
	v->pc = a->pc < PC_MAX ? a->pc : PC_MAX;
	v->n = 0;
}

/* Lanes of one instruction are not judged against each other: all are looked at before any is recorded. */
uint32_t race_access(struct race *r, const struct race_access *a, struct race_found *out)
{
	struct view v;
	uint64_t last = 0;
	set_view(&v, r, a);
	v.out = out;
	LANES_EACH (l, a->lanes)
		last = a->address[l] > last ? a->address[l] : last;
	if (!arena_use(r->arena, v.section,
		       (uint64_t)(v.base - r->arena->section[v.section].base) + (last + a->site.size + 3) * 8))
		return 0;
	if (!a->site.is_write) {
		read_all(&v);
		return v.n;
	}
	look_at_all(&v);
	record_all(&v);
	return v.n;
}

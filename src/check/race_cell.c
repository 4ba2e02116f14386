/* Cells: who has accessed a word of memory, and whether somebody else may now. */
#include "check/race_cell.h"

#include <string.h>

/* Bytes of the word that an access of the instruction covers. */
static unsigned bytes_of(const struct race_site *s, uint64_t how)
{
	return s->size >= 4 ? 15u : ((1u << s->size) - 1u) << (how & 3);
}

/* ---- judging ---- */

static void found(struct cell_view *v, unsigned lane, uint64_t address, const struct cell *c, unsigned k,
		  const struct race_site *other)
{
	const uint32_t pc = (uint32_t)(cell_how(c, k) >> 2);
	for (uint32_t n = v->n; n > 0 && v->out[n - 1].lane == lane; n--)
		if (v->out[n - 1].pc == pc)
			return;
	if (v->n == RACE_FOUND_MAX)
		return;
	v->out[v->n++] =
		(struct race_found){.lane = lane, .address = address, .uid = c->who[k], .pc = pc, .other = *other};
}

static __attribute__((noinline)) void judge(struct cell_view *v, unsigned lane, uint64_t address, const struct cell *c,
					    unsigned k)
{
	const struct race_site *mine = &v->a->site;
	const struct race_site other = v->r->site(v->r->self, (uint32_t)(cell_how(c, k) >> 2));
	if ((!mine->is_write && !other.is_write) || (mine->strong && other.strong))
		return;
	if (!(bytes_of(mine, address) & bytes_of(&other, cell_how(c, k))))
		return;
	if (race_knows(v->r, v->a->slot, v->a->warp, lane, c->who[k], cell_when(c, k)))
		return;
	const uint64_t start = other.size < 4 ? (address & ~UINT64_C(3)) + (cell_how(c, k) & 3)
					      : address & ~(uint64_t)(other.size - 1);
	if (!other.strong || !other.is_write || !race_has_seen(v->r, v->a, lane, start, c->who[k], cell_when(c, k)))
		found(v, lane, address, c, k, &other);
}

static inline void look(struct cell_view *v, unsigned lane, uint64_t address, const struct cell *c)
{
	const uint32_t me = v->warp_uid + lane;
	const unsigned n = v->a->site.is_write || c->how & CELL_MORE_WRITES ? CELL_ACCESSES : 1;
	for (unsigned k = 0; k < n; k++)
		if (cell_when(c, k) && !cell_is_easy(v, c->who[k], cell_when(c, k), me))
			judge(v, lane, address, c, k);
}

/* ---- recording ---- */

static bool is_known(const struct cell_view *v, unsigned lane, const struct cell *c, unsigned k)
{
	return !cell_when(c, k) || cell_is_easy(v, c->who[k], cell_when(c, k), v->warp_uid + lane) ||
	       race_knows(v->r, v->a->slot, v->a->warp, lane, c->who[k], cell_when(c, k));
}

/* Threads of one block may be apart by a warp, those of two are apart by more. */
static unsigned distance(const struct cell_view *v, uint32_t a, uint32_t b)
{
	const uint32_t in_a = a - v->b->launch_uid, in_b = b - v->b->launch_uid;
	if (in_a / v->threads != in_b / v->threads)
		return 3;
	return a == b ? 0 : in_a % v->threads / LANES == in_b % v->threads / LANES ? 1 : 2;
}

/* Of two others and this one the two that are the farthest apart stay. True: in place k. */
bool cell_replaces(const struct cell_view *v, const struct cell *c, uint32_t me, unsigned *k)
{
	const unsigned now = distance(v, c->who[1], c->who[2]);
	*k = 2;
	if (distance(v, c->who[1], me) > now)
		return true;
	*k = 1;
	return distance(v, c->who[2], me) > now;
}

/* An access besides the last write. */
static __attribute__((noinline)) void add_other(const struct cell_view *v, struct cell *c, unsigned lane, uint32_t me,
						uint64_t how, bool is_write)
{
	unsigned k;
	const bool partial = v->a->site.size < 4;
	for (k = 1; k < CELL_ACCESSES; k++)
		if (!c->when[k] || (is_known(v, lane, c, k) && (!partial || how == cell_how(c, k))))
			break;
	if (k == CELL_ACCESSES && !cell_replaces(v, c, me, &k))
		return;
	cell_put(v, c, k, me, how);
	if (is_write)
		c->how |= CELL_MORE_WRITES;
}

static inline void record_read(const struct cell_view *v, struct cell *c, unsigned lane, uint64_t how)
{
	const uint32_t me = v->warp_uid + lane;
	if (v->a->site.size >= 4 && cell_is_easy(v, c->who[1], c->when[1], me) && !(c->how & CELL_MORE_WRITES))
		cell_put(v, c, 1, me, how);
	else if (v->a->site.size < 4 || cell_has_room(v, c, me))
		add_other(v, c, lane, me, how, false);
}

/* What was known is, from now on, by way of this write; what wasn't, is of no use any more if it was a plain access: the race is told. */
static __attribute__((noinline)) void displace(const struct cell_view *v, struct cell *c, unsigned lane, uint64_t how)
{
	const uint32_t me = v->warp_uid + lane;
	const struct cell old = *c;
	const bool partial = v->a->site.size < 4;
	*c = (struct cell){.when = {old.when[0] & CELL_WORDS}};
	cell_put(v, c, 0, me, how);
	for (unsigned k = 0, to = 1; k < CELL_ACCESSES && to < CELL_ACCESSES; k++) {
		const struct race_site other =
			cell_when(&old, k) ? v->r->site(v->r->self, (uint32_t)(cell_how(&old, k) >> 2)) : v->a->site;
		const bool apart = (partial || other.size < 4) &&
				   bytes_of(&other, cell_how(&old, k)) & ~bytes_of(&v->a->site, how);
		const bool unordered =
			v->a->site.strong && other.strong && other.is_write && !is_known(v, lane, &old, k);
		if (!cell_when(&old, k) || (!apart && !unordered))
			continue;
		c->who[to] = old.who[k];
		c->when[to] = cell_when(&old, k);
		c->how |= cell_how(&old, k) << to * CELL_HOW_BITS;
		c->how |= other.is_write ? CELL_MORE_WRITES : 0;
		to++;
	}
}

static inline void record_write(const struct cell_view *v, struct cell *c, unsigned lane, uint64_t how)
{
	if (v->a->site.size >= 4 && !v->a->site.strong) {
		*c = (struct cell){
			.who = {v->warp_uid + lane}, .when = {v->now | (c->when[0] & CELL_WORDS)}, .how = how};
		return;
	}
	displace(v, c, lane, how);
}

/* ---- words ---- */

static inline struct cell *cell_at(const struct cell_view *v, uint64_t address)
{
	struct cell *first = cell_of_row(v, address);
	if (cell_is_row(first))
		row_spread(v, first, address);
	return (struct cell *)(void *)(v->base + cell_offset(v->start + address));
}

/* Lanes that access here and there wait for the host's memory together, not one after the other. */
static inline __attribute__((always_inline)) void fetch(const struct cell_view *v)
{
	const struct race_access *a = v->a;
	LANES_EACH (l, a->lanes) {
		__builtin_prefetch(cell_of_row(v, a->address[l]));
		__builtin_prefetch(v->base + cell_offset(v->start + a->address[l]));
	}
}

static inline unsigned words_of(const struct race_access *a) { return a->site.size > 4 ? a->site.size / 4 : 1; }

static inline void read_word(struct cell_view *v, unsigned lane, uint64_t address)
{
	struct cell *c = cell_at(v, address);
	if (cell_is_again(v, c))
		return;
	look(v, lane, address, c);
	cell_touch(v, c);
	record_read(v, c, lane, (uint64_t)v->pc << 2 | (address & 3));
}

void cell_read_word(struct cell_view *v, unsigned lane, uint64_t address) { read_word(v, lane, address); }

void cell_look_word(struct cell_view *v, unsigned lane, uint64_t address)
{
	look(v, lane, address, cell_at(v, address));
}

/* Reads aren't judged against each other. */
static void read_all(struct cell_view *v)
{
	const struct race_access *a = v->a;
	const unsigned words = words_of(a);
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words; k++)
			read_word(v, l, a->address[l] + 4 * k);
}

static void look_at_all(struct cell_view *v)
{
	const struct race_access *a = v->a;
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words_of(a); k++)
			look(v, l, a->address[l] + 4 * k, cell_at(v, a->address[l] + 4 * k));
}

static void record_all(const struct cell_view *v)
{
	const struct race_access *a = v->a;
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words_of(a); k++) {
			const uint64_t address = a->address[l] + 4 * k;
			struct cell *c = cell_at(v, address);
			cell_touch(v, c);
			record_write(v, c, l, (uint64_t)v->pc << 2 | (address & 3));
		}
}

static void set_view(struct cell_view *v, struct race *r, const struct race_access *a)
{
	const struct race_block *b = race_block(r, a->slot);
	const struct race_warp *w = &b->warp[a->warp];
	const struct arena_section *s = &r->arena->section[a->shared ? r->sec_shared : r->sec_global];
	v->r = r;
	v->a = a;
	v->b = b;
	v->section = a->shared ? r->sec_shared : r->sec_global;
	v->base = s->base;
	v->start = a->shared ? b->shared : 0;
	v->flags = s->page_flags;
	v->known = a->shared ? b->begun : b->known;
	v->uid = b->uid;
	v->threads = b->threads;
	v->barrier = b->barrier;
	v->warp_uid = b->uid + a->warp * LANES;
	v->joined = w->joined;
	v->whole = w->whole;
	v->now = race_head(r)->time;
	v->pc = a->pc < CELL_PC_MAX ? a->pc : CELL_PC_MAX;
	v->n = 0;
}

/* Behind the last byte. */
static uint64_t end_of(const struct race_access *a)
{
	uint64_t last = 0;
	if (a->in_rows)
		last = (a->lanes & 1 && a->address[0] > a->address[16]) || !(a->lanes >> 16) ? a->address[0]
											     : a->address[16];
	LANES_EACH (l, a->in_rows ? 0 : a->lanes)
		last = a->address[l] > last ? a->address[l] : last;
	return last + (a->in_rows ? 16u : 1u) * a->site.size;
}

static void by_words(struct cell_view *v)
{
	uint64_t address[LANES];
	struct race_access a = *v->a;
	if (a.in_rows) {
		LANES_EACH (l, a.lanes)
			address[l] = a.address[l & 16] + (uint64_t)(l & 15) * a.site.size;
		a.address = address;
		v->a = &a;
	}
	fetch(v);
	if (!a.site.is_write) {
		read_all(v);
		return;
	}
	look_at_all(v);
	record_all(v);
}

/* Lanes of one instruction are not judged against each other: all are looked at before any is recorded. */
uint32_t race_access(struct race *r, const struct race_access *a, struct race_found *out)
{
	struct cell_view v;
	set_view(&v, r, a);
	v.out = out;
	if (!arena_use(r->arena, v.section, cell_bytes(v.start + end_of(a) + 3)))
		return 0;
	if (!row_access(&v))
		by_words(&v);
	return v.n;
}

/* Cells: which threads have accessed a word of memory, and whether another thread may now. */
#include "check/race_cell.h"

#include <string.h>

/* ---- judging ---- */

static struct race_entry entry_of(const struct cell *c, unsigned k)
{
	return (struct race_entry){c->who[k], cell_when(c, k), (uint32_t)cell_how(c, k)};
}

static __attribute__((noinline)) void judge(struct cell_view *v, const struct cell_access *x, const struct cell *c,
					    unsigned k)
{
	const struct race_entry e = entry_of(c, k);
	cell_judge(v, x, &e);
}

static inline void look(struct cell_view *v, const struct cell_access *x, const struct cell *c)
{
	const uint32_t me = v->warp_uid + x->lane;
	const unsigned n = v->a->site.is_write || c->how & CELL_MORE_WRITES ? CELL_ACCESSES : 1;
	if (cell_is_list(c) || x->place == CELL_EACH) {
		cell_judge_all(v, x, c);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		if (cell_when(c, k) && !cell_is_easy(v, c->who[k], cell_when(c, k), me))
			judge(v, x, c, k);
}

/* ---- recording ---- */

/* Of two others and this one the two that are the farthest apart stay. True: in place k. */
bool cell_replaces(const struct cell_view *v, const struct cell *c, uint32_t me, unsigned *k)
{
	const unsigned now = cell_distance(v, c->who[1], c->who[2]);
	*k = 2;
	if (cell_distance(v, c->who[1], me) > now)
		return true;
	*k = 1;
	return cell_distance(v, c->who[2], me) > now;
}

static inline void record_read(const struct cell_view *v, struct cell *c, const struct cell_access *x)
{
	const uint32_t me = v->warp_uid + x->lane;
	const uint64_t how = cell_how_of(v->pc, x->place);
	if (v->a->site.size >= 4 && !cell_is_list(c) && !(c->how & CELL_MORE_WRITES) &&
	    cell_is_easy(v, c->who[1], c->when[1], me) && (!v->a->site.strong || cell_how(c, 1) == how))
		cell_put(v, c, 1, me, how);
	else if (v->a->site.size < 4 || cell_is_list(c) || cell_has_room(v, c, me))
		cell_record(v, c, x);
}

/* A plain write stands for all others: what was known is, from now on, by way of it, and what wasn't has been told. */
static inline void record_write(const struct cell_view *v, struct cell *c, const struct cell_access *x)
{
	const uint32_t me = v->warp_uid + x->lane;
	const uint64_t how = cell_how_of(v->pc, x->place);
	if (v->a->site.size < 4) {
		cell_record(v, c, x);
	} else if (!v->a->site.strong) {
		cell_drop_more(v, c);
		*c = (struct cell){.who = {me}, .when = {v->now | (c->when[0] & CELL_WORDS)}, .how = how};
	} else if (!cell_is_list(c) && cell_how(c, 0) == how && cell_when(c, 0) &&
		   cell_is_easy(v, c->who[0], cell_when(c, 0), me)) {
		cell_put(v, c, 0, me, how);
	} else {
		cell_record(v, c, x);
	}
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

static inline void read_word(struct cell_view *v, const struct cell_access *x)
{
	struct cell *c = cell_at(v, x->address);
	if (cell_is_again(v, c, cell_how_of(v->pc, x->place)))
		return;
	look(v, x, c);
	cell_touch(v, c);
	record_read(v, c, x);
}

void cell_read_word(struct cell_view *v, unsigned lane, uint64_t address)
{
	const struct cell_access x = {lane, 0, address};
	read_word(v, &x);
}

void cell_look_word(struct cell_view *v, unsigned lane, uint64_t address)
{
	const struct cell_access x = {lane, 0, address};
	look(v, &x, cell_at(v, address));
}

static inline void look_at_word(struct cell_view *v, const struct cell_access *x)
{
	look(v, x, cell_at(v, x->address));
}

static inline void write_word(struct cell_view *v, const struct cell_access *x)
{
	struct cell *c = cell_at(v, x->address);
	cell_touch(v, c);
	record_write(v, c, x);
}

typedef void (*word_function)(struct cell_view *v, const struct cell_access *x);

/* How many lanes from this one on access a word together, each a byte or half of it, in their order; else 1. */
static unsigned lanes_of_word(const struct race_access *a, unsigned lane)
{
	const unsigned n = 4 / a->site.size;
	if (a->address[lane] & 3 || lane + n > LANES || (uint32_t) ~(a->lanes >> lane) & ((1u << n) - 1))
		return 1;
	for (unsigned k = 1; k < n; k++)
		if (a->address[lane + k] != a->address[lane] + k * a->site.size)
			return 1;
	return n;
}

static void each_part_of_words(struct cell_view *v, word_function f)
{
	const struct race_access *a = v->a;
	for (unsigned l = 0, n = 1; l < LANES; l += n, n = 1) {
		if (!(a->lanes >> l & 1))
			continue;
		n = lanes_of_word(a, l);
		const struct cell_access x = {l, n > 1 ? CELL_EACH : (unsigned)(a->address[l] & 3), a->address[l]};
		f(v, &x);
	}
}

static inline __attribute__((always_inline)) void each_word(struct cell_view *v, word_function f)
{
	const struct race_access *a = v->a;
	const unsigned words = a->site.size / 4;
	if (!words) {
		each_part_of_words(v, f);
		return;
	}
	LANES_EACH (l, a->lanes)
		for (unsigned k = 0; k < words; k++) {
			const struct cell_access x = {l, 0, a->address[l] + 4 * k};
			f(v, &x);
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
	v->warp_uid = b->uid + a->warp * r->warp_threads;
	v->warp_threads = b->uid + b->threads - v->warp_uid < r->warp_threads ? b->uid + b->threads - v->warp_uid : r->warp_threads;
	v->joined = w->joined;
	v->whole = w->whole && !r->strict;
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
	if (!a.site.is_write) { /* not judged against each other */
		each_word(v, read_word);
		return;
	}
	each_word(v, look_at_word);
	each_word(v, write_word);
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

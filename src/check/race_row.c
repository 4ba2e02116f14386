/* Rows: what lanes side by side access word by word is judged, and kept, as one. */
#include <string.h>

#include "check/race_cell.h"

void row_spread(const struct cell_view *v, struct cell *first, uint64_t address)
{
	static const struct cell unused;
	unsigned shift[CELL_ACCESSES];
	if (!memcmp(first, &unused, sizeof unused)) { /* so are all others */
		cell_touch(v, first);
		first->when[0] |= CELL_WORDS;
		return;
	}
	struct cell c = *first;
	for (unsigned k = 0; k < CELL_ACCESSES; k++) {
		shift[k] = how_place(cell_how(&c, k));
		c.how -= (uint64_t)shift[k] << k * CELL_HOW_BITS;
	}
	cell_touch(v, first);
	*first = c;
	first->when[0] |= CELL_WORDS;
	const uint64_t row = (v->start + address) & ~(uint64_t)(ROW_BYTES - 1);
	for (unsigned i = 1; i < ROW_WORDS; i++) {
		struct cell *other = (struct cell *)(void *)(v->base + cell_offset(row + 4 * i));
		cell_touch(v, other);
		cell_drop_more(v, other);
		*other = c;
		for (unsigned k = 0; k < CELL_ACCESSES; k++)
			other->who[k] += c.when[k] ? i >> shift[k] : 0;
	}
}

static void forget_words(const struct cell_view *v, struct cell *first, uint64_t address, uint64_t end)
{
	if (cell_is_row(first))
		row_spread(v, first, address);
	for (uint64_t at = address & ~UINT64_C(3); at < end; at += 4) {
		struct cell *c = (struct cell *)(void *)(v->base + cell_offset(at));
		cell_touch(v, c);
		cell_drop_more(v, c);
		*c = (struct cell){.when = {c->when[0] & CELL_WORDS}};
	}
}

/* A row that is forgotten is not one that was never used: its words' cells hold what was there. */
void race_forget_memory(struct race *r, uint64_t address, uint64_t n)
{
	static const struct cell unused;
	const struct arena_section *s = &r->arena->section[r->sec_global];
	const struct cell_view v = {.r = r, .base = s->base, .flags = s->page_flags, .section = r->sec_global};
	for (uint64_t at = address; at < address + n;) {
		const uint64_t row = at & ~(uint64_t)(ROW_BYTES - 1), next = row + ROW_BYTES,
			       end = next < address + n ? next : address + n;
		struct cell *first = cell_of_row(&v, at);
		if (cell_offset(row) >= s->used)
			return;
		if (memcmp(first, &unused, sizeof unused) != 0 && at == row && end == next) {
			cell_touch(&v, first);
			cell_drop_more(&v, first);
			*first = (struct cell){.how = 1};
		} else if (memcmp(first, &unused, sizeof unused) != 0) {
			forget_words(&v, first, at, end);
		}
		at = next;
	}
}

/* The lanes' access to one row. */
struct part {
	unsigned lane, shift; /* of the first word */
	uint64_t address;
	struct cell *first;
};

static struct part part_at(const struct cell_view *v, unsigned half, unsigned n, unsigned shift)
{
	const uint64_t address = v->a->address[16 * half] + (uint64_t)n * ROW_BYTES;
	return (struct part){16 * half + n * (ROW_WORDS >> shift), shift, address, cell_of_row(v, address)};
}

static inline uint32_t me_of(const struct cell_view *v, const struct part *p) { return v->warp_uid + p->lane; }

static inline bool is_easy(const struct cell_view *v, const struct part *p, unsigned k)
{
	const struct cell *c = p->first;
	return !cell_when(c, k) || cell_is_easy_for_warp(v, c->who[k], cell_when(c, k)) ||
	       (c->who[k] == me_of(v, p) && how_place(cell_how(c, k)) == p->shift);
}

/* May all of it be made, for reasons that one look tells? */
static inline bool may(const struct cell_view *v, const struct part *p)
{
	const unsigned n = v->a->site.is_write || p->first->how & CELL_MORE_WRITES ? CELL_ACCESSES : 1;
	for (unsigned k = 0; k < n; k++)
		if (!is_easy(v, p, k))
			return false;
	return true;
}

static bool all_know(const struct cell_view *v, const struct part *p, unsigned k)
{
	const struct cell *c = p->first;
	for (unsigned i = 0; i < ROW_WORDS; i++)
		if (!race_knows(v->r, v->a->slot, v->a->warp, p->lane + (i >> p->shift),
				c->who[k] + (i >> how_place(cell_how(c, k))), cell_when(c, k)))
			return false;
	return true;
}

static __attribute__((noinline)) void add_read(const struct cell_view *v, const struct part *p, uint64_t how)
{
	unsigned k;
	for (k = 1; k < CELL_ACCESSES; k++)
		if (is_easy(v, p, k) || all_know(v, p, k))
			break;
	if (k < CELL_ACCESSES || cell_replaces(v, p->first, me_of(v, p), &k))
		cell_put(v, p->first, k, me_of(v, p), how);
}

static inline void record_read(const struct cell_view *v, const struct part *p)
{
	struct cell *c = p->first;
	const uint64_t how = cell_how_of(v->pc, p->shift);
	if (is_easy(v, p, 1) && !(c->how & CELL_MORE_WRITES)) {
		cell_touch(v, c);
		cell_put(v, c, 1, me_of(v, p), how);
	} else if (cell_has_room(v, c, me_of(v, p))) {
		cell_touch(v, c);
		add_read(v, p, how);
	}
}

static void read_part(struct cell_view *v, const struct part *p)
{
	if (!cell_is_row(p->first) || !may(v, p)) {
		for (unsigned i = 0; i < ROW_WORDS; i++)
			cell_read_word(v, p->lane + (i >> p->shift), p->address + 4 * i);
		return;
	}
	if (!cell_is_again(v, p->first, cell_how_of(v->pc, p->shift)))
		record_read(v, p);
}

static void look_at_part(struct cell_view *v, const struct part *p)
{
	if (cell_is_row(p->first) && may(v, p))
		return;
	for (unsigned i = 0; i < ROW_WORDS; i++)
		cell_look_word(v, p->lane + (i >> p->shift), p->address + 4 * i);
}

/* What was known is, from now on, by way of this write, and races have been told. */
static void write_part(struct cell_view *v, const struct part *p)
{
	cell_touch(v, p->first);
	cell_drop_more(v, p->first);
	*p->first = (struct cell){.who = {me_of(v, p)}, .when = {v->now}, .how = cell_how_of(v->pc, p->shift)};
}

static void each_part(struct cell_view *v, unsigned shift, void (*f)(struct cell_view *v, const struct part *p))
{
	for (unsigned half = 0; half < 2; half++)
		for (unsigned n = 0; n < 1u << shift && v->a->lanes >> 16 * half & 1; n++) {
			const struct part p = part_at(v, half, n, shift);
			f(v, &p);
		}
}

static bool is_aligned(const struct cell_view *v, unsigned half)
{
	return !(v->a->lanes >> 16 * half & 1) || !((v->start + v->a->address[16 * half]) % ROW_BYTES);
}

bool row_access(struct cell_view *v)
{
	const struct race_access *a = v->a;
	const unsigned shift = a->site.size == 4 ? 0 : a->site.size == 8 ? 1 : a->site.size == 16 ? 2 : 3;
	if (!a->in_rows || a->site.size != 4u << shift || a->site.strong || !is_aligned(v, 0) || !is_aligned(v, 1))
		return false;
	if (!a->site.is_write) {
		each_part(v, shift, read_part);
		return true;
	}
	each_part(v, shift, look_at_part);
	each_part(v, shift, write_part);
	return true;
}

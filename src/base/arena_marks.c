#include "base/arena_log.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/pages.h"
#include "base/xalloc.h"

#define FREE_KEPT 4096u /* so many free places keep the host's memory: they are mostly taken again at once */

bool log_is_zero(const void *page)
{
	const uint64_t *v = page;
	for (unsigned k = 0; k < ARENA_PAGE / sizeof *v; k += 8)
		if (v[k] | v[k + 1] | v[k + 2] | v[k + 3] | v[k + 4] | v[k + 5] | v[k + 6] | v[k + 7])
			return false;
	return true;
}

/* ---- places of saved pages ---- */

void log_give_place(struct arena_marks *m, uint32_t place)
{
	if (place == ZEROS)
		return;
	if (m->n_free >= FREE_KEPT)
		pages_drop(log_place_bytes(m, place), ARENA_PAGE);
	m->free_places = xgrow(m->free_places, &m->cap_free, m->n_free + 1, sizeof *m->free_places);
	m->free_places[m->n_free++] = place;
}

void log_free(struct arena_marks *m, struct mark *k)
{
	for (size_t i = 0; i < k->n; i++)
		log_give_place(m, k->log[i].place);
	free(k->log);
	k->log = NULL;
	k->n = k->cap = 0;
}

static void remove_mark(struct arena_marks *m, size_t k)
{
	log_free(m, &m->mark[k]);
	memmove(&m->mark[k], &m->mark[k + 1], (m->n - k - 1) * sizeof *m->mark);
	m->n--;
}

size_t log_find_mark(const struct arena_marks *m, uint64_t number)
{
	size_t lo = 0, hi = m ? m->n : 0; /* numbers grow */
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		if (m->mark[mid].number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return m && lo < m->n && m->mark[lo].number == number ? lo : SIZE_MAX;
}

/* The newest whole one; n: there is none. */
static size_t last_whole(const struct arena_marks *m)
{
	for (size_t k = m->n; k-- > 0;)
		if (m->mark[k].whole)
			return k;
	return m->n;
}

static void join(struct arena_marks *m, struct mark *older, struct mark *newer);

/* The oldest that isn't pinned, and for which nothing is being saved; else the oldest. */
static void remove_oldest(struct arena_marks *m)
{
	const size_t whole = last_whole(m);
	size_t k = 0;
	while (k + 1 < m->n && (m->mark[k].pinned || k == whole))
		k++;
	if (k + 1 >= m->n)
		k = 0;
	if (m->mark[k].number == m->base)
		log_forget_ahead(m);
	if (k)
		join(m, &m->mark[k - 1], &m->mark[k]);
	remove_mark(m, k);
}

uint32_t log_free_place(struct arena_marks *m)
{
	if (m->n_free)
		return m->free_places[--m->n_free];
	return m->n_places < m->most ? m->n_places++ : ZEROS;
}

/* A free place; the oldest marks go if there is none. ZEROS: the last has gone. */
static uint32_t take_place(struct arena_marks *m)
{
	if (!m->n_free && m->n_places == m->most)
		log_forget_ahead(m);
	while (!m->n_free && m->n_places == m->most && m->n)
		remove_oldest(m);
	return m->n ? log_free_place(m) : ZEROS;
}

/* ---- saving ---- */

static struct saved *add_to_log(struct mark *k, int section, uint64_t page, bool used)
{
	k->log = xgrow(k->log, &k->cap, k->n + 1, sizeof *k->log);
	k->log[k->n] =
		(struct saved){.page = (uint32_t)page, .place = ZEROS, .section = (uint8_t)section, .used = used};
	return &k->log[k->n++];
}

/* A page and what it held go into the log of a mark. */
static void save(struct arena_marks *m, uint64_t mark, const struct saved *what, const void *bytes)
{
	uint32_t place = ZEROS;
	size_t k = log_find_mark(m, mark);
	if (k == SIZE_MAX)
		return;
	if (what->used && !log_is_zero(bytes)) {
		place = take_place(m);
		k = log_find_mark(m, mark);
		if (k == SIZE_MAX) { /* it had to go itself */
			log_give_place(m, place);
			return;
		}
		memcpy(log_place_bytes(m, place), bytes, ARENA_PAGE);
	}
	add_to_log(&m->mark[k], what->section, what->page, what->used)->place = place;
}

void arena_save_page(struct arena *a, int section, uint64_t page)
{
	struct arena_marks *m = a->marks;
	if (!m->n)
		return;
	const struct saved what = {.page = (uint32_t)page,
				   .section = (uint8_t)section,
				   .used = a->section[section].page_flags[page] & ARENA_PAGE_USED};
	save(m, m->mark[m->n - 1].number, &what, log_page(a, &what));
}

/* ---- beginning and ending ---- */

bool arena_marks_begin(struct arena *a, uint64_t most)
{
	if (a->marks)
		return true;
	most &= ~(ARENA_PAGE - 1);
	assert(most && most >> ARENA_PAGE_SHIFT < ZEROS);
	void *bytes = pages_reserve(most);
	if (!bytes)
		return false;
	a->marks = xcalloc(1, sizeof *a->marks);
	a->marks->bytes = bytes;
	a->marks->most = (uint32_t)(most >> ARENA_PAGE_SHIFT);
	return true;
}

bool arena_marks_allow(struct arena *a, uint64_t most)
{
	struct arena_marks *m = a->marks;
	const uint64_t old = (uint64_t)m->most << ARENA_PAGE_SHIFT;
	most &= ~(ARENA_PAGE - 1);
	if (most <= old || most >> ARENA_PAGE_SHIFT >= ZEROS)
		return most <= old;
	void *bytes = pages_grow(m->bytes, old, most);
	if (!bytes)
		return false;
	m->bytes = bytes;
	m->most = (uint32_t)(most >> ARENA_PAGE_SHIFT);
	return true;
}

void arena_marks_free(struct arena *a)
{
	struct arena_marks *m = a->marks;
	if (!m)
		return;
	log_forget_ahead(m);
	for (size_t k = 0; k < m->n; k++)
		free(m->mark[k].log);
	for (unsigned s = 0; s < ARENA_SECTIONS_MAX; s++) {
		pages_free(m->copy[s].bytes, m->copy[s].reserved);
		free(m->hash[s]);
	}
	pages_free(m->bytes, (uint64_t)m->most << ARENA_PAGE_SHIFT);
	free(m->free_places);
	free(m->ahead);
	free(m->mark);
	free(m);
	a->marks = NULL;
}

/* ---- marks ---- */

static void clean_page(uint8_t *flags) { *flags = (uint8_t)((*flags & ~ARENA_PAGE_DIRTY) | ARENA_PAGE_USED); }

/* All pages that were touched before there was a mark. */
static void clean_all(struct arena *a)
{
	for (unsigned s = 0; s < a->n; s++)
		for (uint64_t p = 0; a->section[s].page_flags && p << ARENA_PAGE_SHIFT < a->section[s].used; p++)
			if (a->section[s].page_flags[p] & ARENA_PAGE_DIRTY)
				clean_page(&a->section[s].page_flags[p]);
}

static void clean_logged(struct arena *a, const struct mark *k)
{
	for (size_t i = 0; i < k->n; i++)
		if (a->section[k->log[i].section].page_flags)
			clean_page(&a->section[k->log[i].section].page_flags[k->log[i].page]);
}

static void verify_section(struct arena *a, unsigned s)
{
	const struct arena_section *sec = &a->section[s];
	const uint64_t pages = sec->reserved >> ARENA_PAGE_SHIFT;
	uint64_t *hash = a->marks->hash[s];
	for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < sec->used; p++) {
		if (!(sec->page_flags[p] & (ARENA_PAGE_DIRTY | ARENA_PAGE_USED)))
			continue; /* looking would make the host give a page */
		const uint64_t h = hash_bytes(sec->base + (p << ARENA_PAGE_SHIFT), ARENA_PAGE, 1);
		if (hash[p] && hash[p] != h && !(sec->page_flags[p] & ARENA_PAGE_DIRTY)) {
			fprintf(stderr,
				"arena: section %s was written at 0x%" PRIx64 " or behind without arena_touch\n",
				sec->name, p << ARENA_PAGE_SHIFT);
			abort();
		}
		assert(p < pages);
		hash[p] = h;
	}
}

static void verify(struct arena *a)
{
	for (unsigned s = 0; s < a->n; s++) {
		if (!a->section[s].page_flags)
			continue;
		if (!a->marks->hash[s])
			a->marks->hash[s] =
				xcalloc(a->section[s].reserved >> ARENA_PAGE_SHIFT, sizeof **a->marks->hash);
		verify_section(a, s);
	}
}

void arena_marks_verify(struct arena *a) { a->marks->verify = true; }

static bool copy_hot(struct arena *a, unsigned s)
{
	struct arena_marks *m = a->marks;
	const struct arena_section *sec = &a->section[s];
	if (!m->copy[s].bytes) {
		m->copy[s].bytes = pages_reserve(sec->reserved);
		m->copy[s].reserved = sec->reserved;
		if (!m->copy[s].bytes)
			return false;
	}
	return true;
}

/* What has changed in a HOT section since the last whole mark goes to that mark's log, and into the copy. Mark 0: there is none. */
static void update_copy(struct arena *a, unsigned s, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	const struct arena_section *sec = &a->section[s];
	const uint64_t n = sec->used > m->copy[s].n ? sec->used : m->copy[s].n;
	for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < n; p++) {
		char *now = sec->base + (p << ARENA_PAGE_SHIFT), *then = m->copy[s].bytes + (p << ARENA_PAGE_SHIFT);
		if ((sec->reached && !sec->reached[p]) || !memcmp(now, then, ARENA_PAGE))
			continue;
		if (mark)
			save(m, mark, &(struct saved){.page = (uint32_t)p, .section = (uint8_t)s, .used = true}, then);
		memcpy(then, now, ARENA_PAGE);
	}
	m->copy[s].n = sec->used;
}

static uint64_t set_mark(struct arena *a, bool whole)
{
	struct arena_marks *m = a->marks;
	if (m->verify)
		verify(a);
	if (m->n)
		clean_logged(a, &m->mark[m->n - 1]);
	else
		clean_all(a);
	m->mark = xgrow(m->mark, &m->cap, m->n + 1, sizeof *m->mark);
	struct mark *k = &m->mark[m->n++];
	*k = (struct mark){.number = ++m->last_number, .whole = whole};
	for (unsigned s = 0; s < a->n; s++)
		k->used[s] = a->section[s].used;
	return k->number;
}

uint64_t arena_mark(struct arena *a) { return a->marks ? set_mark(a, false) : 0; }

uint64_t arena_mark_whole(struct arena *a)
{
	struct arena_marks *m = a->marks;
	if (!m)
		return 0;
	for (unsigned s = 0; s < a->n; s++)
		if (a->section[s].kind == ARENA_HOT && !copy_hot(a, s))
			return 0;
	for (unsigned s = 0; s < a->n; s++)
		if (a->section[s].kind == ARENA_HOT) {
			const size_t k = last_whole(m); /* may go while pages are saved */
			update_copy(a, s, k < m->n ? m->mark[k].number : 0);
		}
	return set_mark(a, true);
}

bool arena_marks_adopt(struct arena *a)
{
	struct arena_marks *m = a->marks;
	if (!m || !m->n)
		return true;
	for (unsigned s = 0; s < a->n; s++) {
		const bool is_hot = a->section[s].kind == ARENA_HOT;
		if (is_hot ? m->copy[s].bytes != NULL : !a->section[s].beside || m->mark[0].used[s])
			continue;
		if (is_hot && !copy_hot(a, s))
			return false;
		if (is_hot)
			update_copy(a, s, 0);
		for (size_t k = 0; k < m->n; k++)
			m->mark[k].used[s] = a->section[s].used;
		for (size_t k = 0; k < m->n_ahead; k++)
			m->ahead[k].used[s] = a->section[s].used;
	}
	return true;
}

bool arena_has_mark(const struct arena *a, uint64_t mark) { return log_find_mark(a->marks, mark) != SIZE_MAX; }
size_t arena_mark_count(const struct arena *a) { return a->marks ? a->marks->n : 0; }
uint64_t arena_mark_number(const struct arena *a, size_t k) { return a->marks->mark[k].number; }

/* Of what a sparse section never wrote the copy has nothing. */
static uint64_t copy_bytes(const struct arena_marks *m, const struct arena_section *sec, unsigned s)
{
	uint64_t n = 0;
	if (!sec->reached)
		return m->copy[s].n;
	for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < m->copy[s].n; p++)
		n += sec->reached[p] ? ARENA_PAGE : 0;
	return n;
}

uint64_t arena_marks_bytes(const struct arena *a)
{
	const struct arena_marks *m = a->marks;
	uint64_t n = m ? (uint64_t)(m->n_places - m->n_free) << ARENA_PAGE_SHIFT : 0;
	for (size_t k = 0; m && k < m->n_ahead; k++)
		for (size_t i = 0; i < m->ahead[k].n; i++)
			n -= m->ahead[k].log[i].place != ZEROS ? ARENA_PAGE : 0;
	for (unsigned s = 0; m && s < a->n; s++)
		n += copy_bytes(m, &a->section[s], s);
	return n;
}

void arena_pin_mark(struct arena *a, uint64_t mark, bool on)
{
	const size_t k = log_find_mark(a->marks, mark);
	if (k != SIZE_MAX)
		a->marks->mark[k].pinned = on;
}

/* ---- taking a mark out ---- */

static int by_page(const void *a, const void *b)
{
	const struct saved *x = a, *y = b;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->page < y->page ? -1 : x->page > y->page;
}

static void join(struct arena_marks *m, struct mark *older, struct mark *newer)
{
	const size_t n = older->n;
	if (n)
		qsort(older->log, n, sizeof *older->log, by_page);
	for (size_t i = 0; i < newer->n; i++) {
		const struct saved *s = &newer->log[i];
		if (n && bsearch(s, older->log, n, sizeof *s, by_page)) {
			log_give_place(m, s->place);
			continue;
		}
		*add_to_log(older, s->section, s->page, s->used) = *s;
	}
	newer->n = 0;
}

void arena_drop_mark(struct arena *a, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	const size_t k = log_find_mark(m, mark);
	assert(k != SIZE_MAX && k + 1 < m->n && k != last_whole(m));
	if (mark == m->base)
		log_forget_ahead(m);
	if (k)
		join(m, &m->mark[k - 1], &m->mark[k]);
	remove_mark(m, k);
}

/* ---- going back ---- */

static void put_back(struct arena *a, const struct saved *s)
{
	const struct arena_marks *m = a->marks;
	char *page = log_page(a, s);
	uint8_t *flags = a->section[s->section].page_flags;
	if (s->place != ZEROS)
		memcpy(page, log_place_bytes(m, s->place), ARENA_PAGE);
	else if (flags)
		pages_drop(page, ARENA_PAGE);
	if (s->place == ZEROS && !log_is_zero(page)) /* HOT; or a file's that others have, too */
		memset(page, 0, ARENA_PAGE);
	if (flags) {
		flags[s->page] &= (uint8_t) ~(ARENA_PAGE_DIRTY | ARENA_PAGE_USED);
		flags[s->page] |= s->used ? ARENA_PAGE_USED : 0;
	}
}

/* HOT sections become what the copy has. */
static void take_copy(struct arena *a)
{
	struct arena_marks *m = a->marks;
	for (unsigned s = 0; s < a->n; s++) {
		struct arena_section *sec = &a->section[s];
		if (sec->kind != ARENA_HOT)
			continue;
		const uint64_t n = sec->used > m->copy[s].n ? sec->used : m->copy[s].n;
		for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < n; p++) {
			char *now = sec->base + (p << ARENA_PAGE_SHIFT),
			     *then = m->copy[s].bytes + (p << ARENA_PAGE_SHIFT);
			if ((!sec->reached || sec->reached[p]) && memcmp(now, then, ARENA_PAGE))
				memcpy(now, then, ARENA_PAGE);
		}
	}
}

/* The pages of HOT sections that a log has are in the copy, too. */
void log_copy_page(struct arena *a, const struct saved *s)
{
	if (a->section[s->section].kind == ARENA_HOT)
		memcpy(a->marks->copy[s->section].bytes + ((uint64_t)s->page << ARENA_PAGE_SHIFT), log_page(a, s),
		       ARENA_PAGE);
}

void log_use(struct arena *a, const struct mark *k)
{
	struct arena_marks *m = a->marks;
	for (unsigned s = 0; s < a->n; s++) {
		a->section[s].used = k->used[s];
		m->copy[s].n = a->section[s].kind == ARENA_HOT ? a->section[s].used : 0;
	}
	for (unsigned s = 0; m->verify && s < a->n; s++) {
		free(m->hash[s]);
		m->hash[s] = NULL;
	}
}

bool arena_go_back(struct arena *a, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	const size_t k = log_find_mark(m, mark);
	if (k == SIZE_MAX || !m->mark[k].whole)
		return false;
	if (mark < m->base)
		log_forget_ahead(m);
	take_copy(a);
	while (m->n > k + 1 || m->mark[k].n) {
		struct mark *last = &m->mark[m->n - 1];
		for (size_t i = 0; i < last->n; i++) {
			put_back(a, &last->log[i]);
			log_copy_page(a, &last->log[i]);
		}
		log_free(m, last);
		m->n -= m->n > k + 1;
	}
	log_use(a, &m->mark[k]);
	return true;
}

/* ---- for observers ---- */

/* By page, and for one page the oldest log's first: they are appended in that order, and places tell nothing. */
struct found {
	struct saved s;
	size_t order;
};

static int by_page_and_age(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	const int pages = by_page(&x->s, &y->s);
	return pages ? pages : x->order < y->order ? -1 : x->order > y->order;
}

static struct found *find_all(const struct arena_marks *m, size_t k, int section, size_t *n)
{
	struct found *v = NULL;
	size_t cap = 0;
	for (*n = 0; k < m->n; k++)
		for (size_t i = 0; i < m->mark[k].n; i++)
			if (m->mark[k].log[i].section == section) {
				v = xgrow(v, &cap, *n + 1, sizeof *v);
				v[*n] = (struct found){m->mark[k].log[i], *n};
				++*n;
			}
	if (*n)
		qsort(v, *n, sizeof *v, by_page_and_age);
	return v;
}

struct arena_saved_page *arena_saved_since(const struct arena *a, uint64_t mark, int section, size_t *n)
{
	const struct arena_marks *m = a->marks;
	const size_t k = log_find_mark(m, mark);
	*n = 0;
	if (k == SIZE_MAX)
		return NULL;
	size_t n_found;
	struct found *found = find_all(m, k, section, &n_found);
	struct arena_saved_page *out = n_found ? xcalloc(n_found, sizeof *out) : NULL;
	for (size_t i = 0; i < n_found; i++) {
		if (i && found[i].s.page == found[i - 1].s.page)
			continue;
		out[*n].offset = (uint64_t)found[i].s.page << ARENA_PAGE_SHIFT;
		out[(*n)++].bytes = found[i].s.place == ZEROS ? NULL : log_place_bytes(m, found[i].s.place);
	}
	free(found);
	return out;
}

uint64_t arena_mark_of_write(const struct arena *a, uint64_t before, int section, uint64_t offset, uint64_t n)
{
	const struct arena_marks *m = a->marks;
	const uint64_t first = offset >> ARENA_PAGE_SHIFT, last = (offset + n - 1) >> ARENA_PAGE_SHIFT;
	for (size_t k = log_find_mark(m, before); k-- > 0;)
		for (size_t i = 0; i < m->mark[k].n; i++) {
			const struct saved *s = &m->mark[k].log[i];
			if (s->section == section && s->page >= first && s->page <= last)
				return m->mark[k].number;
		}
	return 0;
}

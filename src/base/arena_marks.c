#include "base/arena_log.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/pages.h"
#include "base/xalloc.h"

/* ---- saving ---- */

void arena_save_page(struct arena *a, int section, uint64_t page)
{
	struct arena_marks *m = a->marks;
	if (!m->n || (a->section[section].only_whole && log_last_whole(m) == m->n))
		return;
	const struct saved what = {.page = (uint32_t)page,
				   .section = (uint8_t)section,
				   .used = a->section[section].page_flags[page] & ARENA_PAGE_USED};
	log_save_page(m, m->mark[m->n - 1].number, &what, log_page(a, &what));
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
	log_drop_ahead(m);
	for (size_t k = 0; k < m->n; k++) {
		free(m->mark[k].log.saved);
		free(m->mark[k].log.place);
	}
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

static void clean_logged(struct arena *a, const struct log *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (a->section[l->saved[i].section].page_flags)
			clean_page(&a->section[l->saved[i].section].page_flags[l->saved[i].page]);
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

/* Adds what has changed in a HOT section since the last whole mark to that mark's log, and to the copy. Mark 0: there is none. */
static void update_copy(struct arena *a, unsigned s, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	const struct arena_section *sec = &a->section[s];
	const uint64_t n = sec->used > m->copy[s].n ? sec->used : m->copy[s].n;
	for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < n; p++) {
		char *now = sec->base + (p << ARENA_PAGE_SHIFT), *then = m->copy[s].bytes + (p << ARENA_PAGE_SHIFT);
		if (sec->written && !sec->written[p])
			continue;
		m->cost.compared++;
		if (!memcmp(now, then, ARENA_PAGE))
			continue;
		const struct saved what = {.page = (uint32_t)p,
					   .section = (uint8_t)s,
					   .used = true,
					   .lines = log_lines_changed(now, then)};
		if (mark)
			log_save_lines(m, mark, &what, then);
		log_copy_lines(then, now, what.lines);
		m->cost.changed++;
	}
	m->copy[s].n = sec->used;
}

static uint64_t set_mark(struct arena *a, bool whole)
{
	struct arena_marks *m = a->marks;
	if (m->verify)
		verify(a);
	if (m->n)
		clean_logged(a, &m->mark[m->n - 1].log);
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
	m->cost = (struct arena_mark_cost){0};
	if (m->n)
		m->cost.saved = m->mark[m->n - 1].log.n;
	if (m->n)
		log_trim(a, &m->mark[m->n - 1].log);
	for (unsigned s = 0; s < a->n; s++)
		if (a->section[s].kind == ARENA_HOT) {
			const size_t k = log_last_whole(m); /* may go while pages are saved */
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
		if (is_hot ? m->copy[s].bytes != NULL : !a->section[s].is_tool_state || m->mark[0].used[s])
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
	if (!sec->written)
		return m->copy[s].n;
	for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < m->copy[s].n; p++)
		n += sec->written[p] ? ARENA_PAGE : 0;
	return n;
}

static uint64_t list_bytes(const struct log *l) { return l->n * sizeof *l->saved; }

uint64_t arena_marks_bytes(const struct arena *a)
{
	const struct arena_marks *m = a->marks;
	uint64_t n = m ? (uint64_t)(m->n_places - m->n_free) << ARENA_PAGE_SHIFT : 0;
	for (size_t k = 0; m && k < m->n; k++)
		n += list_bytes(&m->mark[k].log);
	for (size_t k = 0; m && k < m->n_ahead; k++)
		n += list_bytes(&m->ahead[k].log);
	for (unsigned s = 0; m && s < a->n; s++)
		n += copy_bytes(m, &a->section[s], s);
	return n;
}

uint64_t arena_ahead_bytes(const struct arena *a)
{
	const struct arena_marks *m = a->marks;
	uint64_t n = 0;
	for (size_t k = 0; m && k < m->n_ahead; k++) {
		const struct log *l = &m->ahead[k].log;
		n += list_bytes(l) + ((uint64_t)l->n_places << ARENA_PAGE_SHIFT);
		for (size_t i = 0; i < l->n; i++)
			n += l->saved[i].whole && l->saved[i].place != ZEROS ? ARENA_PAGE : 0;
	}
	return n;
}

void arena_marks_cost(const struct arena *a, struct arena_mark_cost *out)
{
	*out = a->marks ? a->marks->cost : (struct arena_mark_cost){0};
}

void arena_pin_mark(struct arena *a, uint64_t mark, bool on)
{
	const size_t k = log_find_mark(a->marks, mark);
	if (k != SIZE_MAX)
		a->marks->mark[k].pinned = on;
}

/* ---- taking a mark out ---- */

void arena_drop_mark(struct arena *a, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	const size_t k = log_find_mark(m, mark);
	assert(k != SIZE_MAX && k + 1 < m->n && k != log_last_whole(m));
	if (mark == m->base)
		log_drop_ahead(m);
	if (k)
		log_join(m, &m->mark[k - 1].log, &m->mark[k].log);
	log_remove_mark(m, k);
}

/* ---- going back ---- */

static void put_back(struct arena *a, const struct log *l, const struct saved *s)
{
	char *page = log_page(a, s);
	uint8_t *flags = a->section[s->section].page_flags;
	if (flags && s->whole && s->place == ZEROS)
		pages_drop(page, ARENA_PAGE);
	if (!s->whole || s->place != ZEROS || !log_is_zero(page)) /* HOT; or a file's that others have, too */
		log_bytes_of(a->marks, l, s, page);
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
			if ((!sec->written || sec->written[p]) && memcmp(now, then, ARENA_PAGE))
				memcpy(now, then, ARENA_PAGE);
		}
	}
}

void log_copy_page(struct arena *a, const struct saved *s)
{
	if (a->section[s->section].kind == ARENA_HOT)
		log_copy_lines(a->marks->copy[s->section].bytes + ((uint64_t)s->page << ARENA_PAGE_SHIFT),
			       log_page(a, s), s->whole ? UINT64_MAX : s->lines);
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
		log_drop_ahead(m);
	take_copy(a);
	while (m->n > k + 1 || m->mark[k].log.n) {
		struct log *last = &m->mark[m->n - 1].log;
		for (size_t i = last->n; i-- > 0;) { /* of two entries for a line the first counts */
			put_back(a, last, &last->saved[i]);
			log_copy_page(a, &last->saved[i]);
		}
		log_free(m, last);
		m->n -= m->n > k + 1;
	}
	log_use(a, &m->mark[k]);
	return true;
}

/* ---- for observers ---- */

/* An entry of a section; by page, and for one page by age: the oldest first. */
struct found {
	const struct saved *saved;
	const struct log *log;
	size_t order;
};

static int by_page_and_age(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	if (x->saved->page != y->saved->page)
		return x->saved->page < y->saved->page ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static struct found *find_all(const struct arena_marks *m, size_t k, int section, size_t *n)
{
	struct found *v = NULL;
	size_t cap = 0;
	for (*n = 0; k < m->n; k++)
		for (size_t i = 0; i < m->mark[k].log.n; i++)
			if (m->mark[k].log.saved[i].section == section) {
				v = xgrow(v, &cap, *n + 1, sizeof *v);
				v[*n] = (struct found){&m->mark[k].log.saved[i], &m->mark[k].log, *n};
				++*n;
			}
	if (*n)
		qsort(v, *n, sizeof *v, by_page_and_age);
	return v;
}

/* Has the mark's log all of the page? */
static bool is_complete(const struct found *f) { return f->saved->whole; }

/* Makes a page as it was at the oldest of its n entries, from the newest on. */
static void compose(const struct arena *a, const struct found *f, size_t n, char *page)
{
	memcpy(page, log_page(a, f->saved), ARENA_PAGE);
	while (n-- > 0)
		log_bytes_of(a->marks, f[n].log, f[n].saved, page);
}

struct arena_saved_page *arena_saved_since(const struct arena *a, uint64_t mark, int section, size_t *n)
{
	const struct arena_marks *m = a->marks;
	const size_t k = log_find_mark(m, mark);
	*n = 0;
	if (k == SIZE_MAX)
		return NULL;
	size_t n_found, n_pages = 0, n_made = 0, same;
	struct found *found = find_all(m, k, section, &n_found);
	for (size_t i = 0; i < n_found; i++) {
		const bool is_first = !i || found[i].saved->page != found[i - 1].saved->page;
		n_pages += is_first;
		n_made += is_first && !is_complete(&found[i]);
	}
	/* behind the pages' descriptions come those that had to be made */
	struct arena_saved_page *out = n_pages ? xmalloc(n_pages * sizeof *out + n_made * ARENA_PAGE) : NULL;
	char *made = (char *)(out + n_pages);
	for (size_t i = 0; i < n_found; i += same) {
		const struct saved *s = found[i].saved;
		for (same = 1; i + same < n_found && found[i + same].saved->page == s->page;)
			same++;
		struct arena_saved_page *p = &out[(*n)++];
		*p = (struct arena_saved_page){.offset = (uint64_t)s->page << ARENA_PAGE_SHIFT};
		if (is_complete(&found[i])) {
			p->bytes = s->place == ZEROS ? NULL : log_place_bytes(m, s->place);
			continue;
		}
		compose(a, &found[i], same, made);
		p->bytes = log_is_zero(made) ? NULL : made;
		made += ARENA_PAGE;
	}
	free(found);
	return out;
}

uint64_t arena_mark_of_write(const struct arena *a, uint64_t before, int section, uint64_t offset, uint64_t n)
{
	const struct arena_marks *m = a->marks;
	const uint64_t first = offset >> ARENA_PAGE_SHIFT, last = (offset + n - 1) >> ARENA_PAGE_SHIFT;
	for (size_t k = log_find_mark(m, before); k-- > 0;)
		for (size_t i = 0; i < m->mark[k].log.n; i++) {
			const struct saved *s = &m->mark[k].log.saved[i];
			if (s->section == section && s->page >= first && s->page <= last)
				return m->mark[k].number;
		}
	return 0;
}

/* What marks keep of pages: whole pages, or single lines of them, and how logs of two marks become one. */
#include "base/arena_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"

#define FREE_KEPT 2048u /* free places whose memory stays with the program: most are taken again soon */
#define TRIM_MOST 48u	/* a page of which more lines changed stays whole */

bool log_is_zero(const void *page)
{
	const uint64_t *v = page;
	for (unsigned k = 0; k < ARENA_PAGE / sizeof *v; k += 8)
		if (v[k] | v[k + 1] | v[k + 2] | v[k + 3] | v[k + 4] | v[k + 5] | v[k + 6] | v[k + 7])
			return false;
	return true;
}

/* ---- places ---- */

void log_give_place(struct arena_marks *m, uint32_t place)
{
	if (place == ZEROS)
		return;
	if (m->n_free >= FREE_KEPT)
		pages_drop(log_place_bytes(m, place), ARENA_PAGE);
	m->free_places = xgrow(m->free_places, &m->cap_free, m->n_free + 1, sizeof *m->free_places);
	m->free_places[m->n_free++] = place;
}

uint32_t log_free_place(struct arena_marks *m)
{
	if (m->n_free)
		return m->free_places[--m->n_free];
	return m->n_places < m->most ? m->n_places++ : ZEROS;
}

void log_free(struct arena_marks *m, struct log *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->saved[i].whole)
			log_give_place(m, l->saved[i].place);
	for (size_t i = 0; i < l->n_places; i++)
		log_give_place(m, l->place[i]);
	free(l->saved);
	free(l->place);
	*l = (struct log){0};
}

/* ---- marks ---- */

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

size_t log_last_whole(const struct arena_marks *m)
{
	for (size_t k = m->n; k-- > 0;)
		if (m->mark[k].whole)
			return k;
	return m->n;
}

void log_remove_mark(struct arena_marks *m, size_t k)
{
	log_free(m, &m->mark[k].log);
	memmove(&m->mark[k], &m->mark[k + 1], (m->n - k - 1) * sizeof *m->mark);
	m->n--;
}

/* Removes the oldest mark that isn't pinned and isn't the newest whole one; without such a mark the oldest. */
static void remove_oldest(struct arena_marks *m)
{
	const size_t whole = log_last_whole(m);
	size_t k = 0;
	while (k + 1 < m->n && (m->mark[k].pinned || k == whole))
		k++;
	if (k + 1 >= m->n)
		k = 0;
	if (m->mark[k].number == m->base)
		log_drop_ahead(m);
	if (k)
		log_join(m, &m->mark[k - 1].log, &m->mark[k].log);
	log_remove_mark(m, k);
}

/* Returns a free place for the log of a mark, removing the oldest marks if there is none. Returns ZEROS if that mark is gone. */
static uint32_t take_place(struct arena_marks *m, uint64_t mark)
{
	if (!m->n_free && m->n_places == m->most)
		log_drop_ahead(m);
	while (!m->n_free && m->n_places == m->most && m->n)
		remove_oldest(m);
	const uint32_t place = m->n ? log_free_place(m) : ZEROS;
	if (log_find_mark(m, mark) != SIZE_MAX)
		return place;
	log_give_place(m, place);
	return ZEROS;
}

/* ---- saving ---- */

static struct saved *add_entry(struct log *l, const struct saved *what)
{
	l->saved = xgrow(l->saved, &l->cap, l->n + 1, sizeof *l->saved);
	l->saved[l->n] = *what;
	return &l->saved[l->n++];
}

void log_save_page(struct arena_marks *m, uint64_t mark, const struct saved *what, const void *bytes)
{
	struct saved s = *what;
	s.place = ZEROS;
	s.whole = true;
	if (log_find_mark(m, mark) == SIZE_MAX)
		return;
	if (what->used && !log_is_zero(bytes)) {
		s.place = take_place(m, mark);
		if (s.place == ZEROS)
			return;
		memcpy(log_place_bytes(m, s.place), bytes, ARENA_PAGE);
	}
	add_entry(&m->mark[log_find_mark(m, mark)].log, &s);
}

static size_t places_of(uint32_t lines) { return (lines + LINES - 1) / LINES; }

static void add_place(struct log *l, uint32_t place)
{
	l->place = xgrow(l->place, &l->cap_places, l->n_places + 1, sizeof *l->place);
	l->place[l->n_places++] = place;
}

typedef uint64_t words __attribute__((vector_size(16), aligned(16)));

static bool line_differs(const words *a, const words *b)
{
	const words differ = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
	return differ[0] | differ[1];
}

uint64_t log_lines_changed(const char *a, const char *b)
{
	const words *x = (const void *)a, *y = (const void *)b;
	uint64_t lines = 0;
	for (unsigned k = 0; k < LINES; k++, x += 4, y += 4)
		lines |= (uint64_t)line_differs(x, y) << k;
	return lines;
}

void log_copy_lines(char *to, const char *from, uint64_t lines)
{
	for (; lines; lines &= lines - 1) {
		const uint64_t at = (uint64_t)__builtin_ctzll(lines) * LINE_BYTES;
		memcpy(to + at, from + at, LINE_BYTES);
	}
}

/* Adds an entry with its lines, for which there are places. */
static void add_lines(struct arena_marks *m, struct log *l, const struct saved *what, const char *bytes)
{
	struct saved *s = add_entry(l, what);
	s->place = l->n_lines;
	s->whole = false;
	for (uint64_t left = s->lines; left; left &= left - 1)
		memcpy(log_line(m, l, l->n_lines++), bytes + (uint64_t)__builtin_ctzll(left) * LINE_BYTES, LINE_BYTES);
}

void log_save_lines(struct arena_marks *m, uint64_t mark, const struct saved *what, const char *bytes)
{
	const uint32_t n = (uint32_t)__builtin_popcountll(what->lines);
	size_t k = log_find_mark(m, mark);
	while (k != SIZE_MAX && m->mark[k].log.n_places < places_of(m->mark[k].log.n_lines + n)) {
		const uint32_t place = take_place(m, mark);
		k = log_find_mark(m, mark);
		if (k != SIZE_MAX)
			add_place(&m->mark[k].log, place);
	}
	if (k != SIZE_MAX)
		add_lines(m, &m->mark[k].log, what, bytes);
}

/* Keeps lines of a whole entry instead of the page. False: there is no place for them. */
static bool trim(struct arena_marks *m, struct log *l, size_t i, uint64_t lines)
{
	struct saved *s = &l->saved[i];
	const uint32_t n = (uint32_t)__builtin_popcountll(lines), whole = s->place;
	if (l->n_places < places_of(l->n_lines + n)) {
		const uint32_t place = log_free_place(m);
		if (place == ZEROS)
			return false;
		add_place(l, place);
	}
	s->place = l->n_lines;
	s->whole = false;
	s->lines = lines;
	for (uint64_t left = lines; left; left &= left - 1)
		memcpy(log_line(m, l, l->n_lines++),
		       log_place_bytes(m, whole) + (uint64_t)__builtin_ctzll(left) * LINE_BYTES, LINE_BYTES);
	log_give_place(m, whole);
	return true;
}

void log_trim(struct arena *a, struct log *l)
{
	if (l->n_lines)
		return; /* lines lie in the order of the entries */
	for (size_t i = 0; i < l->n; i++) {
		const struct saved *s = &l->saved[i];
		if (!s->whole || s->place == ZEROS)
			continue;
		const uint64_t lines = log_lines_changed(log_place_bytes(a->marks, s->place), log_page(a, s));
		if ((unsigned)__builtin_popcountll(lines) <= TRIM_MOST && !trim(a->marks, l, i, lines))
			return;
	}
}

/* ---- entries back to pages ---- */

void log_bytes_of(const struct arena_marks *m, const struct log *l, const struct saved *s, char *page)
{
	uint32_t line = s->place;
	if (!s->whole)
		for (uint64_t left = s->lines; left; left &= left - 1)
			memcpy(page + (uint64_t)__builtin_ctzll(left) * LINE_BYTES, log_line(m, l, line++), LINE_BYTES);
	else if (s->place == ZEROS)
		memset(page, 0, ARENA_PAGE);
	else
		memcpy(page, log_place_bytes(m, s->place), ARENA_PAGE);
}

/* ---- two logs become one ---- */

/* A page's section and number, with the index of its entry: in that order. */
static uint64_t key_of(const struct saved *s) { return (uint64_t)s->section << 32 | s->page; }

struct key {
	uint64_t page;
	uint64_t lines; /* that the entry has */
};

static int by_page(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	return x->page < y->page ? -1 : x->page > y->page;
}

static struct key *sorted_keys(const struct log *l)
{
	struct key *keys = xmalloc((l->n + 1) * sizeof *keys);
	bool is_sorted = true;
	for (size_t i = 0; i < l->n; i++) {
		keys[i] = (struct key){key_of(&l->saved[i]), l->saved[i].whole ? UINT64_MAX : l->saved[i].lines};
		is_sorted = is_sorted && (!i || keys[i - 1].page <= keys[i].page);
	}
	if (!is_sorted)
		qsort(keys, l->n, sizeof *keys, by_page);
	return keys;
}

/* Returns the lines of a page that the entries behind `keys` have; *found: there is one. */
static uint64_t lines_in(const struct key *keys, size_t n, uint64_t page, bool *found)
{
	size_t lo = 0, hi = n;
	uint64_t lines = 0;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		if (keys[mid].page < page)
			lo = mid + 1;
		else
			hi = mid;
	}
	*found = lo < n && keys[lo].page == page;
	for (; lo < n && keys[lo].page == page; lo++)
		lines |= keys[lo].lines;
	return lines;
}

/* Moves those of an entry's lines that are wanted to the log's end, which lies in front of them. */
static void move_lines(struct arena_marks *m, struct log *l, uint32_t from, uint64_t lines, uint64_t wanted)
{
	for (uint64_t left = lines; left; left &= left - 1, from++)
		if (wanted >> __builtin_ctzll(left) & 1)
			memmove(log_line(m, l, l->n_lines++), log_line(m, l, from), LINE_BYTES);
}

/* The places of the newer log's lines come behind the older one's. Returns the number that its first line then has. */
static uint32_t append_places(struct log *older, struct log *newer)
{
	const uint32_t first = (uint32_t)older->n_places * LINES;
	for (size_t i = 0; i < newer->n_places; i++)
		add_place(older, newer->place[i]);
	newer->n_places = 0;
	newer->n_lines = 0;
	return first;
}

void log_join(struct arena_marks *m, struct log *older, struct log *newer)
{
	const size_t n = older->n;
	struct key *keys = sorted_keys(older);
	const uint32_t first = append_places(older, newer);
	for (size_t i = 0; i < newer->n; i++) {
		struct saved s = newer->saved[i];
		bool found;
		const uint64_t had = lines_in(keys, n, key_of(&s), &found);
		if (s.whole) {
			if (had != UINT64_MAX)
				add_entry(older, &s);
			else
				log_give_place(m, s.place);
			continue;
		}
		const uint64_t wanted = s.lines & ~had;
		const uint32_t from = first + s.place;
		if (found && !wanted)
			continue;
		s.place = older->n_lines;
		move_lines(m, older, from, s.lines, wanted);
		s.lines = wanted;
		add_entry(older, &s);
	}
	while (older->n_places > places_of(older->n_lines))
		log_give_place(m, older->place[--older->n_places]);
	newer->n = 0;
	free(keys);
}

/* Going back for a look only: what is put back is exchanged for what was there, so that the same pages lead forward again. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena_log.h"
#include "base/pages.h"
#include "base/xalloc.h"

void log_drop_ahead(struct arena_marks *m)
{
	while (m->n_ahead)
		log_free(m, &m->ahead[--m->n_ahead].log);
	m->base = 0;
}

uint64_t arena_visit_origin(const struct arena *a) { return a->marks ? a->marks->base : 0; }

static void clear_page(struct arena *a, const struct saved *s, char *page)
{
	if (a->section[s->section].page_flags)
		pages_drop(page, ARENA_PAGE);
	if (!log_is_zero(page)) /* HOT; or a file's that others have, too */
		memset(page, 0, ARENA_PAGE);
}

/* Exchanges a whole page with what its entry has. Returns false if there is no room for what the page held: that is gone. */
static bool exchange_page(struct arena *a, struct saved *s)
{
	struct arena_marks *m = a->marks;
	char *page = log_page(a, s), held[ARENA_PAGE];
	const bool was_zero = log_is_zero(page);
	const uint32_t saved = s->place;
	if (was_zero && saved == ZEROS)
		return true;
	memcpy(held, page, ARENA_PAGE);
	if (saved == ZEROS)
		clear_page(a, s, page);
	else
		memcpy(page, log_place_bytes(m, saved), ARENA_PAGE);
	if (was_zero)
		log_give_place(m, saved);
	s->place = was_zero ? ZEROS : saved != ZEROS ? saved : log_free_place(m);
	if (s->place != ZEROS)
		memcpy(log_place_bytes(m, s->place), held, ARENA_PAGE);
	return was_zero || s->place != ZEROS;
}

/* Exchanges the lines of an entry with those of its page. */
static void exchange_lines(struct arena *a, const struct log *l, const struct saved *s)
{
	uint32_t line = s->place;
	for (uint64_t left = s->lines; left; left &= left - 1) {
		char held[LINE_BYTES], *in_page = log_page(a, s) + (uint64_t)__builtin_ctzll(left) * LINE_BYTES,
				       *in_log = log_line(a->marks, l, line++);
		memcpy(held, in_page, LINE_BYTES);
		memcpy(in_page, in_log, LINE_BYTES);
		memcpy(in_log, held, LINE_BYTES);
	}
}

/* `used`: it had been written by then. */
static void set_flags(struct arena *a, const struct saved *s, bool used)
{
	uint8_t *flags = a->section[s->section].page_flags;
	if (!flags)
		return;
	flags[s->page] &= (uint8_t) ~(ARENA_PAGE_DIRTY | ARENA_PAGE_USED);
	flags[s->page] |= used ? ARENA_PAGE_USED : 0;
}

static bool exchange_one(struct arena *a, const struct log *l, struct saved *s, bool used)
{
	bool kept = true;
	if (s->whole)
		kept = exchange_page(a, s);
	else
		exchange_lines(a, l, s);
	set_flags(a, s, used);
	log_copy_page(a, s);
	return kept;
}

/* From the newest mark to the one in front of it, which is the newest then. False: there is no way forward any more. */
static bool one_back(struct arena *a)
{
	struct arena_marks *m = a->marks;
	struct mark *under = &m->mark[m->n - 2], go = m->mark[m->n - 1];
	bool kept = true;
	log_free(m, &go.log);
	go.log = under->log;
	under->log = (struct log){0};
	m->n--;
	m->base = under->number;
	for (size_t i = go.log.n; i-- > 0;) /* of two entries for a line the first counts */
		kept = exchange_one(a, &go.log, &go.log.saved[i], go.log.saved[i].used) && kept;
	m->ahead = xgrow(m->ahead, &m->cap_ahead, m->n_ahead + 1, sizeof *m->ahead);
	m->ahead[m->n_ahead++] = go;
	return kept;
}

/* In the opposite order: a place that is needed was given back on the way. */
static void one_forward(struct arena *a)
{
	struct arena_marks *m = a->marks;
	struct mark go = m->ahead[--m->n_ahead], *under = &m->mark[m->n - 1];
	for (size_t i = 0; i < go.log.n; i++) {
		const bool kept = exchange_one(a, &go.log, &go.log.saved[i], true);
		assert(kept);
		(void)kept;
	}
	log_free(m, &under->log);
	under->log = go.log;
	go.log = (struct log){0};
	m->mark = xgrow(m->mark, &m->cap, m->n + 1, sizeof *m->mark);
	m->mark[m->n++] = go;
}

bool arena_visit(struct arena *a, uint64_t now, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	const size_t k = log_find_mark(m, mark);
	const uint64_t from = m && m->base ? m->base : now;
	bool kept = true;
	if (k == SIZE_MAX || !m->mark[k].whole)
		return false;
	if (mark >= from || !arena_go_back(a, from))
		return arena_go_back(a, mark);
	while (m->n > k + 1)
		kept = one_back(a) && kept;
	if (!kept)
		log_drop_ahead(m);
	log_use(a, &m->mark[k]);
	return true;
}

bool arena_visit_later(struct arena *a, uint64_t mark)
{
	struct arena_marks *m = a->marks;
	if (!m || !m->n_ahead || !arena_go_back(a, m->base))
		return false;
	do
		one_forward(a);
	while (m->n_ahead && m->mark[m->n - 1].number != mark);
	m->base = m->n_ahead ? m->mark[m->n - 1].number : 0;
	log_use(a, &m->mark[m->n - 1]);
	return true;
}

bool arena_visit_end(struct arena *a) { return arena_visit_later(a, 0); }

void arena_visit_stay(struct arena *a)
{
	if (a->marks)
		log_drop_ahead(a->marks);
}

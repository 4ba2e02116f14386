#include "base/arena.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena_marks.h"
#include "base/hash.h"
#include "base/pages.h"

#define PAGE_WRITTEN (ARENA_PAGE_DIRTY | ARENA_PAGE_USED)

/* Sections don't begin at equal places of the host's caches: most are used from their beginning, and looked at together. */
static uint64_t colour_of(unsigned section) { return section * 37 % 128 * ARENA_PAGE; }

void arena_init(struct arena *a) { *a = (struct arena){0}; }

void arena_free(struct arena *a)
{
	arena_marks_free(a);
	for (unsigned i = 0; i < a->n; i++) {
		struct arena_section *s = &a->section[i];
		pages_free(s->base - colour_of(i), s->reserved + colour_of(i));
		pages_free(s->page_flags, s->reserved >> ARENA_PAGE_SHIFT);
		pages_free(s->written, s->reserved >> ARENA_PAGE_SHIFT);
	}
	*a = (struct arena){0};
}

int arena_add(struct arena *a, const char *name, enum arena_kind kind, uint64_t bytes)
{
	assert(a->n < ARENA_SECTIONS_MAX);
	bytes = (bytes + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1);
	struct arena_section s = {.name = name, .kind = kind, .reserved = bytes, .base = pages_reserve(bytes + colour_of(a->n))};
	if (!s.base)
		return -1;
	s.base += colour_of(a->n);
	if (kind == ARENA_PAGED) {
		s.page_flags = pages_reserve(bytes >> ARENA_PAGE_SHIFT);
		if (!s.page_flags) {
			pages_free(s.base - colour_of(a->n), bytes + colour_of(a->n));
			return -1;
		}
	}
	a->section[a->n] = s;
	return (int)a->n++;
}

void arena_dense(struct arena *a, int section)
{
	/* as good without: nothing to tell if the host refuses */
	const uint64_t colour = colour_of((unsigned)section);
	(void)madvise(a->section[section].base - colour, a->section[section].reserved + colour, MADV_HUGEPAGE);
}

bool arena_use(struct arena *a, int section, uint64_t end)
{
	struct arena_section *s = &a->section[section];
	if (end > s->reserved)
		return false;
	if (end > s->used)
		s->used = end;
	return true;
}

/* apart, so that sections that are not paged cost next to nothing: heap.c asks for every block */
__attribute__((noinline)) static void touch_pages(struct arena *a, int section, uint64_t first, uint64_t last)
{
	struct arena_section *s = &a->section[section];
	for (uint64_t p = first; p <= last; p++) {
		if (s->page_flags[p] & ARENA_PAGE_DIRTY)
			continue;
		if (a->marks)
			arena_save_page(a, section, p);
		s->page_flags[p] |= ARENA_PAGE_DIRTY;
	}
}

void arena_touch(struct arena *a, int section, uint64_t offset, uint64_t n)
{
	if (n && a->section[section].kind == ARENA_PAGED)
		touch_pages(a, section, offset >> ARENA_PAGE_SHIFT, (offset + n - 1) >> ARENA_PAGE_SHIFT);
}

bool arena_sparse(struct arena *a, int section)
{
	struct arena_section *s = &a->section[section];
	if (!s->written)
		s->written = pages_reserve(s->reserved >> ARENA_PAGE_SHIFT);
	return s->written;
}

void arena_note_written(struct arena *a, int section, uint64_t offset, uint64_t n)
{
	for (uint64_t p = offset >> ARENA_PAGE_SHIFT; p <= (offset + n - 1) >> ARENA_PAGE_SHIFT; p++)
		a->section[section].written[p] = 1;
}

bool arena_written(const struct arena *a, int section, uint64_t offset, uint64_t n)
{
	const uint8_t *flags = a->section[section].page_flags;
	for (uint64_t p = offset >> ARENA_PAGE_SHIFT; n && p <= (offset + n - 1) >> ARENA_PAGE_SHIFT; p++)
		if (flags[p] & PAGE_WRITTEN)
			return true;
	return false;
}

void arena_zero(struct arena *a, int section, uint64_t offset, uint64_t n)
{
	struct arena_section *s = &a->section[section];
	uint64_t first = (offset + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1), end = (offset + n) & ~(ARENA_PAGE - 1);
	if (first >= end) {
		memset(s->base + offset, 0, n);
		return;
	}
	memset(s->base + offset, 0, first - offset);
	memset(s->base + end, 0, offset + n - end);
	pages_zero(s->base + first, end - first);
}

void arena_empty(struct arena *a, int section)
{
	struct arena_section *s = &a->section[section];
	assert(s->kind == ARENA_HOT || !a->marks);
	for (uint64_t p = 0; s->kind == ARENA_PAGED && p << ARENA_PAGE_SHIFT < s->used; p++)
		s->page_flags[p] &= (uint8_t)~PAGE_WRITTEN;
	arena_zero(a, section, 0, (s->used + ARENA_PAGE - 1) & ~(ARENA_PAGE - 1));
	s->used = 0;
}

void arena_clear(struct arena *a)
{
	arena_marks_free(a);
	for (unsigned i = 0; i < a->n; i++) {
		struct arena_section *s = &a->section[i];
		if (s->is_tool_state)
			continue;
		arena_empty(a, (int)i);
		if (s->kind == ARENA_PAGED)
			pages_drop(s->page_flags, s->reserved >> ARENA_PAGE_SHIFT);
	}
}

static bool is_zero(const char *p, uint64_t n) { return !*p && !memcmp(p, p + 1, n - 1); }

bool arena_next_page(const struct arena *a, int section, uint64_t *offset)
{
	const struct arena_section *s = &a->section[section];
	for (uint64_t at = *offset; at < s->used; at += ARENA_PAGE) {
		const uint64_t n = s->kind == ARENA_PAGED || s->used - at > ARENA_PAGE ? ARENA_PAGE : s->used - at;
		if (s->kind == ARENA_PAGED && !(s->page_flags[at >> ARENA_PAGE_SHIFT] & PAGE_WRITTEN))
			continue;
		if (is_zero(s->base + at, n))
			continue;
		*offset = at;
		return true;
	}
	return false;
}

uint64_t arena_digest(const struct arena *a)
{
	uint64_t h = 0;
	for (unsigned i = 0; i < a->n; i++) {
		const struct arena_section *s = &a->section[i];
		if (s->kind == ARENA_HOT) {
			h = hash_bytes(s->base, s->used, h);
			continue;
		}
		for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < s->used; p++)
			if (s->page_flags[p] & PAGE_WRITTEN && !is_zero(s->base + (p << ARENA_PAGE_SHIFT), ARENA_PAGE))
				h = hash_bytes(s->base + (p << ARENA_PAGE_SHIFT), ARENA_PAGE, h ^ p);
	}
	return h;
}

uint64_t arena_committed(const struct arena *a)
{
	uint64_t n = 0;
	for (unsigned i = 0; i < a->n; i++) {
		const struct arena_section *s = &a->section[i];
		if (s->kind == ARENA_HOT) {
			n += s->used;
			continue;
		}
		for (uint64_t p = 0; p << ARENA_PAGE_SHIFT < s->used; p++)
			n += s->page_flags[p] & PAGE_WRITTEN ? ARENA_PAGE : 0;
	}
	return n;
}

#include "base/arena_saved.h"

#include <assert.h>
#include <string.h>

#include "base/pages.h"
#include "base/xalloc.h"

#define ZEROS UINT32_MAX /* place of a page that held only zeros */

/* `page`: its number in the section; `place`: that of its bytes among the saved ones, in pages. */
struct saved_entry {
	uint32_t page, place;
};

struct arena_saved {
	struct saved_entry *entry; /* of each page that is DIRTY */
	size_t n, cap;
	char *bytes; /* reserved for the most pages there may be */
	uint32_t n_places, most;
	bool too_many;
};

static bool is_zero(const void *page)
{
	const uint64_t *v = page;
	for (unsigned k = 0; k < ARENA_PAGE / sizeof *v; k += 8)
		if (v[k] | v[k + 1] | v[k + 2] | v[k + 3] | v[k + 4] | v[k + 5] | v[k + 6] | v[k + 7])
			return false;
	return true;
}

/* Gives the saved bytes back to the host. */
static void forget(struct arena_saved *v)
{
	if (v->n_places)
		pages_drop(v->bytes, (uint64_t)v->n_places << ARENA_PAGE_SHIFT);
	v->n_places = 0;
}

static void add_entry(struct arena_saved *v, uint64_t page, uint32_t place)
{
	v->entry = xgrow(v->entry, &v->cap, v->n + 1, sizeof *v->entry);
	v->entry[v->n++] = (struct saved_entry){(uint32_t)page, place};
}

void arena_save_page(struct arena_section *s, uint64_t page)
{
	struct arena_saved *v = s->saved;
	const char *at = s->base + (page << ARENA_PAGE_SHIFT);
	if (v->too_many || !(s->page_flags[page] & ARENA_PAGE_USED) || is_zero(at)) {
		add_entry(v, page, ZEROS);
		return;
	}
	if (v->n_places == v->most) {
		v->too_many = true;
		forget(v);
		add_entry(v, page, ZEROS);
		return;
	}
	memcpy(v->bytes + ((size_t)v->n_places << ARENA_PAGE_SHIFT), at, ARENA_PAGE);
	add_entry(v, page, v->n_places++);
}

static struct arena_saved *create(struct arena_section *s, uint64_t most)
{
	most = (most < s->reserved ? most : s->reserved) & ~(ARENA_PAGE - 1);
	assert(s->kind == ARENA_PAGED && s->reserved >> ARENA_PAGE_SHIFT < ZEROS && most);
	void *bytes = pages_reserve(most);
	if (!bytes)
		return NULL;
	struct arena_saved *v = xcalloc(1, sizeof *v);
	v->bytes = bytes;
	v->most = (uint32_t)(most >> ARENA_PAGE_SHIFT);
	/* what was written before there was a mark */
	for (uint64_t page = 0; page << ARENA_PAGE_SHIFT < s->used; page++)
		if (s->page_flags[page] & ARENA_PAGE_DIRTY)
			add_entry(v, page, ZEROS);
	return v;
}

bool arena_mark(struct arena *a, int section, uint64_t most)
{
	struct arena_section *s = &a->section[section];
	if (!s->saved)
		s->saved = create(s, most);
	struct arena_saved *v = s->saved;
	if (!v)
		return false;
	for (size_t k = 0; k < v->n; k++) {
		uint8_t *flags = &s->page_flags[v->entry[k].page];
		*flags = (uint8_t)((*flags & ~ARENA_PAGE_DIRTY) | ARENA_PAGE_USED);
	}
	v->n = 0;
	v->too_many = false;
	forget(v);
	return true;
}

bool arena_saved_all(const struct arena *a, int section)
{
	const struct arena_saved *v = a->section[section].saved;
	return v && !v->too_many;
}

size_t arena_saved_count(const struct arena *a, int section)
{
	const struct arena_saved *v = a->section[section].saved;
	return v ? v->n : 0;
}

struct arena_saved_page arena_saved_at(const struct arena *a, int section, size_t k)
{
	const struct arena_saved *v = a->section[section].saved;
	const struct saved_entry e = v->entry[k];
	const char *bytes = e.place == ZEROS ? NULL : v->bytes + ((size_t)e.place << ARENA_PAGE_SHIFT);
	return (struct arena_saved_page){.offset = (uint64_t)e.page << ARENA_PAGE_SHIFT, .bytes = bytes};
}

void arena_saved_free(struct arena_saved *v)
{
	if (!v)
		return;
	pages_free(v->bytes, (uint64_t)v->most << ARENA_PAGE_SHIFT);
	free(v->entry);
	free(v);
}

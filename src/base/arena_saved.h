/* What a PAGED section held at a mark, to go back to it: each page is saved just before it is first written after the mark, so a
 * mark costs nothing by itself, and pages that are only read cost nothing at all. Stores to a page that is DIRTY need nothing; a
 * mark takes that flag from the pages that have it. So stores cost what they cost without a mark, but for the first to a page.
 *
 * Pages of zeros are told without their bytes. There is one mark at a time; a new one forgets what was saved for the one before. */
#ifndef BASE_ARENA_SAVED_H
#define BASE_ARENA_SAVED_H

#include "base/arena.h"

struct arena_saved_page {
	uint64_t offset;   /* of the page in its section */
	const void *bytes; /* ARENA_PAGE bytes it held at the mark; NULL: zeros. Valid until the next mark */
};

/* Sets the mark. `most`: bytes to save at most; when pages would need more, everything saved is dropped (see below). That of the
 * first mark of a section counts. False: no address space for them. */
bool arena_mark(struct arena *a, int section, uint64_t most);

/* Have all pages been saved that were written since the mark? False without a mark, and when they were too many. */
bool arena_saved_all(const struct arena *a, int section);

/* Pages written since the mark, in the order of their first writes, each once; to be looked at only if arena_saved_all. */
size_t arena_saved_count(const struct arena *a, int section);
struct arena_saved_page arena_saved_at(const struct arena *a, int section, size_t k);

/* For arena.c: the page, not DIRTY yet, is about to be written. */
void arena_save_page(struct arena_section *s, uint64_t page);
void arena_saved_free(struct arena_saved *v); /* NULL: nothing */

#endif

/* Moments an arena can go back to: a chain of marks, the newest at its end.
 *
 * Between two marks lies a log: what each page that changed meanwhile held at the first of them. Going back is putting logs back, the
 * newest first. Taking a mark out of the middle joins two logs: the older one's page counts where both have it, so memory gets
 * less, and all other marks stay.
 *
 * Pages of PAGED sections come into the log just before their first write after the newest mark (arena_touch): a mark costs nothing by
 * itself, and pages that are only read cost nothing at all. Stores to a page that is DIRTY need nothing; a mark takes that flag from
 * the pages that have it. HOT sections have no such flag: a mark that is to go back to all of the arena keeps a copy of
 * them beside it, and the next one finds what changed by comparing.
 *
 * Pages of zeros are told without their bytes. Marks are no state of the machine: neither digest nor amount of memory used see them. */
#ifndef BASE_ARENA_MARKS_H
#define BASE_ARENA_MARKS_H

#include "base/arena.h"

/* Begins a chain, if there is none: of at most `most` bytes of saved pages. When pages need more, the oldest marks are forgotten, and at last
 * the newest. False: no address space for them. */
bool arena_marks_begin(struct arena *a, uint64_t most);
/* From now on so many, if that is more. False: no address space; it stays as it is. */
bool arena_marks_allow(struct arena *a, uint64_t most);

/* Sets a mark and returns its number: 1 more than the last one's, from 1. 0: there is no chain, or no memory for the copy. */
uint64_t arena_mark(struct arena *a);	    /* of PAGED sections */
uint64_t arena_mark_whole(struct arena *a); /* of all of the arena */

/* Is the mark still there? */
bool arena_has_mark(const struct arena *a, uint64_t mark);
/* Marks, the oldest first. */
size_t arena_mark_count(const struct arena *a);
uint64_t arena_mark_number(const struct arena *a, size_t k);

/* Sections were made since: what they hold now is what they held at all marks. False: no memory for the copy. */
bool arena_marks_adopt(struct arena *a);
/* The mark is forgotten only after all those that aren't pinned: what lies between it and them is kept for it. */
void arena_pin_mark(struct arena *a, uint64_t mark, bool on);

/* Takes a mark out of the chain. It has to be there, and be neither the newest nor the newest that is of all of the arena. */
void arena_drop_mark(struct arena *a, uint64_t mark);
/* Everything is as it was at a mark made by arena_mark_whole, which becomes the newest; those after it are gone. False, and nothing
 * has changed: there is no such mark. Who keeps anything that depends on the arena's contents has to look again. */
bool arena_go_back(struct arena *a, uint64_t mark);

/* The same, where the way back to a mark `now`, a whole one, is kept: what arena_go_back would forget of it goes ahead. What has changed since the
 * newest of those marks is forgotten, with the marks that were made meanwhile. */
bool arena_step_aside(struct arena *a, uint64_t now, uint64_t mark);
/* The newest mark in front of those that went ahead; 0: none has, or there was no room any more for what they need. */
uint64_t arena_aside_from(const struct arena *a);
/* All is as it was when the first went ahead, with the marks there were. False: nothing was kept, and nothing happens. */
bool arena_step_in_again(struct arena *a);
/* The same only as far as to one of the marks that went ahead, a whole one: the others stay ahead. */
bool arena_step_forward(struct arena *a, uint64_t mark);
/* They are forgotten. */
void arena_stay_aside(struct arena *a);

/* Returns the bytes of all that marks keep: saved pages, copies, and their lists. */
uint64_t arena_marks_bytes(const struct arena *a);
/* Returns how many of these bytes belong to marks that went ahead. */
uint64_t arena_ahead_bytes(const struct arena *a);

/* What the newest whole mark has cost, in pages. */
struct arena_mark_cost {
	uint64_t compared, changed; /* of HOT sections */
	uint64_t saved;		    /* of PAGED sections, since the mark in front of it */
};
void arena_marks_cost(const struct arena *a, struct arena_mark_cost *out);

/* A page of a PAGED section that was written since a mark. */
struct arena_saved_page {
	uint64_t offset;   /* in its section */
	const void *bytes; /* ARENA_PAGE bytes it held at the mark; NULL: zeros. Valid until the next write or mark */
};
/* All those of a section, each once, by offset, in memory that the caller frees; NULL: none, or no such mark. */
struct arena_saved_page *arena_saved_since(const struct arena *a, uint64_t mark, int section, size_t *n);

/* The newest mark before another one since which, and not since a later one, some page of these bytes of a PAGED section was written in between: they weren't
 * from the mark after it to that other one. 0: not since the oldest mark. */
uint64_t arena_mark_of_write(const struct arena *a, uint64_t before, int section, uint64_t offset, uint64_t n);

/* For tests and the builds for developers: from now on each mark looks whether pages that nobody has touched since the last one have changed:
 * a store that bypasses arena_touch. That ends the program, with the section's name and the offset. */
void arena_marks_verify(struct arena *a);

/* For arena.c: the page, not DIRTY yet, is about to be written. */
void arena_save_page(struct arena *a, int section, uint64_t page);
void arena_marks_free(struct arena *a);

#endif

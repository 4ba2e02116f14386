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

/* Begins a chain of marks with room for `most` bytes of saved pages, unless there is a chain. When the room is used up, the oldest marks are
 * dropped, at last the newest. Returns false if no address space is left. */
bool arena_marks_begin(struct arena *a, uint64_t most);
/* Raises the room for saved pages to `most` bytes, if that is more. Returns false if no address space is left; the room stays as it is. */
bool arena_marks_allow(struct arena *a, uint64_t most);

/* Sets a mark for PAGED sections only, and returns its number: the last mark's plus 1, the first is 1. Returns 0 if there is no chain. */
uint64_t arena_mark(struct arena *a);
/* Sets a mark for the whole arena and returns its number. Returns 0 if there is no chain, or no memory for the copies of HOT sections. */
uint64_t arena_mark_whole(struct arena *a);

/* Returns true if the chain has the mark. */
bool arena_has_mark(const struct arena *a, uint64_t mark);
/* Returns the number of marks in the chain. */
size_t arena_mark_count(const struct arena *a);
/* Returns the number of the k-th mark of the chain, the oldest being 0. k must be less than arena_mark_count. */
uint64_t arena_mark_number(const struct arena *a, size_t k);

/* Takes in sections that were added since the marks were set: what they hold now counts as held at all marks. Returns false if there is no memory
 * for a copy. */
bool arena_marks_adopt(struct arena *a);
/* Pins a mark, or with `on` false unpins it. Pinned marks are dropped only after all others. */
void arena_pin_mark(struct arena *a, uint64_t mark, bool on);

/* Takes a mark out of the chain. It must be there, and be neither the newest mark nor the newest whole one. */
void arena_drop_mark(struct arena *a, uint64_t mark);
/* Brings the whole arena to its contents at a whole mark. The mark is the newest then; later marks are gone. Returns false, and changes nothing,
 * if there is no such whole mark. Callers must drop all caches of the arena's contents. */
bool arena_go_back(struct arena *a, uint64_t mark);

/* Brings the arena to its contents at a whole mark, and keeps the way back to the later whole mark `now`. Changes after `now`, and later marks,
 * are dropped. If the arena is already away from its newest mark, the way back leads to where it began. Returns false if there is no such whole
 * mark. */
bool arena_visit(struct arena *a, uint64_t now, uint64_t mark);
/* Returns the mark from which the kept marks lead forward: the newest mark of the chain when the way was kept. 0: no way forward is kept. */
uint64_t arena_visit_origin(const struct arena *a);
/* Brings the arena back to the mark that arena_visit left, with all marks on the way. Returns false, and changes nothing, if no way forward
 * is kept. */
bool arena_visit_end(struct arena *a);
/* Brings the arena forward to a whole mark on the kept way; later marks stay kept. A mark that isn't on the way leads to its end. Returns false if
 * no way forward is kept. */
bool arena_visit_later(struct arena *a, uint64_t mark);
/* Drops the kept way forward. */
void arena_visit_stay(struct arena *a);

/* Returns the bytes of all that marks keep: saved pages, copies, and their lists. */
uint64_t arena_marks_bytes(const struct arena *a);
/* Returns how many of these bytes belong to the kept way forward. */
uint64_t arena_ahead_bytes(const struct arena *a);

/* What the newest whole mark has cost, in pages. */
struct arena_mark_cost {
	uint64_t compared, changed; /* of HOT sections */
	uint64_t saved;		    /* of PAGED sections, since the mark in front of it */
};
/* Stores in *out what the newest whole mark has cost, zeros if there is none. */
void arena_marks_cost(const struct arena *a, struct arena_mark_cost *out);

/* A page of a PAGED section that was written since a mark. */
struct arena_saved_page {
	uint64_t offset;   /* in its section */
	const void *bytes; /* ARENA_PAGE bytes it held at the mark; NULL: zeros. Valid until the next write or mark */
};
/* Returns the pages of a PAGED section that were written since a mark, each once, ordered by offset, and their number in *n. The caller frees the
 * array. Returns NULL if there are none or no such mark. */
struct arena_saved_page *arena_saved_since(const struct arena *a, uint64_t mark, int section, size_t *n);

/* Returns the newest mark older than `before` since which a page of [offset, offset+n) of a PAGED section was written, before the next mark. These
 * bytes stayed the same from that next mark to `before`. Returns 0 if no kept mark saw a write. */
uint64_t arena_mark_of_write(const struct arena *a, uint64_t before, int section, uint64_t offset, uint64_t n);

/* Makes each later mark look for stores that bypassed arena_touch, for tests and developers' builds. Such a store ends the program with the
 * section's name and the offset. There must be a chain. */
void arena_marks_verify(struct arena *a);

/* Saves a page that is about to be written and isn't DIRTY yet, for the newest mark; for a section with only_whole only if the chain has a whole mark.
 * Only for arena.c. */
void arena_save_page(struct arena *a, int section, uint64_t page);
/* Frees the chain of marks, if there is one. Only for arena.c. */
void arena_marks_free(struct arena *a);

#endif

/* The arena: every byte of a simulated machine's mutable state, in named sections of one reservation.
 *
 * State refers to state by (section, offset), never by pointer, so that a snapshot is the pages changed since the last
 * one and can be put back at another address. Sections are reserved lazily: reserving costs address space only; pages
 * that were never written cost nothing and read as zero. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARENA_PAGE_SHIFT 12
#define ARENA_PAGE (UINT64_C(1) << ARENA_PAGE_SHIFT)
#define ARENA_SECTIONS_MAX 48

/* How a section's changes are found: PAGED sections carry one flag byte per page, set by the store path (arena_touch) before it
 * writes; HOT sections are small and copied whole up to their high-water mark. */
enum arena_kind { ARENA_HOT, ARENA_PAGED };

/* Page flag bits of PAGED sections. Other bits belong to code that watches pages (debug). */
#define ARENA_PAGE_DIRTY 1u /* written since the newest mark (arena_marks.h), or ever if there is none */
#define ARENA_PAGE_WATCH_WRITE 2u
#define ARENA_PAGE_WATCH_READ 4u
#define ARENA_PAGE_USED 8u /* written before that mark. Neither this nor DIRTY: never, so it reads as zero */

struct arena_marks;

struct arena_section {
	const char *name; /* borrowed, a literal */
	enum arena_kind kind;
	char *base;		   /* page aligned */
	uint64_t reserved;	   /* bytes */
	bool is_tool_state;	   /* the section belongs to a tool, not to the machine: marks record it, checkpoint files and arena_clear don't */
	bool only_whole;	   /* PAGED sections: only marks of the whole arena record it; other marks cost its pages nothing */
	uint64_t used;		   /* high-water mark in bytes, kept by the owner through arena_use */
	uint8_t *page_flags; /* PAGED only: one byte per page of the whole reservation */
	uint8_t *written;   /* sparse HOT sections: a byte per page, 0 if it was never written. NULL: any page may be written */
};

struct arena {
	struct arena_section section[ARENA_SECTIONS_MAX];
	unsigned n;
	struct arena_marks *marks; /* owned; NULL: there is no chain of marks */
};

/* Makes an arena without sections. */
void arena_init(struct arena *a);
/* Frees the sections and the marks. */
void arena_free(struct arena *a);

/* Reserves a section of `bytes` (rounded up to pages) and returns its index; -1 if the address space is refused. */
int arena_add(struct arena *a, const char *name, enum arena_kind kind, uint64_t bytes);

/* Asks the host for large pages for a section that is used densely from its beginning. Nothing changes if the host refuses. */
void arena_dense(struct arena *a, int section);

/* Returns the host address of an offset in a section. */
static inline void *arena_at(const struct arena *a, int section, uint64_t offset)
{
	return a->section[section].base + offset;
}

/* Raises the section's high-water mark to cover [0, end). Returns false if more than the reservation would be needed. */
bool arena_use(struct arena *a, int section, uint64_t end);

/* Saves the pages of [offset, offset+n) of a PAGED section for the newest mark, if there is one, and flags them as dirty. Call it before each
 * write there. Does nothing for HOT sections. */
void arena_touch(struct arena *a, int section, uint64_t offset, uint64_t n);

/* Makes a HOT section sparse: only pages passed to arena_note_written count as written. Returns false if no address space is left. */
bool arena_sparse(struct arena *a, int section);
/* Notes that pages of [offset, offset+n) of a sparse section are written from now on. n must not be 0. */
void arena_note_written(struct arena *a, int section, uint64_t offset, uint64_t n);

/* Returns true if a page of [offset, offset+n) of a PAGED section was ever written. If not, these bytes read as zero. */
bool arena_written(const struct arena *a, int section, uint64_t offset, uint64_t n);

/* Fills [offset, offset+n) with zeros, and gives whole pages of it back to the host. */
void arena_zero(struct arena *a, int section, uint64_t offset, uint64_t n);

/* Makes a section as it was when it was added: zeros, and nothing used. Watch flags of pages stay. Marks don't record this, so there must be no
 * marks if the section is PAGED. */
void arena_empty(struct arena *a, int section);

/* Empties all sections except those that hold the tools' state, clears the emptied sections' page flags, watches included, and frees all marks. */
void arena_clear(struct arena *a);
/* Stores in *offset the first page at or after *offset, in steps of a page, that holds anything but zeros. Of a HOT section the last page ends at
 * the high-water mark. Returns false if there is none. */
bool arena_next_page(const struct arena *a, int section, uint64_t *offset);

/* Returns a digest of all sections' used bytes, for tests of determinism. Pages of PAGED sections that hold only zeros don't count. */
uint64_t arena_digest(const struct arena *a);

/* Returns the bytes in use, for statistics: written pages of PAGED sections and the used bytes of HOT ones. */
uint64_t arena_committed(const struct arena *a);

#endif

/* The arena: every byte of a simulated machine's mutable state, in named sections of one reservation.
 *
 * State refers to state by (section, offset), never by pointer, so that a snapshot is the pages changed since the last
 * one and can be put back at another address. Sections are reserved lazily: reserving costs address space only, pages
 * nobody touched cost nothing and read as zero. */
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

/* Page flag bits of PAGED sections. Other bits belong to whoever watches pages (debug). */
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
	bool beside;		   /* of who looks at the machine: marks have it, but neither files nor arena_clear */
	bool only_whole;	   /* PAGED: only marks of all of the arena have it; others cost its pages nothing */
	uint64_t used;		   /* high-water mark in bytes, kept by the owner through arena_use */
	uint8_t *page_flags; /* PAGED only: one byte per page of the whole reservation */
	uint8_t *reached;    /* HOT ones that are sparse: a byte per page, 0: nobody has ever written there. NULL: all of it may be written */
};

struct arena {
	struct arena_section section[ARENA_SECTIONS_MAX];
	unsigned n;
	struct arena_marks *marks; /* owned; NULL: there is no chain of marks */
};

void arena_init(struct arena *a);
void arena_free(struct arena *a);

/* Reserves a section of `bytes` (rounded up to pages) and returns its index; -1 if the address space is refused. */
int arena_add(struct arena *a, const char *name, enum arena_kind kind, uint64_t bytes);

/* The section is used densely from its beginning and looked at all the time: in large pages of the host it takes fewer translations. */
void arena_dense(struct arena *a, int section);

static inline void *arena_at(const struct arena *a, int section, uint64_t offset)
{
	return a->section[section].base + offset;
}

/* Raises the section's high-water mark to cover [0, end); false if that is more than was reserved. */
bool arena_use(struct arena *a, int section, uint64_t end);

/* To be called before anything is written to [offset, offset+n) of a PAGED section: its pages are saved for the newest mark, if there
 * is one, and flagged as dirty. */
void arena_touch(struct arena *a, int section, uint64_t offset, uint64_t n);

/* A HOT section most of whose pages are never written: whoever does calls arena_reach first, once for each page. False: no address space. */
bool arena_sparse(struct arena *a, int section);
void arena_reach(struct arena *a, int section, uint64_t offset, uint64_t n);

/* Was any page of [offset, offset+n) of a PAGED section ever written? If not, it reads as zero. */
bool arena_written(const struct arena *a, int section, uint64_t offset, uint64_t n);

/* Gives pages wholly inside [offset, offset+n) back: they read as zero again. */
void arena_zero(struct arena *a, int section, uint64_t offset, uint64_t n);

/* The section as it was when it was added: nothing is used, everything reads as zero. Who watches pages goes on. No mark knows of it, so a
 * PAGED section must have none. */
void arena_empty(struct arena *a, int section);

/* All sections as they were when they were added: used up to 0, zeros, no page written; sections stay, marks go. Who watches pages
 * has to begin again. */
void arena_clear(struct arena *a);
/* The first page of a section at or after *offset that holds anything but zeros; then *offset is where. False: there is none. Of a HOT section
 * bytes beyond `used` count as zeros, and the last page may be cut off there. */
bool arena_next_page(const struct arena *a, int section, uint64_t *offset);

/* Digest of all state (for determinism tests): sections' used bytes in order; pages of zeros of PAGED sections count as never written. */
uint64_t arena_digest(const struct arena *a);

/* Bytes committed, for statistics: pages of PAGED sections ever written plus used bytes of HOT ones. */
uint64_t arena_committed(const struct arena *a);

#endif

/* The data that marks of an arena keep. Private to src/base. */
#ifndef BASE_ARENA_LOG_H
#define BASE_ARENA_LOG_H

#include "base/arena_marks.h"

#define ZEROS UINT32_MAX /* place of a page that held only zeros */

#define LINES 64u /* of a page */
#define LINE_BYTES (ARENA_PAGE / LINES)

/* What a page held at a mark: the whole page, or those of its lines that changed before the next mark. */
struct saved {
	uint32_t page;
	uint32_t place; /* whole: its bytes' place among the saved pages, or ZEROS; else: the first line's number in the log */
	uint64_t lines; /* not whole: a bit for each line that is kept */
	uint8_t section;
	bool used; /* the page had been written before the mark */
	bool whole;
};

/* What changed between a mark and the next one. Where two entries have bytes for the same line, the earlier entry counts. */
struct log {
	struct saved *saved;
	size_t n, cap;
	uint32_t *place; /* places of the lines, LINES in each, in the order of the entries */
	size_t n_places, cap_places;
	uint32_t n_lines;
};

struct mark {
	uint64_t number;
	bool whole, pinned;
	uint64_t used[ARENA_SECTIONS_MAX]; /* of each section */
	struct log log;			   /* since this mark, up to the next */
};

struct arena_marks {
	struct mark *mark;
	size_t n, cap;
	uint64_t last_number;
	char *bytes; /* of saved pages: reserved for the most there may be */
	uint32_t n_places, most;
	uint32_t *free_places; /* below n_places */
	size_t n_free, cap_free;
	struct { /* HOT sections at the newest whole mark */
		char *bytes;
		uint64_t n, reserved;
	} copy[ARENA_SECTIONS_MAX];
	struct arena_mark_cost cost;
	uint64_t *hash[ARENA_SECTIONS_MAX]; /* verify: of each page at the last mark */
	bool verify;
	struct mark *
		ahead; /* arena_visit.c: those after the newest, the next one last; the log of each: since the one in front of it, what to put forward */
	size_t n_ahead, cap_ahead;
	uint64_t base; /* the newest mark when they went ahead; 0: none has */
};

/* ---- arena_log.c ---- */
/* Returns true if a page holds only zeros. */
bool log_is_zero(const void *page);
/* Returns the bytes of a saved page at a place, which must not be ZEROS. */
static inline char *log_place_bytes(const struct arena_marks *m, uint32_t place)
{
	return m->bytes + ((size_t)place << ARENA_PAGE_SHIFT);
}
/* Returns the bytes of a log's line. */
static inline char *log_line(const struct arena_marks *m, const struct log *l, uint32_t line)
{
	return log_place_bytes(m, l->place[line / LINES]) + line % LINES * LINE_BYTES;
}
/* Returns the page in the arena that an entry belongs to. */
static inline char *log_page(const struct arena *a, const struct saved *s)
{
	return a->section[s->section].base + ((uint64_t)s->page << ARENA_PAGE_SHIFT);
}
/* Returns a free place, or ZEROS if there is none. */
uint32_t log_free_place(struct arena_marks *m);
/* Frees a place of saved pages; does nothing for ZEROS. */
void log_give_place(struct arena_marks *m, uint32_t place);
/* Empties a log. */
void log_free(struct arena_marks *m, struct log *l);
/* Returns the index of the mark with that number, or SIZE_MAX if there is no such mark. */
size_t log_find_mark(const struct arena_marks *m, uint64_t number);
/* Returns the index of the newest mark that covers all sections (a whole mark). Returns m->n if there is none. */
size_t log_last_whole(const struct arena_marks *m);
/* Adds a page and what it held to the log of a mark. */
void log_save_page(struct arena_marks *m, uint64_t mark, const struct saved *what, const void *bytes);
/* Adds the lines what->lines of a page, which held `bytes`, to the log of a mark. */
void log_save_lines(struct arena_marks *m, uint64_t mark, const struct saved *what, const char *bytes);
/* Returns the mask of the lines in which two pages differ. */
uint64_t log_lines_changed(const char *a, const char *b);
/* Copies the lines of a page that are in the mask `lines` to the same places of another page. */
void log_copy_lines(char *to, const char *from, uint64_t lines);
/* Keeps of each page of a log only the lines that differ from what the page holds now, if they are few. */
void log_trim(struct arena *a, struct log *l);
/* Adds to the older log what only the newer one has, and empties the newer log. */
void log_join(struct arena_marks *m, struct log *older, struct log *newer);
/* Removes a mark with its log. */
void log_remove_mark(struct arena_marks *m, size_t k);
/* Brings bytes of an entry back to a page, or to a copy of it. */
void log_bytes_of(const struct arena_marks *m, const struct log *l, const struct saved *s, char *page);

/* ---- arena_marks.c ---- */
/* Copies what an entry of a HOT section has changed to the copy of the newest whole mark. */
void log_copy_page(struct arena *a, const struct saved *s);
/* Sets the used size of each section to the size that mark *k has recorded. Mark *k must be the newest mark. */
void log_use(struct arena *a, const struct mark *k);

/* ---- arena_visit.c ---- */
/* Drops the marks of the kept way forward, with their logs. */
void log_drop_ahead(struct arena_marks *m);

#endif

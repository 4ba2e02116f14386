/* What marks of an arena keep: for the files that go back to them. Nobody outside src/base includes this. */
#ifndef BASE_ARENA_LOG_H
#define BASE_ARENA_LOG_H

#include "base/arena_marks.h"

#define ZEROS UINT32_MAX /* place of a page that held only zeros */

/* A page as it was at a mark. `place`: of its bytes among the saved ones, in pages. */
struct saved {
	uint32_t page, place;
	uint8_t section;
	bool used; /* it had been written before */
};

struct mark {
	uint64_t number;
	bool whole, pinned;
	uint64_t used[ARENA_SECTIONS_MAX]; /* of each section */
	struct saved *log;		   /* since this mark, up to the next */
	size_t n, cap;
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
	uint64_t *hash[ARENA_SECTIONS_MAX]; /* verify: of each page at the last mark */
	bool verify;
	struct mark *
		ahead; /* arena_aside.c: those after the newest, the next one last; the log of each: since the one in front of it, what to put forward */
	size_t n_ahead, cap_ahead;
	uint64_t base; /* the newest mark when they went ahead; 0: none has */
};

/* ---- arena_marks.c ---- */
bool log_is_zero(const void *page);
static inline char *log_place_bytes(const struct arena_marks *m, uint32_t place)
{
	return m->bytes + ((size_t)place << ARENA_PAGE_SHIFT);
}
static inline char *log_page(const struct arena *a, const struct saved *s)
{
	return a->section[s->section].base + ((uint64_t)s->page << ARENA_PAGE_SHIFT);
}
/* ZEROS: there is none that is free. */
uint32_t log_free_place(struct arena_marks *m);
void log_give_place(struct arena_marks *m, uint32_t place);
void log_free(struct arena_marks *m, struct mark *k);
size_t log_find_mark(const struct arena_marks *m, uint64_t number); /* SIZE_MAX: not there */
/* A page of a HOT section is in the copy of the newest whole mark, too. */
void log_copy_page(struct arena *a, const struct saved *s);
/* Sections end where they did at a mark, the newest now. */
void log_use(struct arena *a, const struct mark *k);

/* ---- arena_aside.c ---- */
void log_forget_ahead(struct arena_marks *m);

#endif

/* The page of `report`: the answers that only it shows, and what it may weigh. Inside src/command/picture only. */
#ifndef COMMAND_PICTURE_PAGE_H
#define COMMAND_PICTURE_PAGE_H

#include "debug/debug.h"
#include "debug/ground/ground.h"
#include "report/report.h"

/* Returns how many instructions the functions have that were executed. */
uint32_t picture_executed(struct debug *d);
/* Adds `functions` that were executed, with their blocks and the `most` costliest instructions, and `files` with their text. */
void picture_program(struct debug *d, size_t most, struct report *answer);
/* Adds the answer of `info samples GLOB`; of more than `most` samples several are added up to one. 0: all of them. */
void picture_samples(struct debug *d, const char *glob, size_t most, struct report *answer);

/* ---- what the page may weigh (budget.c) ---- */

/* A page that is being made, and what was left out of it. */
struct page {
	struct report *r;
	size_t n_limits;
	struct page_limit {
		const char *section, *what; /* the page's section; what there are less of */
		uint64_t shown, all;
	} limit[32];
};
/* A part of the page with too many members is described again with fewer of them until its JSON fits. */
struct page_part {
	const char *section, *what;
	uint64_t all;  /* members that there are */
	uint64_t most; /* that are shown at most, however small */
	size_t bytes;  /* of JSON at most */
	void (*describe)(void *self, uint64_t most, struct report *answer);
	void *self;
};
/* Adds a part's members to the page's open object. Returns how many are shown. */
uint64_t page_add(struct page *p, const struct page_part *part);
/* A list of a command's answer: paths as those of report_keep. */
struct page_list {
	const char *list, *cost, *section, *what;
	size_t bytes; /* of the whole answer's JSON at most */
};
/* Drops the members of a list that cost least until the answer fits. */
void page_keep(struct page *p, struct report *answer, const struct page_list *l);
/* Notes that a section shows fewer than all; nothing if it shows all. */
void page_note(struct page *p, const char *section, const char *what, uint64_t shown, uint64_t all);
/* Adds `limits`: what was left out. */
void page_describe_limits(const struct page *p, struct report *answer);

#endif

/* A machine that stands before what has been (src/history): running it on is going through that again.
 *
 * Whoever keeps the past hands the debugger this table. Commands that run the machine then have inputs come again at their moments, ask no
 * program, and make snapshots on their way. */
#ifndef DEBUG_PAST_H
#define DEBUG_PAST_H

#include "debug/debug.h"
#include "gpu/moment.h"

struct debug_past {
	void *self;
	/* Where the machine has to stop on its way through what has been; NULL: it stands in the present. */
	const struct gpu_moment *(*next)(const void *self);
	/* It is there, and what came then comes again. False: whoever runs it wanted no more. */
	bool (*arrived)(void *self);
	/* The cycle in which a snapshot may be due, UINT64_MAX: none; and it is that cycle. */
	uint64_t (*due)(const void *self);
	void (*snapshot)(void *self);
	/* An input is possible: nobody knows what it would undo. */
	bool (*may_change)(const void *self);
};
/* The table stays the caller's; NULL: no more. */
void debug_past_attach(struct debug *d, const struct debug_past *p);
bool debug_is_past(const struct debug *d);
/* For commands that change the machine. False, with the reason: a program knows what came after this moment. */
bool debug_may_change(const struct debug *d, struct text *why);
/* `note: LINE`, for whoever sits there. */
void debug_say(struct debug *d, const char *line);

/* ---- what the debugger knows of the machine besides (remember.c): buffers' names and types, launches, values for blocks that haven't begun ---- */
struct debug_memory;
struct debug_memory *debug_remember(struct debug *d);
bool debug_remembers_same(struct debug *d, const struct debug_memory *m); /* as it is now */
void debug_recall(struct debug *d, const struct debug_memory *m);
void debug_memory_free(struct debug_memory *m);
/* Forgets what was remembered: no debug_memory may be recalled any more. */
void debug_forget_memories(struct debug *d);

#endif

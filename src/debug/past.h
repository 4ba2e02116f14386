/* A machine that stands before what has been (src/history): running it on is going through that again.
 *
 * The keeper of the past passes this table to the debugger. Commands that run the machine then have inputs come again at their moments, ask no
 * program, and make snapshots on their way. */
#ifndef DEBUG_PAST_H
#define DEBUG_PAST_H

#include "debug/debug.h"
#include "gpu/moment.h"

struct debug_past {
	void *self;
	/* Returns the moment at which the machine has to stop next while it repeats the recorded past. Returns NULL if the machine stands in the present. */
	const struct gpu_moment *(*next)(const void *self);
	/* Called when the machine has reached the moment of `next`: repeats the inputs recorded there. Returns false if the run ends there. */
	bool (*arrived)(void *self);
	/* Returns the cycle in which a snapshot may be due, UINT64_MAX: none. `snapshot` is called in that cycle. */
	uint64_t (*due)(const void *self);
	void (*snapshot)(void *self);
	/* Returns true if an input is possible now: the program hasn't seen what came after. */
	bool (*may_change)(const void *self);
};
/* Sets the table of the kept past, which the caller owns and keeps until another is set. NULL: there is none any more. */
void debug_past_attach(struct debug *d, const struct debug_past *p);
/* Returns whether the machine is at a moment before recorded inputs or before the present. Returns false without a kept past. */
bool debug_is_past(const struct debug *d);
/* Returns true if a command may change the machine now. Returns false, with an error in `why`, if the machine is in the past and the program has seen
 * what came after. Without a kept past returns true. */
bool debug_may_change(const struct debug *d, struct text *why);
struct stalls_kept;
/* Returns a copy of *bytes bytes of what the commands have counted of the machine, such as stalls. The caller frees the copy with free(). Returns
 * NULL, with *bytes 0, if nothing is counted or there are no commands. */
struct stalls_kept *debug_counts_keep(const struct debug *d, size_t *bytes);
/* Restores the commands' counts from a copy of debug_counts_keep. If `k` is NULL or of another machine, counts begin at zero. Does nothing if the
 * commands count nothing. */
void debug_counts_take_back(struct debug *d, const struct stalls_kept *k);
/* Returns the last cycle that the commands have recorded, if a recording of every cycle is on. A machine that runs again then executes each later
 * cycle instead of skipping idle ones. Returns UINT64_MAX if no such recording is on. */
uint64_t debug_seen_until(const struct debug *d);
/* Passes `note: LINE` to host.note; drops the line if host.note is NULL. */
void debug_say(struct debug *d, const char *line);

/* ---- what the debugger knows of the machine besides (remember.c): buffers' names and types, launches, values for blocks that haven't begun ---- */
struct debug_memory;
/* Returns a copy of what the debugger knows of the machine: buffers, the count of launches, values for threads that haven't started, the last
 * launch's text. The caller frees it with debug_memory_free. It is valid until debug_forget_memories. */
struct debug_memory *debug_remember(struct debug *d);
/* Returns true if the buffers, launches, last launch's text, and values for threads that haven't started are those of a copy made by
 * debug_remember. */
bool debug_remembers_same(struct debug *d, const struct debug_memory *m);
/* Restores buffers, the count of launches, values for threads that haven't started, and the last launch's text from a copy made by debug_remember.
 * The copy stays the caller's. */
void debug_recall(struct debug *d, const struct debug_memory *m);
/* Frees a copy made by debug_remember. NULL does nothing. */
void debug_memory_free(struct debug_memory *m);
/* Frees the kept changes of the buffers' list: copies made by debug_remember may only be freed then. */
void debug_forget_memories(struct debug *d);

#endif

/* Buffers' names and types, and how launches are counted, kept for going back in time. */
#ifndef DEBUG_SETUP_REMEMBER_H
#define DEBUG_SETUP_REMEMBER_H

#include "debug/debug.h"

struct setup_memory;
/* Returns a copy of the buffers' list and the count of launches, which the caller frees with setup_memory_free. From the first call on changes to
 * the list are kept. */
struct setup_memory *setup_remember(struct debug *d);
/* Returns true if the present state equals a copy. */
bool setup_remembers_same(const struct debug *d, const struct setup_memory *m);
/* Restores the state of a copy, which stays the caller's. */
void setup_recall(struct debug *d, const struct setup_memory *m);
/* Frees a copy made by setup_remember. */
void setup_memory_free(struct setup_memory *m);
/* Forgets all that was remembered: what setup_remember has returned must not be recalled any more. */
void setup_forget_changes(struct debug *d);

#endif

/* Buffers' names and types, and how launches are counted, kept for whoever goes back in time. */
#ifndef DEBUG_SETUP_REMEMBER_H
#define DEBUG_SETUP_REMEMBER_H

#include "debug/debug.h"

struct setup_memory;
/* Costs nothing for each buffer: from the first call on changes to the list of buffers are kept. */
struct setup_memory *setup_remember(struct debug *d);
bool setup_remembers_same(const struct debug *d, const struct setup_memory *m);
void setup_recall(struct debug *d, const struct setup_memory *m);
void setup_memory_free(struct setup_memory *m);
/* Forgets all that was remembered: what setup_remember has returned must not be recalled any more. */
void setup_forget_changes(struct debug *d);

#endif

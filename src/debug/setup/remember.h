/* Buffers' names and types, and how launches are counted, kept for going back in time. */
#ifndef DEBUG_SETUP_REMEMBER_H
#define DEBUG_SETUP_REMEMBER_H

#include "debug/debug.h"

struct setup_memory;
/* Returns a mark of the buffers' list and the count of launches, which the caller frees with setup_memory_free. From the first call on changes to
 * the list are kept, and marks are valid until buffers_forget_changes. */
struct setup_memory *setup_remember(struct debug *d);
/* Returns whether the buffers' list and the count of launches are those of a mark made by setup_remember. */
bool setup_remembers_same(const struct debug *d, const struct setup_memory *m);
/* Restores the buffers' list and the count of launches from a mark, which stays the caller's. Launches that the device doesn't have now don't
 * count. */
void setup_recall(struct debug *d, const struct setup_memory *m);
/* Frees a mark made by setup_remember. */
void setup_memory_free(struct setup_memory *m);
#endif

/* Buffers' names and types, and how launches are counted, kept for whoever goes back in time. */
#ifndef DEBUG_SETUP_REMEMBER_H
#define DEBUG_SETUP_REMEMBER_H

#include "debug/debug.h"

struct setup_memory;
struct setup_memory *setup_remember(const struct debug *d);
bool setup_remembers_same(const struct debug *d, const struct setup_memory *m);
void setup_recall(struct debug *d, const struct setup_memory *m);
void setup_memory_free(struct setup_memory *m);

#endif

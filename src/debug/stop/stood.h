/* Warps that stand on what was already reported: their breakpoints don't hit again there. Inside src/debug only. */
#ifndef DEBUG_STOOD_H
#define DEBUG_STOOD_H

#include "debug/stop/stop.h"

bool stood_has(const struct debug *d, const struct debug_hit *h);
void stood_add(struct debug *d, const struct debug_hit *h);
/* A warp that has come in front of a breakpoint, which wasn't reported: something else stopped the machine there. One is kept. */
void stood_set_unreported(struct debug *d, const struct debug_hit *h);
bool stood_is_unreported(const struct debug *d, const struct debug_hit *h);
/* Where no hit tells of it: a warp that has yet to begin. */
void stood_add_place(struct debug *d, const struct debug_stood *p);

#endif

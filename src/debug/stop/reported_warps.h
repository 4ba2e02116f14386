/* Warps that stand on what was already reported: their breakpoints don't hit again there. Inside src/debug only. */
#ifndef DEBUG_REPORTED_WARPS_H
#define DEBUG_REPORTED_WARPS_H

#include "debug/stop/stop.h"

/* Returns true if breakpoints in front of the hit's warp were reported and the warp has executed nothing since. */
bool stood_has(const struct debug *d, const struct debug_hit *h);
/* Notes that breakpoints in front of the hit's warp were reported. Only the newest DEBUG_STOOD notes are kept. */
void stood_add(struct debug *d, const struct debug_hit *h);
/* Notes that the hit's warp is in front of a breakpoint that wasn't reported, as something else stopped the machine there. Replaces the note of the
 * call before. */
void stood_set_unreported(struct debug *d, const struct debug_hit *h);
/* Returns whether the warp is the one that stood_set_unreported noted and hasn't executed anything since. */
bool stood_is_unreported(const struct debug *d, const struct debug_hit *h);
/* Notes that breakpoints at a place were reported, for a warp that has yet to begin. Only the newest DEBUG_STOOD notes are kept. */
void stood_add_place(struct debug *d, const struct debug_stood *p);

#endif

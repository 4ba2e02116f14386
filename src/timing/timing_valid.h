/* Validators of the arena's sections that the performance model owns. Each is safe whatever the sections hold. */
#ifndef TIMING_TIMING_VALID_H
#define TIMING_TIMING_VALID_H

#include "base/text.h"
#include "timing/timing.h"

/* Section scoreboards, before `timing`. */
bool timing_scoreboards_are_valid(struct timing *t, struct text *what);
/* Sections timing, pools and requests: after exec's blocks, of which there are `n_slots`, have been looked at. */
bool timing_is_valid(struct timing *t, uint32_t n_slots, struct text *what);
/* Section lines. */
bool timing_lines_are_valid(const struct timing *t, struct text *what);

#endif

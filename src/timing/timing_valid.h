/* Validators of the arena's sections that the performance model owns. Each is safe whatever the sections hold. */
#ifndef TIMING_TIMING_VALID_H
#define TIMING_TIMING_VALID_H

#include "base/text.h"
#include "timing/timing.h"

/* Returns true if section scoreboards has a valid size, and updates the views of it. Call it before timing_is_valid. Names what is wrong in *what. */
bool timing_scoreboards_are_valid(struct timing *t, struct text *what);
/* Returns true if sections timing, pools and requests are consistent. Call it after exec's blocks, n_slots of them, were found valid. Names what
 * is wrong in *what. */
bool timing_is_valid(struct timing *t, uint32_t n_slots, struct text *what);
/* Returns true if section lines is large enough for the program. Names what is wrong in *what. */
bool timing_lines_are_valid(const struct timing *t, struct text *what);

#endif

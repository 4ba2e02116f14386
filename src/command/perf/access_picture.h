/* An access as a picture. Inside src/debug only. */
#ifndef DEBUG_ACCESS_PICTURE_H
#define DEBUG_ACCESS_PICTURE_H

#include "debug/ground/ground.h"
#include "command/perf/access.h"
#include "debug/view/focus.h"

/* Addresses, segments or banks, and what the simulated machine makes of it. */
bool access_picture(struct debug *d, const struct debug_where *w, const struct debug_access *a, bool is_next,
		    struct report *answer, struct text *why);

#endif

/* An access as a picture. Inside src/command only. */
#ifndef COMMAND_ACCESS_PICTURE_H
#define COMMAND_ACCESS_PICTURE_H

#include "debug/ground/ground.h"
#include "command/perf/access.h"
#include "debug/view/focus.h"

/* Adds a picture of a warp's next (`is_next`) or last access: lanes, addresses, and the transactions or bank cycles that it takes on the machine.
 * Without lanes adds that the guard is false. Returns false, with an error in `why`, if lanes execute it and the configuration has no timing
 * model. */
bool access_picture(struct debug *d, const struct debug_where *w, const struct access_seen *a, bool is_next,
		    struct report *answer, struct text *why);

/* Adds the transactions of an access to global memory, or of look-ups in a texture. Adds nothing if the configuration has no timing model. */
void access_transactions(struct debug *d, const struct debug_where *w, const struct access_seen *a, bool is_next, struct report *answer);

#endif

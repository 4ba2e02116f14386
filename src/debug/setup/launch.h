/* Launches as text: KERNEL<<<GRID, BLOCK[, SHARED[, STREAM]]>>>(ARG, ...). */
#ifndef DEBUG_LAUNCH_H
#define DEBUG_LAUNCH_H

#include "debug/debug.h"
#include "debug/view/functions.h"

struct debug_launch {
	struct gpu_launch_spec spec; /* spec.params points at `params` */
	unsigned char *params;	     /* owned */
};
/* Parses and checks a launch text against the loaded kernels. Returns false, with an error in `why`, if that fails; otherwise the caller frees
 * `out` with debug_launch_free. */
bool debug_launch_parse(struct debug *d, const char *text, struct debug_launch *out, struct text *why);
/* Frees the parameters of a launch and clears it. */
void debug_launch_free(struct debug_launch *l);

/* Returns the text of the last launch, which `run` alone repeats; valid until the next launch. Returns NULL if there is none. */
const char *debug_last_launch(const struct debug *d);

#endif

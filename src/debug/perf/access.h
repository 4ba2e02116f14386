/* What a warp's load, store or atomic asks of memory. Inside src/debug only. */
#ifndef DEBUG_ACCESS_H
#define DEBUG_ACCESS_H

#include "debug/internal.h"
#include "debug/view/focus.h"

/* A memory access of a warp that had executed so many instructions before it (access.h). */
struct debug_access {
	uint32_t launch, warp;
	uint64_t cta, executed;
	uint32_t pc;
	struct exec_access a; /* an address for each lane that executes it */
};

/* The machine is about to run: what the focused warp is about to access is kept for `info access`. */
void access_note(struct debug *d);

debug_answer_fn info_access;

#endif

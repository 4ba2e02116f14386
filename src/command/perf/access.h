/* What a warp's load, store or atomic asks of memory. Inside src/command only. */
#ifndef COMMAND_ACCESS_H
#define COMMAND_ACCESS_H

#include "debug/ground/ground.h"
#include "debug/view/focus.h"

/* A memory access of a warp that had executed so many instructions before it (access.h). */
struct access_seen {
	uint32_t launch, warp, warp_threads;
	uint64_t cta, executed;
	uint32_t pc;
	struct exec_access a; /* an address for each lane that executes it */
};

/* Stores the memory access that the focused warp is about to make, or that it makes none, for `info access`, before the machine runs. */
void access_note(struct debug *d);

/* Answers `info access`. */
debug_answer_fn info_access;

#endif

/* The activations of a thread: a frame for each function that has been called and has not returned. The prompt and the gdb stub use them. */
#ifndef DEBUG_VIEW_FRAME_H
#define DEBUG_VIEW_FRAME_H

#include "debug/view/focus.h"

struct debug_frame {
	const struct isa_function *function;
	uint32_t pc;	   /* its next instruction; in outer frames the call that is under way */
	uint64_t frame;	   /* offset in section FRAME; valid only for live threads */
	uint32_t local_sp; /* address of its local frame in the thread's local space */
	uint32_t depth;	   /* call depth: 0 the kernel */
	bool has_state;	   /* registers exist: false for threads not yet placed (all zero) and finished ones */
	bool waiting;	   /* not yet placed: registers read as zero */
};
/* Fills `out` with the activation `level` calls out from the thread's innermost, which is level 0. Returns false if the thread has not so many. A
 * thread that isn't placed yet or has exited has only level 0, without state. */
bool debug_frame_get(struct debug *d, const struct debug_where *w, uint32_t level, struct debug_frame *out);
/* Stores the activations of a thread, innermost first, `max` (1 at least) at most, and returns their number; the caller frees *out. The innermost
 * pc is the instruction that the thread executes next: behind a barrier that it waits at. */
size_t debug_frames(struct debug *d, const struct debug_where *w, size_t max, struct debug_frame **out);

/* A walk over a thread's frames. */
struct debug_frame_walk {
	const struct exec_simt *first, *entry;
	uint32_t pc;
};
/* Starts a walk at the innermost frame of a thread. Returns false if the thread isn't placed yet or has exited. */
bool debug_frames_begin(struct debug *d, const struct debug_where *w, struct debug_frame_walk *walk);
/* Moves a walk to the caller's frame; walk->pc is then where the call returns. Returns false at the outermost frame; the walk then stays there. */
bool debug_frames_up(struct debug_frame_walk *walk);

#endif

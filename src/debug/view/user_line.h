/* The user's line of an instruction: outside of the toolkit's headers, if need be that of a call around it. */
#ifndef DEBUG_VIEW_USER_LINE_H
#define DEBUG_VIEW_USER_LINE_H

#include "debug/view/source.h"

/* The calls around an instruction. */
struct debug_calls {
	const uint32_t *callers; /* 1 + indices of the call instructions, the innermost first; 0 ends the list */
	unsigned n;		 /* length of the list, at most */
};

struct debug_user_line {
	struct debug_position at;
	uint32_t pc;	/* the instruction, or the call around it, that is at the line */
	bool is_caller; /* `pc` is a call */
};
/* Finds the user's line of the instruction at `pc`. An empty list of calls stands for the only call of each function, where there is only one. Returns
 * false if no position is the user's. */
bool debug_user_line(struct debug *d, uint32_t pc, const struct debug_calls *calls, struct debug_user_line *out);
/* Returns a hash of the source positions from an instruction out to its user's line, through the calls *calls. Equal hashes stand for copies of one
 * piece of source code, as loop unrolling makes them. Returns 0 if no position is the user's. */
uint64_t debug_place_hash(struct debug *d, uint32_t pc, const struct debug_calls *calls);
/* Appends the place of an instruction, and the call that is at the user's line if that is another place:
 * `__shfl_down_sync+0x60 in c.ptx:44 (sm_30_intrinsics.hpp:397), called from sum at c.cu:17`. */
void debug_user_place_text(struct debug *d, uint32_t pc, const struct debug_calls *calls, struct text *out);
/* Appends the call that is at the user's line, `sum at c.cu:17`. Returns false if the instruction itself is at a user's line, or no call is. */
bool debug_user_caller_text(struct debug *d, uint32_t pc, const struct debug_calls *calls, struct text *out);

#endif

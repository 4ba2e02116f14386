/* Functions that a compiler has put into their callers, as frames: .loc's with what the debug information adds, and where steps by
 * lines stand among them. */
#ifndef DEBUG_INLINED_H
#define DEBUG_INLINED_H

#include "debug/view/focus.h"
#include "debug/view/source.h"

/* ---- .loc's, those of the program and those made from the debug information ---- */

/* The index of the one that says an instruction's line and the functions it was inlined into; ISA_NO_LOC: none. */
uint32_t debug_loc_at(struct debug *d, uint32_t pc);
const struct isa_loc *debug_loc(const struct debug *d,
				uint32_t loc); /* NULL: none. Valid until the next call of debug_loc_at */
uint32_t debug_loc_outer(const struct debug *d, uint32_t loc); /* of the call; ISA_NO_LOC: it was not inlined */
/* Those there are, numbered through from 0. */
size_t debug_loc_count(const struct debug *d);
size_t debug_loc_number(const struct debug *d, uint32_t loc);
uint32_t debug_loc_numbered(const struct debug *d, size_t number);
/* Levels of inlining at an instruction: 0 if it is the function's own. And the .loc of one of them, 0 the innermost. */
uint32_t debug_inlined_levels(struct debug *d, uint32_t pc);
uint32_t debug_loc_of_level(struct debug *d, uint32_t pc, uint32_t level);
/* How many levels out from a .loc is the one whose line is shown? See debug_readable_loc. */
#define DEBUG_NO_LEVEL UINT32_MAX
uint32_t debug_shown_level(struct debug *d, uint32_t loc);

/* ---- steps by lines ---- */

/* A frame at an instruction: of the activation itself or of a function inlined into it. Code from a file that isn't here is its caller's. */
struct debug_line_frame {
	uint32_t loc;
	uint32_t level;	 /* from the innermost one, */
	uint32_t levels; /* and to the activation's own */
	uint32_t begun;	 /* so many of the innermost ones begin at the instruction */
	struct debug_position at;
};
void debug_line_frame(struct debug *d, uint32_t pc, uint32_t level, struct debug_line_frame *out);
void debug_line_frame_up(struct debug *d, struct debug_line_frame *f, uint32_t levels);
/* Is it the other one, or in a function that was inlined into that, of the same activation? */
bool debug_is_within(struct debug *d, const struct debug_line_frame *inner, const struct debug_line_frame *outer);

/* As gdb does, a step that comes to the first instruction of inlined functions stands in front of the call: in the caller, at its line.
 * So many innermost levels are not entered yet; it holds until the warp executes something. Only with lines of CUDA. */
uint32_t debug_unentered(const struct debug *d, const struct debug_where *w);
void debug_unentered_set(struct debug *d, const struct debug_where *w, uint32_t levels);
/* For a breakpoint at a function: those that begin at the same instruction within it. */
void debug_unentered_of(struct debug *d, const struct debug_where *w, const char *function);
/* The .loc of a call at this line of the CUDA source, of a function that was inlined there and begins at the instruction; ISA_NO_LOC: none.
 * *level: of it, from the innermost one. */
uint32_t debug_call_at(struct debug *d, uint32_t pc, struct debug_position line, uint32_t *level);
/* For a breakpoint at such a line: the call is not entered yet. */
void debug_unentered_at(struct debug *d, const struct debug_where *w, struct debug_position line);
/* Where a thread stands, as stops show it. */
struct debug_position debug_shown_position(struct debug *d, const struct debug_where *w);

#endif

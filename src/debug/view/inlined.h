/* Functions that a compiler has put into their callers, as frames: .loc's with what the debug information adds, and where steps by
 * lines stand among them. */
#ifndef DEBUG_INLINED_H
#define DEBUG_INLINED_H

#include "debug/view/focus.h"
#include "debug/view/source.h"

/* ---- .loc's, those of the program and those made from the debug information ---- */

/* Returns the innermost .loc of an instruction, made from debug information where the program's lacks inlined functions. Returns ISA_NO_LOC if
 * there is none. */
uint32_t debug_loc_at(struct debug *d, uint32_t pc);
/* Returns a .loc by its index, the program's or a made one. Returns NULL if there is none. */
const struct isa_loc *debug_loc(const struct debug *d, uint32_t loc);
/* Returns the .loc of the call that a .loc's function was inlined at. Returns ISA_NO_LOC if there is none. */
uint32_t debug_loc_outer(const struct debug *d, uint32_t loc);
/* Returns the number of .locs, the program's and those made for inlined functions. */
size_t debug_loc_count(const struct debug *d);
/* Returns the number of .loc `loc`, below debug_loc_count: the program's come first, then the made ones. */
size_t debug_loc_number(const struct debug *d, uint32_t loc);
/* Returns the .loc with a number that debug_loc_number gave. */
uint32_t debug_loc_numbered(const struct debug *d, size_t number);
/* Returns the number of functions inlined around an instruction, counted from its innermost .loc; DEBUG_INLINED_MAX at most. */
uint32_t debug_inlined_levels(struct debug *d, uint32_t pc);
/* Returns the .loc `level` inlined levels out from an instruction's innermost. Returns ISA_NO_LOC if there are not so many. */
uint32_t debug_loc_of_level(struct debug *d, uint32_t pc, uint32_t level);
/* The result of debug_shown_level where no line can be shown. */
#define DEBUG_NO_LEVEL UINT32_MAX
/* Returns how many levels out from a .loc the first one is whose line can be shown: its file is readable, and no toolkit header that is inlined.
 * Returns DEBUG_NO_LEVEL if there is none. */
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
/* Fills the line frame at an instruction: the innermost whose line can be shown, or the one `level` inlined levels out if that is further out. */
void debug_line_frame(struct debug *d, uint32_t pc, uint32_t level, struct debug_line_frame *out);
/* Moves a line frame `levels` inlined levels out, f->levels at most. With 0 changes nothing, even if no line is shown there. */
void debug_line_frame_up(struct debug *d, struct debug_line_frame *f, uint32_t levels);
/* Returns whether `inner` is `outer`, or in a function inlined into it. Both are frames of the same activation. */
bool debug_is_within(struct debug *d, const struct debug_line_frame *inner, const struct debug_line_frame *outer);

/* Returns how many innermost inlined levels are not entered yet at the thread's instruction, as noted last for its warp there. Returns 0 once the
 * warp has executed an instruction, and if the PTX's lines are shown. */
uint32_t debug_unentered(const struct debug *d, const struct debug_where *w);
/* Notes that the thread's warp has not entered the `levels` innermost inlined levels at its instruction; 0 if the thread isn't on a core. Replaces
 * what was noted before. As in gdb, such a thread is shown in the caller, at the call's line. */
void debug_unentered_set(struct debug *d, const struct debug_where *w, uint32_t levels);
/* Notes that a thread at a breakpoint on a function has not entered the inlined functions that begin at its instruction inside that function. Notes
 * that all are entered if the function isn't there, or no CUDA line is shown. */
void debug_unentered_of(struct debug *d, const struct debug_where *w, const char *function);
/* Returns the .loc of a call at a line of the CUDA source whose inlined function begins at the instruction. Returns ISA_NO_LOC if there is none;
 * *level then has no meaning. *level: levels from the innermost .loc out to that one. */
uint32_t debug_call_at(struct debug *d, uint32_t pc, struct debug_position line, uint32_t *level);
/* Notes that a thread at a breakpoint on a call's line has not entered the inlined call yet. Notes that all are entered if no inlined call of that
 * line begins at its instruction. */
void debug_unentered_at(struct debug *d, const struct debug_where *w, struct debug_position line);
/* Returns the position of a thread as stops show it: that of its instruction, or the call's line for an inlined call that is not entered yet. */
struct debug_position debug_shown_position(struct debug *d, const struct debug_where *w);

#endif

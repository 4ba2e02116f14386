/* Headers that came with the toolkit or the compiler: the line of code inlined from them counts as the caller's. */
#ifndef DEBUG_TOOLKIT_H
#define DEBUG_TOOLKIT_H

#include "debug/debug.h"

/* Returns whether one of the program's files is a header that came with the toolkit or the compiler; false for a PTX file. Keeps the answer, so the
 * function may be called for each instruction. */
bool debug_is_toolkit_header(struct debug *d, uint32_t file);
/* Returns the innermost .loc of an instruction that isn't in a toolkit header, ISA_NO_LOC if there is none. */
uint32_t debug_own_loc(struct debug *d, uint32_t pc);

#endif

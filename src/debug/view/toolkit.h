/* Headers that came with the toolkit or the compiler: the line of code inlined from them counts as the caller's. */
#ifndef DEBUG_TOOLKIT_H
#define DEBUG_TOOLKIT_H

#include "debug/debug.h"

/* Returns whether one of the program's files is such a header; never for a PTX file. Remembered, so it may be asked for each instruction. */
bool debug_is_toolkit_header(struct debug *d, uint32_t file);
/* Returns an instruction's .loc that isn't in a toolkit header, the innermost of several (see debug_loc in inlined.h). Returns ISA_NO_LOC if there is
 * none. */
uint32_t debug_own_loc(struct debug *d, uint32_t pc);

#endif

/* Listing of decoded instructions: what the machine executes, as opposed to the PTX text it came from. */
#ifndef ISA_PRINT_H
#define ISA_PRINT_H

#include "isa/program.h"

struct text;

/* Appends one line, without a newline, that describes instruction `index`: handler, guard, operands with register names, targets. The format is for
 * people and may change. */
void isa_insn_print(const struct isa_program *p, uint32_t index, struct text *out);

#endif

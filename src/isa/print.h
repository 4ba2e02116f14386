/* Listing of decoded instructions: what the machine executes, as opposed to the PTX text it came from. */
#ifndef ISA_PRINT_H
#define ISA_PRINT_H

#include "isa/program.h"

struct text;

/* One line without newline: handler, guard, operands with their register names, targets; for people, not for parsing. */
void isa_insn_print(const struct isa_program *p, uint32_t index, struct text *out);

#endif

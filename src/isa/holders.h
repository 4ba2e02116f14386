/* The registers of a function that hold an address in a variable. */
#ifndef ISA_HOLDERS_H
#define ISA_HOLDERS_H

#include "isa/program.h"

struct isa_holders {
	unsigned char *is_holder; /* for each possible word of isa_program.rw */
	uint32_t n;
	uint32_t begin; /* of isa_holders_of_result: 1 + the instruction that gives the first of them its value; else 0 */
};
/* Returns the registers that some instruction of a function gives an address computed from a variable's name: by moves, conversions, sums and selections.
 * isa_holders_free releases them. */
struct isa_holders isa_holders_find(const struct isa_program *p, const struct isa_variable *v, const struct isa_function *f);
/* Releases what isa_holders_find has returned. */
void isa_holders_free(struct isa_holders *h);
/* Returns the registers that hold what a register written by instruction `pc` holds, or an address computed from that. */
struct isa_holders isa_holders_of_result(const struct isa_program *p, uint32_t pc, const struct isa_function *f);
/* Takes out the registers that some other instruction gives another value. v NULL: of isa_holders_of_result. */
void isa_holders_keep_certain(const struct isa_program *p, const struct isa_variable *v, const struct isa_function *f, struct isa_holders *h);
/* Returns true if an operand of a role is the variable's name or one of the registers. v NULL: one of the registers. */
bool isa_holders_in(const struct isa_program *p, uint32_t pc, enum isa_operand_role role, const struct isa_variable *v, const struct isa_holders *h);

#endif

/* Private to check*.c: the state of checking one module, and what the files share.
 *
 * Types of operands follow the ISA's table "Operand Size and Type Checking Rules" as ptxas applies it. */
#ifndef PTX_CHECK_H
#define PTX_CHECK_H

#include "base/text.h"
#include "ptx/forms.h"
#include "ptx/opcode.h"

#define CHECK_MAX_ERRORS 100u /* of one file; then checking ends */

struct ptx_checker {
	struct ptx_module *m;
	struct ptx_function *fn;     /* whose body is being checked */
	const struct ptx_insn *insn; /* being checked */
	const struct ptx_opcode *op;
	unsigned version; /* of the module, times ten */
	unsigned n_errors;
	bool warned_narrow;	/* the module was warned of addresses below 32 bits */
	bool warned_constant;	/* the module was warned of constant addresses */
	const char *no_meaning; /* the operand that leaves the instruction without a meaning (check_no_meaning), or NULL */
	ptx_offset no_meaning_at;
};

/* Reports an error at `at`, unless CHECK_MAX_ERRORS were reported. Returns false. */
__attribute__((format(printf, 3, 4))) bool check_fail(struct ptx_checker *c, ptx_offset at, const char *fmt, ...);

/* Returns where the opcode of the instruction being checked begins, behind its guard. */
ptx_offset check_opcode_at(const struct ptx_checker *c);

/* Returns true if a register of type `reg` may stand where the instruction says `type`. With `wider` it may have more bits. */
bool check_reg_fits(enum isa_type type, enum isa_type reg, bool wider);
/* Returns true if the operand is a vector register as a whole, without .x. */
bool check_is_vector_reg(const struct ptx_operand *o);
/* Returns true if registers of these types may stand in one vector operand. */
bool check_elements_agree(enum isa_type a, enum isa_type b);
/* Returns true if an integer or floating-point constant fits the type. */
bool check_constant_fits(enum isa_type type, const struct ptx_operand *o);
/* Appends what an operand is, for a message: "a .u32 register", "an integer constant", "variable 'gv'" ... */
void check_describe(struct text *t, const struct ptx_operand *o);
/* Appends which register a type asks for, for a message: "a .f32 or .b32 register". */
void check_describe_type(struct text *t, enum isa_type type, bool wider);

/* Checks operand number i (from 0) against its rule. Returns false after an error. */
bool check_operand(struct ptx_checker *c, unsigned i, const struct ptx_rule *r, const struct ptx_operand *o);
/* Checks a scalar source against its rule: a register, a constant, or what the rule's flags allow. `what` names the operand in messages. Returns
 * false after an error. */
bool check_source(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o);
/* Checks a scalar destination against its rule. `what` names the operand in messages. Returns false after an error. */
bool check_destination(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o);
/* Reports that an operand is not `expected`; `what` names the operand. Returns false. */
bool check_mismatch(struct ptx_checker *c, const char *what, const struct ptx_operand *o, const char *expected);

/* Notes that ptxas accepts the operand at `at` although no document says what the instruction computes. The instruction then loads with a warning,
 * and faults when it is reached. `what` completes "the instruction has no meaning with ..." and must live as long as the program. Returns true. */
bool check_no_meaning(struct ptx_checker *c, ptx_offset at, const char *what);

/* Checks a register plus a constant as a source, which only ptxas takes. Returns false after an error. */
bool check_sum(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o);
/* Returns true if ptxas takes a variable's or function's name as a source here; an error isn't reported. */
bool check_name(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o);

/* Returns true if the operand is a predicate that ptxas takes as the second of two packed .bf16 values. */
bool check_is_stray_predicate(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o);
/* Checks a cache policy of an atomic that has no hint for one. Returns false after an error. */
bool check_unused_policy(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
			 const struct ptx_operand *o);

/* Returns true if the operand is a vector in braces with special registers or predicates, which only ptxas takes. */
bool check_has_loose_elements(const struct ptx_operand *o);
/* Returns true if elements of these types may stand side by side in a vector. */
bool check_neighbours_agree(enum isa_type a, enum isa_type b);
/* Checks that the elements of a vector in braces agree, and returns their common type, or ISA_NOTYPE after an error. `writes`: the vector is a
 * destination. */
enum isa_type check_elements(struct ptx_checker *c, const struct ptx_operand *o, bool writes);
/* Returns true if ptxas takes a vector in braces for a packed .bf16 value here; an error isn't reported. `writes`: the vector is a destination. */
bool check_vector_for_packed(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o, bool writes);
/* Returns true if a vector whose elements have type `have` together suits the rule; an error isn't reported. */
bool check_vector_fits(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o,
		       enum isa_type have);

/* Checks that a variable is in the opcode's state space. Returns false after an error. */
bool check_space(struct ptx_checker *c, const struct ptx_operand *variable);
/* Checks an address in brackets. Returns false after an error. */
bool check_address(struct ptx_checker *c, const struct ptx_operand *o);
/* Returns true if the operand is an element of an array, name[index], whose address is meant. */
bool check_is_element(const struct ptx_checker *c, const struct ptx_operand *o);
/* Checks the register of name[%r]. Returns false after an error. */
bool check_index(struct ptx_checker *c, const struct ptx_operand *o);

/* Checks the operands of mov. Returns false after an error. */
bool check_mov(struct ptx_checker *c);
/* Checks a call: callee, return values and arguments. Returns false after an error. */
bool check_call(struct ptx_checker *c);
/* Checks that the operand is a .branchtargets label. Returns false after an error. */
bool check_branch_table(struct ptx_checker *c, const struct ptx_operand *o);

/* Checks the operands of a texture or surface instruction. Returns false after an error. */
bool check_texture(struct ptx_checker *c);

/* Checks the modifiers and operands of a tensor instruction. Returns false after an error. */
bool check_tensor(struct ptx_checker *c);

/* Checks what the modifiers of ld, st, atom ... demand of each other and of the operands. Returns false after an error. */
bool check_memory(struct ptx_checker *c);

/* Checks the module's directives and declarations. */
void check_directives(struct ptx_checker *c);

#endif

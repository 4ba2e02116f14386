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
	bool warned_narrow;	/* of addresses below 32 bits: once a module */
	bool warned_constant;	/* of constant addresses, likewise */
	const char *no_meaning; /* what makes the instruction one of check_no_meaning's, NULL: nothing */
	ptx_offset no_meaning_at;
};

/* Reports an error at `at`; always false. */
__attribute__((format(printf, 3, 4))) bool check_fail(struct ptx_checker *c, ptx_offset at, const char *fmt, ...);

/* Where the opcode of the instruction being checked stands (after its guard). */
ptx_offset check_opcode_at(const struct ptx_checker *c);

/* check_type.c: may a register of type `reg` stand where the instruction says `type`? `wider`: it may have more bits. */
bool check_reg_fits(enum isa_type type, enum isa_type reg, bool wider);
/* The register's type as an operand; vector registers without .x have their element's. */
bool check_is_vector_reg(const struct ptx_operand *o);
/* May these two registers stand in one vector operand? */
bool check_elements_agree(enum isa_type a, enum isa_type b);
/* Does a constant fit the type? */
bool check_constant_fits(enum isa_type type, const struct ptx_operand *o);
/* "a .u32 register", "an integer constant", "variable 'gv'" ... */
void check_describe(struct text *t, const struct ptx_operand *o);
/* "a .f32 or .b32 register" */
void check_describe_type(struct text *t, enum isa_type type, bool wider);

/* check_operand.c: operand number i (from 0) against its rule. */
bool check_operand(struct ptx_checker *c, unsigned i, const struct ptx_rule *r, const struct ptx_operand *o);
/* A scalar source: register, constant, with what the rule's flags allow. */
bool check_source(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o);
bool check_destination(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o);
/* Reports that an operand is not what was expected. */
bool check_mismatch(struct ptx_checker *c, const char *what, const struct ptx_operand *o, const char *expected);

/* The operand at `at` is one that ptxas takes though nothing says what the instruction then computes: it loads with a warning and
 * faults when it is reached. `what` completes "the instruction has no meaning with ..." and lives as long as the program. True. */
bool check_no_meaning(struct ptx_checker *c, ptx_offset at, const char *what);

/* check_loose.c: sources that only ptxas takes. A register plus a constant, and a name; false from check_name: not reported. */
bool check_sum(struct ptx_checker *c, const char *what, const struct ptx_rule *r, const struct ptx_operand *o);
bool check_name(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o);

/* ... a predicate for packed values, */
bool check_is_stray_predicate(const struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o);
/* ... and a cache policy that nothing asked for. */
bool check_unused_policy(struct ptx_checker *c, const char *what, const struct ptx_rule *r,
			 const struct ptx_operand *o);

/* check_elements.c: vectors in braces. Does one have elements only ptxas takes; what type its elements have together, ISA_NOTYPE if that was
 * reported; does a vector of that type suit the rule. */
bool check_has_odd_elements(const struct ptx_operand *o);
bool check_neighbours_agree(enum isa_type a, enum isa_type b);
enum isa_type check_elements(struct ptx_checker *c, const struct ptx_operand *o, bool writes);
bool check_vector_for_packed(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o, bool writes);
bool check_vector_fits(struct ptx_checker *c, const struct ptx_rule *r, const struct ptx_operand *o,
		       enum isa_type have);

/* check_memory.c: an address in brackets; a variable against the opcode's state space. */
bool check_space(struct ptx_checker *c, const struct ptx_operand *variable);
bool check_address(struct ptx_checker *c, const struct ptx_operand *o);
/* Is the operand an array's element, name[index], whose address is meant? */
bool check_is_element(const struct ptx_checker *c, const struct ptx_operand *o);
bool check_index(struct ptx_checker *c, const struct ptx_operand *o);

/* check_mov.c, check_call.c: instructions with rules of their own. */
bool check_mov(struct ptx_checker *c);
bool check_call(struct ptx_checker *c);
bool check_branch_table(struct ptx_checker *c, const struct ptx_operand *o);

/* check_later.c: what is looked at of instructions that load and can't run. */
bool check_later(struct ptx_checker *c);

/* What the modifiers of ld, st, atom ... demand of each other and of the operands. */
bool check_memory(struct ptx_checker *c);

/* check_directive.c: rules of the module's directives and declarations. */
void check_directives(struct ptx_checker *c);

#endif

/* Instructions of PTXPlus as they are written, and what the files of the front end share. */
#ifndef PTXPLUS_PLUS_H
#define PTXPLUS_PLUS_H

#include "isa/plus.h"
#include "ptx/dialect.h"
#include "ptx/opcode.h"

enum plus_kind {
	PLUS_NONE,
	PLUS_SINK,     /* _ */
	PLUS_REGISTER, /* symbol, number, half */
	PLUS_SPECIAL,  /* special, dim */
	PLUS_INTEGER,  /* bits */
	PLUS_FLOAT,    /* bits, is_f32 */
	PLUS_NAME,     /* a variable: symbol */
	PLUS_LABEL,    /* symbol, perhaps known only after the function */
	PLUS_GROUP,    /* elems */
	PLUS_MEMORY,   /* s[...]: space, symbol (NULL: none), address */
	PLUS_ADDRESS   /* [...] of ld, st and atom: the same */
};

/* What stands in brackets. */
struct plus_address {
	struct ptx_symbol *reg, *other; /* NULL: none */
	uint32_t number, other_number;
	uint8_t half, other_half;
	bool is_post;
	uint32_t imm;
};

struct plus_operand {
	uint8_t kind, half, dim, space;
	bool is_negated, is_not, is_f32;
	char joint; /* '|' or '/' in front of `second`, else 0 */
	uint16_t n_elems;
	ptx_offset at;
	uint32_t n; /* bytes of its text */
	uint32_t number;
	struct ptx_symbol *symbol;
	const struct isa_special_name *special;
	uint64_t bits;
	struct plus_address address;
	struct plus_operand *elems, *second;
};

#define PLUS_OPERANDS 6u

struct plus_insn {
	struct ptx_opcode opcode; /* first: ptx_insn.opcode points to it */
	uint8_t n;
	uint8_t condition; /* of the guard: enum isa_condition, ISA_CONDITIONS without one */
	bool is_half, exits, is_pair_type, has_type;
	struct plus_operand operands[PLUS_OPERANDS];
	const struct ptx_insn *plain; /* the same as an instruction of PTX, if it is one; else NULL */
};

/* Predicates and conditions of a function's guards, each of which has a predicate slot. */
struct plus_guard {
	const struct ptx_symbol *symbol;
	uint32_t number;
	uint16_t truth;
};
struct plus_state {
	struct plus_guard *guards; /* of the function at hand */
	size_t n_guards, cap_guards;
	uint32_t breaks; /* row of the addresses that breakaddr keeps, 0: none */
	bool local_is_open; /* local memory is accessed at addresses that the code does not name */
	uint32_t local_end; /* of the highest address in local memory that the code names */
	struct plus_constptr *constptrs;
	uint32_t *offsets;		  /* of the instructions of `offsets_of`, and of its end, in bytes of machine code */
	const struct ptx_function *offsets_of;
	struct plus_targets *targets; /* of the function at hand */
};
/* Where computed branches with an address from a constant, or from a register, may lead. */
struct plus_targets {
	struct plus_targets *next;
	const struct ptx_symbol *constant; /* NULL: none */
	uint32_t aux;
};
struct plus_constptr {
	struct plus_constptr *next;
	struct ptx_symbol *pointer, *array;
	uint32_t offset;
};

/* Returns the instruction of PTXPlus that a parsed instruction is. */
static inline const struct plus_insn *plus_of(const struct ptx_insn *in) { return (const struct plus_insn *)(const void *)in->opcode; }

/* Returns the state that a module's files share. */
struct plus_state *plus_state_of(struct ptx_module *m);

/* ---- opcode.c ---- */
/* Decodes an opcode as written into in->opcode and the fields after it. Returns NULL, or the error and, in *at, its offset in the text. */
const char *plus_opcode(struct plus_insn *in, struct ptx_slice text, uint32_t *at);

/* ---- parse.c ---- */
/* Parses .constptr, and sets *ok to whether it is right. Returns false if another item comes next. */
bool plus_parse_item(struct ptx_parser *p, bool *ok);
/* Parses an instruction up to its semicolon. Returns false, with an error added, if it is wrong. */
bool plus_parse_instruction(struct ptx_parser *p, struct ptx_insn *in);

/* ---- check.c ---- */
/* Returns what is wrong with an instruction and, in *at, where; NULL if it is right. Finds out whether it is also an instruction of PTX. */
const char *plus_check(struct ptx_parser *p, struct plus_insn *in, ptx_offset *at);

/* ---- lower.c, lower_flow.c ---- */
/* Gives pointers of .constptr the addresses of what they point to. */
void plus_placed(struct lower *l);
/* Returns how many predicate slots the guards of the function at hand need. */
uint32_t plus_slots(struct lower *l);
/* Begins a function: lists its guards and reserves the row of the addresses that breakaddr keeps. */
void plus_begin(struct lower *l);
/* Lowers one instruction. */
void plus_lower(struct lower *l, const struct ptx_insn *in);
/* Ends a function: finds where its breaks and computed branches may lead, and sets the size of its local memory. */
void plus_end(struct lower *l);
/* Returns what an operand as parsed is lowered to, and notes the registers that it reads. */
struct isa_plus_operand plus_source(struct lower *l, const struct plus_operand *o, enum isa_type type);
/* Returns the truth of a guard's condition, a bit for each value of the flags. */
uint16_t plus_guard_truth(const struct ptx_insn *in);
/* Lowers branches, calls and breaks. Returns false if the instruction is none. */
bool plus_lower_flow(struct lower *l, const struct ptx_insn *in);
/* Finds where breaks and computed branches of a function may lead. */
void plus_resolve_flow(struct lower *l);

#endif

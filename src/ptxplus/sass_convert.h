/* A conversion of a listing under way. */
#ifndef PTXPLUS_SASS_CONVERT_H
#define PTXPLUS_SASS_CONVERT_H

#include "ptxplus/sass.h"

/* What a function uses, and so declares. */
struct sass_used {
	int registers, addresses, predicates; /* the highest number, -1: none */
	bool r124, o127;
};

/* An address, of which there are SASS_ADDRESSES, in the function at hand. */
#define SASS_ADDRESSES 0x10000u
struct sass_address {
	uint32_t insn;	/* 1 + index of the first instruction there, 0: none */
	bool is_target; /* an instruction of the function branches there */
};

struct sass_converter {
	const struct sass_source *source;
	struct diag_list *diags;
	struct sass_listing listing;
	struct sass_elf elf;
	struct ptx_module ptx;
	struct text *out;
	bool failed;

	/* the function at hand */
	const struct sass_function *function;
	struct sass_address *addresses;
	struct sass_used used;
	struct text code;
	const struct sass_insn *last_pbk; /* printed last, of any function */
	const struct sass_insn **brk;	  /* per instruction of the listing: the PBK of a BRK */

	/* the instruction at hand */
	const struct sass_insn *in;
	enum isa_type types[2];
	unsigned n_types;
	bool is_24, is_hi, saturates, has_x;
	struct text modifiers; /* ".lt.abs" */
};

/* Adds an error about a place in the line of the instruction at hand. */
#define SASS_FAIL(c, where, ...) \
	(sass_say((c)->source, (struct sass_place){where, (c)->in->line}, DIAG_ERROR, (c)->diags, __VA_ARGS__), (c)->failed = true)

/* Notes that the text differs from the one of 3.2.2's converter. */
__attribute__((format(printf, 2, 3))) void sass_note(struct sass_converter *c, const char *fmt, ...);
/* Returns the index of the function's first instruction at an address, or the end of the function if there is none. */
static inline uint32_t sass_insn_at(const struct sass_converter *c, uint32_t address)
{
	const uint32_t insn = address < SASS_ADDRESSES ? c->addresses[address].insn : 0;
	return insn ? insn - 1 : c->function->end;
}
/* Returns the address that an instruction names in its last operand, or NULL if that is no number. */
static inline const uint32_t *sass_target(const struct sass_insn *in)
{
	return in->n && in->operands[in->n - 1].kind == SASS_NUMBER ? &in->operands[in->n - 1].value : NULL;
}
/* Appends an instruction's line to c->code. */
void sass_put_instruction(struct sass_converter *c);

/* ---- sass_operand.c ---- */
/* How an operand is written. */
struct sass_style {
	unsigned group;	  /* registers of it: 1, 2, 4 */
	bool is_bare;	  /* memory in brackets alone, as in ld.global */
	bool is_address_only; /* A registers count as used by this operand */
	unsigned scale;	  /* of offsets in shared and constant memory, where the operand's own type doesn't say */
	bool by_halves;	  /* the register's number counts halves */
};
/* Appends an operand. */
void sass_put_operand(struct sass_converter *c, const struct sass_operand *o, const struct sass_style *style, struct text *out);

#endif

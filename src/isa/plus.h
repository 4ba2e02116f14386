/* Instructions of PTXPlus: what isa_insn has no room for, in isa_program.aux from isa_insn.aux on.
 *
 * A PTXPlus instruction reads its operands from registers, halves of registers, groups of registers and memory, and may also write four flags to a
 * predicate. A predicate is a row of 32-bit lanes of type ISA_FLAGS. A guard looks at a predicate slot that is kept beside the row: its bit says
 * whether the guard's condition differs from what it is for flags of 0. */
#ifndef ISA_PLUS_H
#define ISA_PLUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/insn.h"

struct isa_program;

/* The flags of a predicate. The predicate is true while ZERO is not set. */
enum { ISA_FLAG_ZERO = 1, ISA_FLAG_SIGN = 2, ISA_FLAG_CARRY = 4, ISA_FLAG_OVERFLOW = 8 };

enum isa_condition {
#define CONDITION(id, sass, code, truth) ISA_CONDITION_##id,
#include "isa/plus_conditions.def"
	ISA_CONDITIONS
};
struct isa_condition_info {
	const char *name, *sass;
	uint8_t code;	/* in machine code */
	uint16_t truth; /* bit v: it holds for flags of value v */
};
extern const struct isa_condition_info isa_condition_info[ISA_CONDITIONS];

/* Returns the condition of a name of n bytes in PTXPlus ("lt"), or ISA_CONDITIONS if there is none. */
enum isa_condition isa_condition_find(const char *s, size_t n);

enum isa_plus_kind {
	ISA_PLUS_NONE,
	ISA_PLUS_ROW,	 /* a register, constant or special register */
	ISA_PLUS_GROUP,	 /* several registers, the lowest part first */
	ISA_PLUS_MEMORY, /* s[...], g[...], l[...], constant0[...] */
	ISA_PLUS_CLOCK,	 /* %clock */
	ISA_PLUS_SINK	 /* a result that is dropped */
};
enum isa_plus_half { ISA_PLUS_WHOLE, ISA_PLUS_LO, ISA_PLUS_HI };

struct isa_plus_operand {
	uint32_t ref;	 /* ROW: the row. MEMORY: row of the address register, ISA_REF_NONE without one. GROUP: index in aux of the rows */
	uint32_t other;	 /* MEMORY: row of the second address register, ISA_REF_NONE without one */
	uint32_t imm;	 /* MEMORY: displacement, or increment if is_post */
	uint32_t base;	 /* MEMORY: address of the variable, which counts from the start of its space */
	uint32_t guards; /* ROW of a predicate that is written: index in aux of a number n and n pairs of predicate slot and truth */
	uint8_t kind, half;
	uint8_t bytes; /* of a lane of the row, or of each row of a group */
	uint8_t n;     /* GROUP: rows */
	uint8_t space, ref_half, other_half;
	bool is_negated : 1, is_post : 1, is_not : 1;
	bool is_implied : 1; /* GROUP: one register is written, which stands for two. 3.2.2 takes the first alone */
};
_Static_assert(sizeof(struct isa_plus_operand) == 28, "whole words");

#define ISA_PLUS_SOURCES 4u
struct isa_plus {
	struct isa_plus_operand dst;	/* result; also what is stored */
	struct isa_plus_operand second; /* of `a|b` and `a/b`: the flags, or the negation of the result */
	struct isa_plus_operand src[ISA_PLUS_SOURCES];
	uint8_t n_src;
	bool is_flags;	   /* `second` gets the flags of the result */
	bool exits;	   /* the thread ends after the instruction */
	bool is_pair_type; /* .ff64, .bb64, .bb128: its registers are written as groups */
};
#define ISA_PLUS_WORDS (sizeof(struct isa_plus) / sizeof(uint32_t))
_Static_assert(sizeof(struct isa_plus) % sizeof(uint32_t) == 0, "whole words");

/* A guard's predicate slot, which follows a predicate's row. */
struct isa_plus_guard {
	uint32_t row, slot;
	uint16_t truth; /* bit v: the condition holds for flags of value v */
};

#define ISA_PLUS_PARAMS 0x10u /* shared address of the first parameter */

/* isa_insn.mode of a PTXPlus mov: it is a load or a store of the LDST unit. */
enum { ISA_PLUS_COMPUTES, ISA_PLUS_LOADS, ISA_PLUS_STORES };

/* Returns the operands of an instruction that has_plus. They stay where they are until a program is loaded. */
const struct isa_plus *isa_plus_of(const struct isa_program *p, const struct isa_insn *i);
/* Returns whether an instruction has a struct isa_plus. */
bool isa_insn_has_plus(const struct isa_insn *i);

/* Returns the bytes that an instruction takes in memory: 4 for one with .half, else 8. */
static inline uint32_t isa_insn_bytes(const struct isa_insn *i) { return i->is_half ? 4 : 8; }
/* Returns the instruction of the function beginning at `first` whose address, counted from there, is `offset`. ISA_NO_TARGET: none. `addresses`: a number n, then the
 * addresses of the function's n instructions; brx has the index of that list in aux behind its targets. */
uint32_t isa_plus_find(const uint32_t *addresses, uint32_t first, uint32_t offset);
#define ISA_PLUS_BREAKS 32u /* addresses that breakaddr keeps for a thread */

/* Returns the instruction of a function that begins `offset` bytes behind the function's start, or ISA_NO_TARGET. */
uint32_t isa_plus_at(const struct isa_program *p, uint32_t first, uint32_t end, uint32_t offset);

#endif

/* Instructions of PTXPlus: the values that they compute. Operands, memory and results are plus.c's. */
#ifndef EXEC_PLUS_H
#define EXEC_PLUS_H

#include "exec/internal.h"
#include "isa/plus.h"

/* An instruction under way. A value is 64 bits a lane; of 128 bits the upper half is in `high`. */
struct plus_values {
	uint64_t src[ISA_PLUS_SOURCES][LANES];
	uint64_t dst[LANES], high[LANES];
	uint32_t flags[LANES];	/* of the result */
	uint64_t second[LANES]; /* of a|b, where b gets no flags: the negation of the result */
};

/* Computes an instruction for all lanes from v->src. `exact`: as GPGPU-Sim 3.2.2 does, also where that is wrong. Returns false if the instruction can't be
 * executed. */
bool plus_compute(const struct exec *x, const struct isa_insn *i, bool exact, struct plus_values *v);

/* Computes an operation on f32 or f64 values. Returns false if the instruction is no such operation. */
bool plus_compute_float(const struct isa_insn *i, bool exact, struct plus_values *v);
/* Computes cvt. Returns false if there is no such conversion. */
bool plus_convert(const struct isa_insn *i, struct plus_values *v);
/* Computes set, setp and slct. Returns false if there is no such comparison. */
bool plus_compare(const struct isa_insn *i, struct plus_values *v);

/* Returns the width of a type in bits; 32 for flags. */
static inline unsigned plus_bits(unsigned type) { return 8 * isa_type_bytes((enum isa_type)type); }
/* Returns a mask of n low bits, n at most 64. */
static inline uint64_t plus_mask(unsigned n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
/* Returns the low n bits of v, n from 1 to 64, as a signed number. */
static inline int64_t plus_signed(uint64_t v, unsigned n) { return (int64_t)(v << (64 - n)) >> (64 - n); }
/* Returns whether a type is a signed integer type. */
static inline bool plus_is_signed(unsigned type) { return isa_type_is_signed((enum isa_type)type); }

/* Reads an operand for all lanes, without memory: a register, constant, special register or group. */
void plus_read_row(const struct exec *x, const struct isa_plus_operand *o, uint64_t low[LANES], uint64_t high[LANES]);
/* Reads the only source of an instruction for all lanes. Returns false if the instruction stops in front of it. */
bool plus_read_address(struct exec *x, const struct isa_insn *i, uint64_t address[LANES]);
/* Updates the slots of the guards that look at a predicate row. */
void plus_update_guards(const struct isa_program *p, char *frame, uint32_t row, uint32_t guards);

#endif

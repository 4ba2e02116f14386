/* find-nan's way from a value back to where it was born, and its part through the registers of one warp. Private to src/history. */
#ifndef HISTORY_NAN_CHAIN_H
#define HISTORY_NAN_CHAIN_H

#include "history/trace.h"

#define NAN_PLACES 8u /* of a way that are named */

/* The instructions that a value went through after the one that made it: how many, and the first places. */
struct nan_way {
	uint32_t n;
	uint32_t n_passed; /* one more than NAN_PLACES: there are others */
	struct nan_passed {
		uint32_t pc, times; /* in a row */
	} passed[NAN_PLACES + 1];
};
/* Adds an instruction to the front of a way. If the way's first instruction is the same, only counts it once more. */
void nan_way_prepend(struct nan_way *w, uint32_t pc);

/* Returns true for a floating-point type of at least two bytes. */
static inline bool nan_is_float(enum isa_type t) { return isa_type_is_float(t) && isa_type_bytes(t) >= 2; }
/* Returns true if a value, as the bits of type `t`, is neither a NaN nor infinite. */
bool nan_is_finite(enum isa_type t, uint64_t v);
/* Returns true if a result may have its NaN (`is_nan`) or its infinity from an operand with that value. A result without such an operand is a birth. */
bool nan_is_passed_on(double operand, bool is_nan);
/* Returns true if an instruction can be a birth: it makes values, and doesn't only move them. */
bool nan_can_be_born(const struct isa_insn *i);
/* Stores the number of a constant operand, 0f3F800000 or 0d..., in *v. Returns false if the operand is something else. */
bool nan_constant(const struct debug_operand *o, double *v);
/* Returns what nan_is_passed_on does for an operand of that type with the bits `v`. */
bool nan_is_source(enum isa_type t, uint64_t v, bool is_nan);

/* A register that isn't finite in front of a point of its thread, and the way from there. */
struct nan_chain {
	struct debug_thread thread;
	struct trace_point at;
	uint32_t word;
	enum isa_type type;
	bool is_of_nan; /* as in nan_point */
	struct nan_way way;
};
#define NAN_CHAINS_MAX 8u

/* Registers that a value has gone through of late. */
#define NAN_WORDS_MAX 16u
struct nan_words {
	uint32_t n; /* more than NAN_WORDS_MAX: they aren't known, any may be */
	uint32_t word[NAN_WORDS_MAX];
};
/* Adds a register to the set, unless the register is there. Beyond NAN_WORDS_MAX only the count grows. */
void nan_words_add(struct nan_words *w, uint32_t word);

/* Where chains are followed. */
struct nan_scope {
	uint32_t pc; /* an instruction of the activation's function */
	const struct nan_words *words; /* registers that are followed; a chain ends in front of others */
	const struct history_position *limit;
};
/* Follows registers of threads of one warp, in front of points of one activation, from each instruction to its first operand that the value may come from. A chain ends
 * behind an instruction that has to be looked at by itself, as the one that made the value. Each stretch between snapshots is run once. Returns false if the look was
 * interrupted, or if what was can't be run again. */
bool nan_chain_follow(struct history *h, struct nan_chain *const *c, size_t n, const struct nan_scope *scope);

#endif

/* The timing model's description of each instruction of the program: class, latency, registers. Built once per load from isa_program;
 * immutable while kernels run. Source: GPGPU-Sim 3.2.2 (instruction classes, latency options, register numbering, bank mapping). */
#ifndef TIMING_INSN_H
#define TIMING_INSN_H

#include "isa/program.h"
#include "timing/core/model.h"
#include "timing/core/places.h"

/* Cache operators that matter; all others behave like the default. */
enum timing_cache_op { TIMING_CACHE_DEFAULT, TIMING_CACHE_GLOBAL /* .cg and every atomic: not in L1D */ };

/* The space of texture look-ups, which enum isa_space lacks because no PTX address lies in it. exec records the texels' global addresses. */
#define TIMING_SPACE_TEXTURE ((uint8_t)ISA_SPACE_COUNT)
#define TIMING_SPACE_STREAM ((uint8_t)(ISA_SPACE_COUNT + 1)) /* of an instruction in flight: elements of streams */

struct core_config;

#define TIMING_OUT_MAX 8u
#define TIMING_CHECK_MAX 16u /* of the registers of tensor instructions beyond, the low numbers are kept as bits alone */
#define TIMING_LOW_WORDS 2u /* register numbers below 64 times this are also kept as bits */
#define TIMING_SRC_MAX 6u /* source slots of a collector unit: 0..3 sources, 4, 5 address registers */

struct timing_insn {
	uint8_t class;	    /* enum timing_class */
	uint8_t space;	    /* enum isa_space as written, or TIMING_SPACE_TEXTURE; kernel parameters: PARAM */
	uint8_t cache_op;   /* enum timing_cache_op */
	uint8_t data_bytes; /* of one element */
	uint8_t vec;	    /* elements per lane */
	bool is_atomic;	    /* atom, red */
	bool is_param;	    /* .param in local memory */
	bool is_matrix;	    /* ldmatrix, stmatrix, wmma.load, wmma.store: the access says which lanes take part */
	uint32_t const_base; /* PTXPlus: generic address of the constant array, which the constant cache leaves out; 0: none */
	bool has_high;	    /* a number of `check` is too high for the masks */
	uint8_t n_out, n_in, n_check;
	uint8_t src_mask;   /* bit k: source slot k is used */
	core_unit_set units; /* kinds of units that execute it */
	uint16_t latency, initiation; /* core cycles */
	uint16_t path_latency; /* textbook core: cycles from its issue to the next path's, if it ends a path */
	uint8_t kind;	    /* textbook core: enum textbook_kind */
	uint64_t out_low[TIMING_LOW_WORDS], check_low[TIMING_LOW_WORDS]; /* the low numbers of `out` and `check`, a bit each */
	int32_t src_reg[TIMING_SRC_MAX]; /* register-file number (digits of the name), -1: no access */
	int32_t out_reg[TIMING_OUT_MAX];
	/* the members below are not read in each cycle */
	uint32_t out[TIMING_OUT_MAX]; /* scoreboard numbers of the destinations, from 1 */
	uint32_t in[4];		      /* of the first sources */
	uint32_t check[TIMING_CHECK_MAX]; /* every number the scoreboard looks at: destinations, sources, guard, address */
};

/* Textbook core: the scoreboard numbers of the registers of a function, [first, end). Functions share none. */
struct timing_registers {
	uint32_t first_insn, first, end;
};
struct timing_program {
	struct timing_insn *insns; /* one per instruction of the program */
	uint32_t *address; /* of each instruction, and of the one behind the last; NULL: 8 bytes each */
	uint32_t n, cap;
	uint32_t end; /* instructions loaded at the machine's present step; later ones are not fetched */
	uint32_t gone_first, gone_end; /* unloaded instructions [first, end); code after them has addresses as if they did not exist */
	uint32_t max_register; /* highest scoreboard number of all of them */
	struct timing_registers *registers; /* textbook core: a row for each function, in the order of their instructions */
	uint32_t n_registers, cap_registers;
	struct timing_places places; /* of its module variables */
};
/* Sets out_low and check_low from `out` and `check`. */
void timing_insn_set_masks(struct timing_insn *t);
/* Adds descriptions of the instructions loaded since the last call, for a machine's core. */
void timing_program_update(struct timing_program *t, const struct isa_program *p, const struct core_config *core);
/* Returns the scoreboard number of the register that a word of isa_program.rw means in a function; 0 if there is none. */
uint32_t timing_register_number(const struct isa_function *f, uint32_t word);
/* Returns the row of the function that the instruction at `pc` belongs to; NULL if there is none, as in cores that are no textbook cores. */
const struct timing_registers *timing_registers_of(const struct timing_program *t, uint32_t pc);
/* Returns the highest scoreboard number of the first n instructions. */
uint32_t timing_program_registers(const struct timing_program *t, uint32_t n);
/* Frees the descriptions. */
void timing_program_free(struct timing_program *t);

#endif

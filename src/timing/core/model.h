/* What a machine's core is made of, as data: kinds of function units, sets of collector units, the units and latencies of opcodes. The file of a machine
 * (timing/machines) has the rows. */
#ifndef TIMING_MODEL_H
#define TIMING_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define CORE_UNITS_MAX 8u
#define CORE_COLLECTORS_MAX 12u

/* What an instruction is for the pipeline. */
enum timing_class {
	TIMING_COMPUTE,
	TIMING_LOAD, /* atomics and texture look-ups, too */
	TIMING_STORE,
	TIMING_BRANCH,
	TIMING_BARRIER,
	TIMING_MEMBAR,
	TIMING_CALL,
	TIMING_RET,
	TIMING_CLASSES
};

/* A kind of function unit. Each has pipeline registers ID_OC_NAME in front of the operand collector and OC_EX_NAME in front of its units. */
struct core_unit {
	const char *name;
	const char *option; /* in -gpgpu_num_*_units and -gpgpu_operand_collector_num_*; NULL: none, one unit */
	char symbol;	    /* in compact diagrams */
	uint32_t stages;    /* of its pipeline, for displays; 0: it is the LDST unit (timing/ldst), which has to be the last row */
};
/* Sets of kinds of units: bit k is row k. */
typedef uint16_t core_unit_set;

/* A set of collector units. */
struct core_collector {
	const char *name, *option; /* option: in -gpgpu_operand_collector_num_* */
	core_unit_set units; /* one kind: its own set. All: the set of any instruction. None: they only take part in the arbitration for banks */
};

/* Latencies that options give; LATENCY_ONE is one cycle. */
enum core_latency {
	LATENCY_ONE,
	LATENCY_INT_ADD,
	LATENCY_INT_MAX,
	LATENCY_INT_MUL,
	LATENCY_INT_MAD,
	LATENCY_INT_DIV,
	LATENCY_INT_SHFL,
	LATENCY_FP_ADD,
	LATENCY_FP_MAX,
	LATENCY_FP_MUL,
	LATENCY_FP_MAD,
	LATENCY_FP_DIV,
	LATENCY_DP_ADD,
	LATENCY_DP_MAX,
	LATENCY_DP_MUL,
	LATENCY_DP_MAD,
	LATENCY_DP_DIV,
	LATENCY_SFU,
	LATENCY_TENSOR,
	LATENCIES
};
/* Core cycles: until the result is there; until the unit takes the next instruction. */
struct core_times {
	uint16_t latency, initiation;
};
struct core_latencies {
	struct core_times of[LATENCIES];
};
/* The options -ptx_opcode_latency_NAME and -ptx_opcode_initiation_NAME: numbers for the latencies from `first` on. */
struct core_latency_list {
	const char *name;
	enum core_latency first;
	uint8_t least, most; /* numbers; those that are not given are one cycle */
	const char *wanted;  /* the numbers, for an error */
	const char *written; /* what stands for NAME in -ptx_opcode_latency_NAME, NULL: the name */
};

/* An instruction that computes, by the type of its operands. */
enum core_operand { OPERAND_OTHER /* integers, bits, f16 */, OPERAND_F32, OPERAND_F64, OPERANDS };
struct core_opcode {
	uint16_t opcode; /* enum isa_opcode */
	core_unit_set units[OPERANDS]; /* of several the first with room takes it */
	uint8_t latency[OPERANDS];     /* enum core_latency */
	uint8_t more; /* cycles on top */
};

/* A number of -gpgpu_pipeline_widths. */
enum core_width_use { WIDTH_ID_OC, WIDTH_OC_EX, WIDTH_EX_WB, WIDTH_UNUSED /* of a unit that is not modelled */, WIDTH_REFUSED /* has to be 0 */ };
struct core_width {
	const char *name; /* of the pipeline register */
	enum core_width_use use;
	uint8_t unit; /* its row, for ID_OC and OC_EX */
};
struct core_width_list {
	const struct core_width *rows;
	uint32_t n;
};

struct core_model {
	const struct core_unit *units;
	const struct core_collector *collectors;
	const struct core_opcode *opcodes; /* opcodes that compute; one without a row has class_units[TIMING_COMPUTE] and LATENCY_ONE */
	const struct core_latency_list *latencies;
	const struct core_width_list *widths; /* ways to write -gpgpu_pipeline_widths, told apart by how many numbers they have */
	uint32_t n_units, n_collectors, n_opcodes, n_latencies, n_widths;
	const char *widths_wanted; /* for an error: "7" */
	core_unit_set class_units[TIMING_CLASSES];
};

/* Returns the row of the LDST unit. */
static inline uint32_t core_model_ldst(const struct core_model *m) { return m->n_units - 1; }

#endif

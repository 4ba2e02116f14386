/* Where values come from: what an instruction reads and writes, and one execution of it by a thread. For src/history, which has the past run again. */
#ifndef DEBUG_ORIGIN_H
#define DEBUG_ORIGIN_H

#include "debug/debug.h"
#include "debug/view/focus.h"
#include "isa/types.h"

/* ---- operands, as they are written ---- */
enum debug_operand_kind { DEBUG_OPERAND_REGISTER, DEBUG_OPERAND_SPECIAL, DEBUG_OPERAND_CONSTANT, DEBUG_OPERAND_MEMORY };
struct debug_operand {
	enum debug_operand_kind kind;
	char text[64];	    /* `%r5`, `%tid.x`, `4`; MEMORY: what stands in the brackets */
	enum isa_type type; /* REGISTER */
	uint32_t word;	    /* REGISTER: as in isa_program.rw */
	bool is_address;    /* REGISTER: an address is computed from it */
};
#define DEBUG_OPERANDS_MAX 24u
/* Fills what an instruction reads, in the order it is written, and returns how many that are; the registers of an address come behind their MEMORY. */
uint32_t debug_operands(struct debug *d, uint32_t pc, struct debug_operand out[DEBUG_OPERANDS_MAX]);
/* Which of the registers that it writes is this one? False: none. */
bool debug_writes(struct debug *d, uint32_t pc, uint32_t word, uint32_t *which);
/* The register of a word: its name and its type. */
bool debug_register_of(struct debug *d, uint32_t pc, uint32_t word, struct debug_operand *out);

/* ---- arguments of calls ---- */
enum debug_argument_kind { DEBUG_ARGUMENT_REGISTER, DEBUG_ARGUMENT_MEMORY, DEBUG_ARGUMENT_CONSTANT };
struct debug_argument {
	enum debug_argument_kind kind;
	uint32_t word;		/* REGISTER: as in isa_program.rw */
	uint32_t offset, bytes; /* MEMORY: in the activation's local frame */
};
/* The k-th of a call of the function that holds the instruction `callee`: in the caller, in the callee. False: there is none. */
bool debug_call_argument(struct debug *d, uint32_t call, uint32_t callee, uint32_t k, struct debug_argument *here,
			 struct debug_argument *there, bool *returns);

/* ---- one execution ---- */
#define DEBUG_STEP_VALUES 4u
struct debug_step {
	uint32_t pc;
	bool active;   /* the thread's lane takes part, */
	bool executes; /* and its guard is true */
	bool has_values;
	uint8_t lane;	   /* shfl: whose value it gets */
	uint64_t executed; /* by its warp before */
	uint64_t cycle, frame;
	uint32_t depth, local_sp;	   /* of the activation: 0 is the kernel's; its local frame */
	uint64_t address;		   /* of its access to memory, generic */
	uint64_t value[DEBUG_STEP_VALUES]; /* of the registers it writes, afterwards */
};
/* What the thread's warp is in front of. False: the thread isn't there. */
bool debug_step_ahead(struct debug *d, const struct debug_thread *t, struct debug_step *out);
/* How deep in calls the thread's activation with that frame is. False: it has none. */
bool debug_frame_depth(struct debug *d, const struct debug_thread *t, uint64_t frame, uint32_t *depth);
/* Returns the instruction that the thread's activation with that frame is in front of, or in which it calls. The thread has to be there. */
uint32_t debug_frame_pc(struct debug *d, const struct debug_thread *t, uint64_t frame);
/* It has been executed, and nothing since. */
void debug_step_done(struct debug *d, const struct debug_thread *t, struct debug_step *s);

/* A register of the activation in front of the instruction, in all lanes that execute it: they are the result. */
uint32_t debug_step_lanes(struct debug *d, const struct debug_thread *t, const struct debug_operand *r,
			  uint64_t value[LANES]);

/* ---- words ---- */
void debug_step_place(struct debug *d, uint32_t pc,
		      struct text *out); /* `at x.ptx:39 (x.cu:7) fma.rn.f32 %f3, %f1, %f2, %f0` */
void debug_step_ptx(struct debug *d, uint32_t pc,
		    struct text *out); /* at vecadd.ptx:39 fma.rn.f32 %f3, %f1, %f2, %f0 */
void debug_step_source(struct debug *d, uint32_t pc, struct text *out); /* two blanks and vecadd.cu:7, or nothing */
void debug_pc_place(struct debug *d, uint32_t pc, struct text *out);	/* `x.ptx:39 (x.cu:7)` */
void debug_step_value(enum isa_type type, uint64_t value, struct text *out);
/* `C[7]`, `shared[0x40]`; of bytes that hold something of that type `((f32*)C)[7]` */
void debug_memory_name(struct debug *d, uint64_t generic, enum isa_type type, struct text *out);
/* The type of what lies there, if it is a buffer or a variable; else NOTYPE. */
enum isa_type debug_memory_type(struct debug *d, uint64_t generic);
/* `buffer C`, `variable coef`; false: neither. */
bool debug_memory_owner(struct debug *d, uint64_t generic, bool *initialised, struct text *out);
/* Adds the `value` of a special register of a thread, ` = 5`. Returns false, with nothing added, if it has none. */
bool debug_describe_special(struct debug *d, const struct debug_thread *t, const char *name, struct report *answer);

#endif

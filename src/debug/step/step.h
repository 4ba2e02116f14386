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
/* Fills `out` with what an instruction reads, as written, in the order of its text, and returns their number, DEBUG_OPERANDS_MAX at most. A MEMORY
 * operand comes in front of its address's registers. Returns 0 if the file's text isn't kept. */
uint32_t debug_operands(struct debug *d, uint32_t pc, struct debug_operand out[DEBUG_OPERANDS_MAX]);
/* Stores in *which the index of register `word` (as in isa_program.rw) among the registers that the instruction at `pc` writes: its index in
 * debug_step.value. Returns false, with *which their number, if the instruction doesn't write that register. */
bool debug_writes(struct debug *d, uint32_t pc, uint32_t word, uint32_t *which);
/* Fills `out` with the name and type of register `word` (as in isa_program.rw) in the function that holds instruction `pc`. Returns false if the
 * function has no such register. */
bool debug_register_of(struct debug *d, uint32_t pc, uint32_t word, struct debug_operand *out);

/* ---- arguments of calls ---- */
enum debug_argument_kind { DEBUG_ARGUMENT_REGISTER, DEBUG_ARGUMENT_MEMORY, DEBUG_ARGUMENT_CONSTANT };
struct debug_argument {
	enum debug_argument_kind kind;
	uint32_t word;		/* REGISTER: as in isa_program.rw */
	uint32_t offset, bytes; /* MEMORY: in the activation's local frame */
};
/* Fills in argument `k`, from 0, of the call `call` of the function that holds instruction `callee`: *here in the caller, *there in the callee.
 * *returns: the argument is a return value. Returns false if `call` is no direct call or has no such argument. */
bool debug_call_argument(struct debug *d, uint32_t call, uint32_t callee, uint32_t k, struct debug_argument *here,
			 struct debug_argument *there, bool *returns);
/* Fills in argument `k`, from 0, of the call `call` of a library function without a body, as the caller has the argument. *returns: the argument is a
 * return value. Returns false if there is no such argument, or the call is of another function. */
bool debug_builtin_argument(struct debug *d, uint32_t call, uint32_t k, struct debug_argument *here, bool *returns);
/* Returns the name of the library function without a body that an instruction calls, or NULL if it calls none. */
const char *debug_builtin_called(struct debug *d, uint32_t call);

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
/* Fills `out` with the instruction that the thread's warp executes next and what it does for the thread, without the values that it writes. Returns
 * false if the thread's block isn't on a core or its warp has exited. */
bool debug_step_ahead(struct debug *d, const struct debug_thread *t, struct debug_step *out);
/* Stores the call depth of the activation in the thread's warp whose registers are at `frame`. Returns false if the block isn't on a core or there
 * is no such activation. */
bool debug_frame_depth(struct debug *d, const struct debug_thread *t, uint64_t frame, uint32_t *depth);
/* Returns the instruction that the activation whose registers are at `frame`, in the thread's warp, is in front of, or in which it calls. Returns
 * the thread's own instruction if there is none, 0 if the block isn't on a core. */
uint32_t debug_frame_pc(struct debug *d, const struct debug_thread *t, uint64_t frame);
/* Stores the values that step *s has written, the low 8 bytes of DEBUG_STEP_VALUES registers at most; call it right after the step. Does nothing if
 * the thread didn't execute the step, the values are stored already, or the warp has exited. */
void debug_step_done(struct debug *d, const struct debug_thread *t, struct debug_step *s);

struct exec_texels;
/* Fills `out` with what the thread's next instruction reads or writes of a texture or surface. Returns false if that instruction accesses none, its handle
 * names none, or the thread doesn't execute it. */
bool debug_texels_ahead(struct debug *d, const struct debug_thread *t, struct exec_texels *out);

/* Stores in value[l] the low 8 bytes of register or predicate *r for each lane l of the thread's warp that executes the next instruction. They are the
 * bytes in front of that instruction; other lanes get 0. Returns a mask of the lanes that execute it. */
uint32_t debug_step_lanes(struct debug *d, const struct debug_thread *t, const struct debug_operand *r,
			  uint64_t value[LANES]);

/* ---- words ---- */
/* Appends the place and the text of an instruction: `at x.ptx:39 (x.cu:7) fma.rn.f32 %f3, %f1, %f2, %f0`. */
void debug_step_place(struct debug *d, uint32_t pc, struct text *out);
/* Appends two blanks and the CUDA line of an instruction, `  vecadd.cu:7`. Appends nothing if the instruction has none. */
void debug_step_source(struct debug *d, uint32_t pc, struct text *out);
/* Appends a value of a type; 0 or 1 for a type without a size, a predicate. */
void debug_step_value(enum isa_type type, uint64_t value, struct text *out);
/* Appends what lies at a generic address, as `C[7]`, `C[7] + 2` or `coef + 4`; for bytes of `type` in a buffer of bytes `((f32*)C)[7]`. Without a
 * buffer or variable there appends `0x800` or `shared[0x40]`. */
void debug_memory_name(struct debug *d, uint64_t generic, enum isa_type type, struct text *out);
struct exec_texture;
/* Appends the name of the texel of a texture that has the byte at a device address, by its coordinates: `T[3,1]`, of a further level `T[1,0] level 2`. */
void debug_texel_name(struct debug *d, const struct exec_texture *t, uint64_t address, struct text *out);
/* Returns the variable of a module at a generic address outside shared memory: the newest loaded one, else the newest unloaded one. Returns NULL if
 * there is none. */
const struct isa_variable *debug_variable_at(struct debug *d, uint64_t generic);
/* Returns the element type of the buffer or variable at a generic address. Returns ISA_NOTYPE if there is none, for buffers of structures, and for
 * a program's allocation. */
enum isa_type debug_memory_type(struct debug *d, uint64_t generic);
/* Appends `buffer C` or `variable coef`, whichever lies at a generic address, and stores whether its memory is initialised, as variables always are.
 * Returns false, storing false and appending nothing, if neither lies there. */
bool debug_memory_owner(struct debug *d, uint64_t generic, bool *initialised, struct text *out);
/* Appends the name of the module, or else of the file without its folder, whose variable lies at a generic address. Returns false if a buffer or
 * nothing lies there. */
bool debug_memory_module(struct debug *d, uint64_t generic, struct text *out);
/* Adds the `value` of special register `name` of a thread to the answer, read as ` = 5`. Returns false, with nothing added, if there is no such
 * register or thread. */
bool debug_describe_special(struct debug *d, const struct debug_thread *t, const char *name, struct report *answer);

#endif

/* Shared declarations of the init checker's files: the shadow, one bit for each bit of registers and memory.
 *
 * Registers: a section beside that of the frames, with the same offsets. A set bit is uninitialised, so an activation that began before the checker was
 * switched on counts as initialised. Memory: sections beside those of global, shared and local memory. A set bit is initialised, so unwritten memory needs no
 * host memory. Only memory that can be allocated is followed: variables begin as zeros, and the host sets parameters and constants. */
#ifndef CHECK_INIT_H
#define CHECK_INIT_H

#include "check/engine.h"

/* The shadow's header for 64 bytes of a frame: a register's row, or the first part of a row. */
struct init_unit {
	uint32_t
		from; /* origin of the uninitialised value: 1 + index of an instruction; 0: the register was never written */
	uint32_t lanes; /* lanes whose register isn't completely initialised */
	uint8_t bytes;	/* of a lane's register that begins here, 0: none */
	bool has_bits;	/* the row holds the uninitialised bits of these lanes; if false, all their bits are uninitialised */
};

/* The register or memory that an instruction was the first to read uninitialised. */
struct init_origin {
	uint32_t reg; /* a word of isa_program.rw, ISA_REF_NONE: memory */
	uint32_t space;
	uint64_t address; /* generic */
	uint64_t uid;	  /* of the first such thread */
	uint32_t absent;  /* for a shuffle: 1 + the source lane that takes no part; else 0 */
	bool has_exited, exists; /* that lane */
};

/* The activation that runs. */
struct init_frame {
	char *rows;
	struct init_unit *units;
	uint32_t *undefined; /* predicates: lanes of each slot */
	uint32_t *from;	     /* predicates: origin of each slot, encoded as init_unit.from */
};

#define INIT_OUT_MAX 16
struct init_texels;
struct init {
	struct check *c;
	struct exec *x;
	bool ready;  /* the sections exist */
	bool marked; /* it was on when memory was marked last, to be brought back */
	int sec_rows, sec_units, sec_preds, sec_origins, sec_global, sec_shared, sec_local, sec_stored;
	uint32_t epoch;		     /* counts resets */
	struct init_unit **template; /* by function */
	uint32_t n_templates;
	/* the frame of the last instruction, and what says that it is still that one; NULL: none */
	const char *at_frame;
	const struct exec_warp *at_warp;
	uint64_t at_cta;
	uint32_t at_launch, at_tag;
	struct init_frame frame;
	/* of the instruction that is being executed */
	uint32_t mask;
	bool slow; /* it reads something that isn't initialised */
	uint64_t address[LANES];
	struct init_texels *texels; /* of a texture or surface instruction; owned, NULL until there is one */
	uint32_t n_out;
	struct {
		uint32_t word, from;
		uint64_t bits[LANES][2];
	} out[INIT_OUT_MAX];
};

/* Fills `f` with the shadow of the activation whose frame begins at offset `frame` of the frames' section. */
static inline void init_frame_at(const struct init *in, uint64_t frame, struct init_frame *f)
{
	const struct arena *a = in->x->arena;
	f->rows = arena_at(a, in->sec_rows, frame);
	f->units = (struct init_unit *)arena_at(a, in->sec_units, 0) + frame / 64;
	f->undefined = (uint32_t *)(void *)f->rows;
	f->from = arena_at(a, in->sec_preds, frame);
}

/* Stores in bits the uninitialised bits of a lane's register in row `ref`; 0 if all are initialised. bits[1]: the upper half of a 16-byte register,
 * else 0. */
void init_row_get(const struct init_frame *f, uint32_t ref, unsigned lane, uint64_t bits[2]);

/* init_memory.c: shadow of n bytes as a lane sees them; NULL: they count as initialised. `write`: they may be changed. */
/* Returns the shadow of n bytes of memory as a lane addresses them, for changing if `write`. Returns NULL if these bytes aren't followed, or reach
 * beyond their memory, and so count as initialised. */
uint8_t *init_memory_at(struct init *in, const struct exec *x, uint64_t generic, unsigned lane, uint64_t n, bool write);
/* Returns the space of a generic address. Returns ISA_SPACE_GENERIC if the address is in no space that is followed. */
enum isa_space init_space_of(uint64_t generic);
/* Returns true if all bits of `n` shadow bytes are set: the memory is initialised. */
bool init_all_defined(const uint8_t *p, uint64_t n);
/* Returns true if exec records the access, so that its addresses can be read afterwards (exec_access). */
bool init_is_recorded(const struct isa_insn *i);
/* Fills in->address in front of the access, with aliases of global memory resolved. */
void init_note_addresses(struct init *in, const struct exec *x, const struct isa_insn *i);
/* Copies the shadow of the memory that a load has read to the shadow of its destination registers. */
void init_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Copies the shadow of the stored registers to the shadow of the memory that a store writes, with the origin of uninitialised values. */
void init_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Marks the memory of an atomic and its result as initialised. An exchange copies the shadow of its operand and of the old value instead. */
void init_atomic(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Marks `n` bytes of global memory as initialised or not. Does nothing if the range isn't followed. */
void init_set_global(struct init *in, uint64_t address, uint64_t n, bool defined);
/* Copies the shadow of a copy within the device. If the source isn't followed, the destination counts as initialised. */
void init_copy_global(struct init *in, uint64_t to, uint64_t from, uint64_t n);
/* Returns true if uninitialised reads at a generic address are reported: the address isn't in an allocation of the runtime's own. */
bool init_is_watched(const struct init *in, uint64_t generic);

/* ---- init_texels.c ---- */
/* Stores the texels that a texture or surface instruction is about to read or write; in->address has their addresses for surfaces. */
void init_note_texels(struct init *in, const struct exec *x, const struct isa_insn *i);
/* Copies the shadow of the texels that were read to the shadow of the results. A result of several texels, or of a conversion, is uninitialised as a whole. */
void init_texel_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Copies the shadow of the stored registers to that of the texels. A reduction's texel counts as initialised. */
void init_texel_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);

/* ---- init_origin.c ---- */
/* Returns the origin (1 + index of an instruction) of a register's value: `from`, or the instruction that is being executed if `from` is 0. */
uint32_t init_from_of(struct init *in, const struct exec *x, uint32_t word, uint32_t from, unsigned lane);
/* Returns the origin of an uninitialised value that a lane reads from memory: that of the value stored there, or the instruction that is being
 * executed. */
uint32_t init_from_memory(struct init *in, const struct exec *x, uint64_t address, unsigned lane);
/* Returns the origin of a shuffle's result in a lane whose source lane takes no part: the shuffle itself, whose source is recorded. */
uint32_t init_from_absent(struct init *in, const struct exec *x, uint32_t word, unsigned lane, unsigned source);
/* Fills the kind, `other`, register and memory of a finding from the origin `from`, which must not be 0. */
void init_origin_fill(struct init *in, uint32_t from, struct check_finding *f);
/* Records that the uninitialised value in `n` bytes of memory, as the lane addresses them, has the origin `from`. Origins are kept for units of 4
 * bytes. */
void init_stored_note(struct init *in, const struct exec *x, uint64_t address, uint64_t n, unsigned lane,
		      uint32_t from);
/* Returns the recorded origin of the uninitialised value in the 4-byte unit that holds a generic address. x's launch, block and warp, and `lane`,
 * choose the memory if it is shared or local. Returns 0 if no origin is recorded. */
uint32_t init_stored_from(const struct init *in, const struct exec *x, uint64_t address,
			  unsigned lane);
/* Drops the recorded origins of `n` bytes of memory as a lane addresses them. */
void init_stored_clear(struct init *in, const struct exec *x, uint64_t address, uint64_t n, unsigned lane);
/* Drops the recorded origins of `n` bytes of global memory. */
void init_stored_forget(struct init *in, uint64_t address, uint64_t n);
#define INIT_STORED 16384u
#define INIT_STORED_BYTES (INIT_STORED * UINT64_C(16))

/* ---- init_use.c ---- */
/* Returns the lanes of `lanes` whose register in row `ref` isn't completely initialised. */
static inline uint32_t init_undefined_lanes(const struct init_frame *f, uint32_t ref, uint32_t lanes)
{
	const bool is_register = ref != ISA_REF_NONE && ISA_REF_BASE(ref) == ISA_BASE_FRAME;
	return is_register ? f->units[ISA_REF_OFFSET(ref) / 64].lanes & lanes : 0;
}
/* Reports the uninitialised registers on which the instruction's effect depends. Returns true if the machine must stop. */
bool init_uses(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Reports uninitialised memory that an atomic takes into account. Returns true if the machine must stop. */
bool init_use_memory(struct init *in, const struct exec *x, const struct isa_insn *i);

/* ---- init_output.c ---- */
/* Reports uninitialised memory that a printf is about to print. Returns true if the machine must stop. */
bool init_output(struct init *in, const struct exec *x, const struct isa_insn *i);
/* Reports the first uninitialised byte of `n` bytes of global memory, from by->address on, that the host reads as a result. Does nothing if the bytes
 * aren't followed. */
void init_host_read(void *self, const struct check_access *by, uint64_t n);

/* ---- init_call.c ---- */
/* Copies the shadow of the arguments to the parameters after a call instruction. After a library call, marks the results as initialised. */
void init_call(struct init *in, const struct exec *x, const struct isa_insn *i);
/* Copies the shadow of the return values to the caller's registers and memory, in front of a return. */
void init_return(struct init *in, const struct exec *x);

/* init_values.c: what becomes of bits: results of an instruction on registers, before it is executed. */
/* Returns true if a lane of in->mask reads, in a shuffle, a lane that takes no part. *lane: the first such lane; *source: the lane that it reads. */
bool init_shuffle_absent(struct init *in, const struct exec *x, const struct isa_insn *i, unsigned *lane, unsigned *source);
/* Computes the uninitialised bits of the results of an instruction on registers into in->out, before the instruction is executed. */
void init_compute(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);

/* init_tensor.c */
/* Computes the uninitialised bits of the results of mma and movmatrix into in->out, before the instruction is executed. */
void init_tensor_compute(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Copies the shadow of the memory that a load of a matrix has read to the shadow of its registers. */
void init_tensor_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
/* Copies the shadow of the registers to the shadow of the memory that a store of a matrix has written. */
void init_tensor_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);

/* init_rows.c */
/* Makes a row's lanes initialised. */
void init_row_clear(const struct init *in, const struct init_frame *f, uint32_t word, uint32_t lanes);
/* Sets the lanes of a predicate; `bits` NULL: they are initialised. */
void init_pred_set(const struct init_frame *f, uint32_t slot, uint32_t lanes, const uint64_t (*bits)[2], uint32_t from);
/* Makes a row say for each bit whether it is initialised. */
void init_row_use_bits(const struct init_frame *f, uint32_t ref);

/* init.c */
/* Initialises the shadow of an activation's frame. `fresh`: all registers are uninitialised; otherwise all count as initialised. */
void init_begin_frame(struct init *in, uint64_t frame, uint32_t function, uint32_t tag, bool fresh);
/* Sets the uninitialised bits of a register or predicate in `lanes`, with their origin. `bits` NULL: the lanes are initialised. */
void init_row_set(struct init *in, const struct init_frame *f, uint32_t word, uint32_t lanes, const uint64_t (*bits)[2],
		  uint32_t from);
/* Marks all results of the instruction as initialised. */
void init_write_defined(struct init *in, const struct exec *x, const struct init_frame *f);
/* Returns the bytes that a lane accesses with a load, store or atomic: all elements of a vector together. */
static inline unsigned init_bytes_of(const struct isa_insn *i)
{
	const unsigned vec = i->vec > 1 ? i->vec : 1;
	return isa_type_bytes((enum isa_type)i->type) * vec;
}

#endif

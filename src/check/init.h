/* What the files of the init checker share: for each bit of registers and memory whether something was ever written there.
 *
 * Registers: a section lies beside that of the frames, with the same offsets; a set bit is one that isn't initialised, so what the checker has not
 * seen begin counts as initialised. Memory: sections beside those of global, shared and local memory; a set bit is initialised, so what
 * nobody has written needs no host memory. Only memory that can be allocated is followed: variables begin as zeros, and parameters and constants are
 * the host's. */
#ifndef CHECK_INIT_H
#define CHECK_INIT_H

#include "check/engine.h"

/* Of 64 bytes of a frame: one, or the first, of a register's row. */
struct init_unit {
	uint32_t
		from; /* where a value that isn't initialised came from: 1 + index of the instruction, 0: nowhere, it was never written */
	uint32_t lanes; /* those whose register isn't initialised, or not all of it */
	uint8_t bytes;	/* of a lane's register that begins here, 0: none */
	bool has_bits;	/* the row says which bits of these lanes' registers aren't initialised; else none of them is */
};

/* Of an instruction that has read what isn't initialised: what. */
struct init_origin {
	uint32_t reg; /* a word of isa_program.rw, ISA_REF_NONE: memory */
	uint32_t space;
	uint64_t address; /* generic */
	uint64_t uid;	  /* of the thread that was first to do so */
	uint32_t absent;  /* the instruction is a shuffle: 1 + the lane that it reads and that takes no part; else 0 */
	bool has_exited, exists; /* that lane */
};

/* The activation that runs. */
struct init_frame {
	char *rows;
	struct init_unit *units;
	uint32_t *undefined; /* predicates: lanes of each slot */
	uint32_t *from;	     /* likewise, as init_unit.from */
};

#define INIT_OUT_MAX 16
struct init {
	struct check *c;
	struct exec *x;
	bool ready;  /* the sections are there */
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
	uint32_t n_out;
	struct {
		uint32_t word, from;
		uint64_t bits[LANES][2];
	} out[INIT_OUT_MAX];
};

static inline void init_frame_at(const struct init *in, uint64_t frame, struct init_frame *f)
{
	const struct arena *a = in->x->arena;
	f->rows = arena_at(a, in->sec_rows, frame);
	f->units = (struct init_unit *)arena_at(a, in->sec_units, 0) + frame / 64;
	f->undefined = (uint32_t *)(void *)f->rows;
	f->from = arena_at(a, in->sec_preds, frame);
}

/* Bits of one lane of a row, the higher half apart. */
void init_row_get(const struct init_frame *f, uint32_t ref, unsigned lane, uint64_t bits[2]);

/* init_memory.c: shadow of n bytes as a lane sees them; NULL: they count as initialised. `write`: they may be changed. */
uint8_t *init_memory_at(struct init *in, const struct exec *x, uint64_t generic, unsigned lane, uint64_t n, bool write);
enum isa_space init_space_of(uint64_t generic); /* GENERIC: none of those that are followed */
bool init_all_defined(const uint8_t *p, uint64_t n);
/* Addresses of a load, store or atomic, generic. */
void init_addresses(const struct exec *x, const struct isa_insn *i, uint64_t address[LANES]);
/* exec records the access, which is looked at then: its addresses aren't wanted in front of it unless something isn't initialised. */
bool init_is_recorded(const struct isa_insn *i);
/* Returns true if the instruction loads what the host gives: a parameter or a constant. */
bool init_is_given(const struct isa_insn *i);
/* Fills in->address, in front of the access. */
void init_note_addresses(struct init *in, const struct exec *x, const struct isa_insn *i);
void init_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
void init_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
void init_atomic(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);
void init_set_global(struct init *in, uint64_t address, uint64_t n, bool defined);
/* A copy within the device; what isn't followed counts as initialised. */
void init_copy_global(struct init *in, uint64_t to, uint64_t from, uint64_t n);
/* The runtime's own memory is nobody's mistake. */
bool init_is_watched(const struct init *in, uint64_t generic);

/* ---- init_origin.c ---- */
/* Where a register's value came from: `from`, or, if it was never written, the instruction that is being executed. */
uint32_t init_from_of(struct init *in, const struct exec *x, uint32_t word, uint32_t from, unsigned lane);
/* The same of what a lane reads from memory. */
uint32_t init_from_memory(struct init *in, const struct exec *x, uint64_t address, unsigned lane);
/* The same of what a lane reads in a shuffle from the lane `source`, which takes no part. */
uint32_t init_from_absent(struct init *in, const struct exec *x, uint32_t word, unsigned lane, unsigned source);
void init_origin_fill(struct init *in, uint32_t from, struct check_finding *f);
/* What was stored to memory came from there. */
void init_stored_note(struct init *in, const struct exec *x, uint64_t address, uint64_t n, unsigned lane,
		      uint32_t from);
uint32_t init_stored_from(const struct init *in, const struct exec *x, uint64_t address,
			  unsigned lane); /* 0: not known */
void init_stored_clear(struct init *in, const struct exec *x, uint64_t address, uint64_t n, unsigned lane);
void init_stored_forget(struct init *in, uint64_t address, uint64_t n); /* of global memory */
#define INIT_STORED 16384u
#define INIT_STORED_BYTES (INIT_STORED * UINT64_C(16))

/* ---- init_output.c ---- */
/* In front of a printf. True: stop. */
bool init_output(struct init *in, const struct exec *x, const struct isa_insn *i);
void init_host_read(void *self, const struct check_access *by, uint64_t n);

/* ---- init_call.c ---- */
void init_call(struct init *in, const struct exec *x, const struct isa_insn *i); /* after it */
void init_return(struct init *in, const struct exec *x);			 /* in front of it */

/* init_values.c: what becomes of bits: results of an instruction on registers, before it is executed. */
/* Returns true if a lane of in->mask reads, in a shuffle, a lane that takes no part: `lane` is the first that does so. */
bool init_shuffle_absent(struct init *in, const struct exec *x, const struct isa_insn *i, unsigned *lane, unsigned *source);
void init_compute(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f);

/* init.c */
/* The frame of an activation, as it begins, or (not fresh) of one that nothing is known of. */
void init_begin_frame(struct init *in, uint64_t frame, uint32_t function, uint32_t tag, bool fresh);
void init_row_set(struct init *in, const struct init_frame *f, uint32_t word, uint32_t lanes, const uint64_t (*bits)[2],
		  uint32_t from);
static inline unsigned init_bytes_of(const struct isa_insn *i)
{
	const unsigned vec = i->vec > 1 ? i->vec : 1;
	return isa_type_bytes((enum isa_type)i->type) * vec;
}

#endif

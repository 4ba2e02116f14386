/* A function's made-up stack frame: registers, predicates, then what unwinding needs. */
#ifndef GDBSTUB_IMAGE_FRAME_LAYOUT_H
#define GDBSTUB_IMAGE_FRAME_LAYOUT_H

#include "gdbstub/internal.h"

/* A predicate is 0 or 1, as an int: of booleans and enumerations gdb 13 makes no bytecode but for the plainest conditions (`if p1`, not
 * `if !p1`), and an int of one byte it prints as a character, too. */
#define STUB_PRED_BYTES 4u
struct frame_reg { /* bytes [at, end) of the frame are this register's */
	uint32_t at, end;
	uint32_t ref; /* row, or predicate slot */
	uint8_t type;
	bool is_pred;
};
struct frame_layout {
	bool made;
	struct frame_reg *regs; /* by `at`; runs of registers of one declaration are one entry */
	size_t n_regs;
	uint32_t local_slot;  /* 8 bytes: gdb's address of the activation's local memory */
	uint32_t return_slot; /* 8 bytes: pc in the caller */
	uint32_t size;
};

/* Returns a function's frame layout, made on first use; the function must be the program's. Valid until a module is loaded. */
const struct frame_layout *frame_layout_of(struct stub *s, const struct isa_function *f);
/* Returns the offset in the frame where a register's row, or a predicate's slot, is. */
uint32_t frame_offset(const struct isa_function *f, bool is_pred, uint32_t ref);
/* Returns the registers that byte `offset` of the frame belongs to, a run of one declaration. Returns NULL for other bytes. Valid as long as the
 * layout. */
const struct frame_reg *frame_register(const struct frame_layout *l, uint32_t offset);
/* Frees all layouts, as the stub ends. */
void frame_layouts_free(struct stub *s);

#endif

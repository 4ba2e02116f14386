/* A function's code divided up among the calls that were inlined into it, as .loc with inlined_at tells, and what of its registers
 * each of them names. */
#ifndef GDBSTUB_IMAGE_DWARF_INLINED_H
#define GDBSTUB_IMAGE_DWARF_INLINED_H

#include "base/hash.h"
#include "base/pool.h"
#include "gdbstub/image/dwarf.h"

struct inlined_piece {
	uint32_t first, end; /* instruction indices */
};

/* A call that was inlined; node 0 is the function itself. */
struct inlined_node {
	uint32_t parent, child, last_child, next; /* 0: none */
	uint32_t file, line;			  /* of the call */
	uint32_t entry_line;			  /* of its first instruction, in the called function */
	const char *function;			  /* the called one's name as in the PTX */
	struct inlined_piece *pieces; /* its code, with that of the calls in it; ascending, with gaps between */
	size_t n_pieces, cap_pieces;
};

/* What is in a row, or in a predicate slot. */
struct inlined_register {
	const struct isa_reg *r; /* NULL: nothing that has a name */
	uint32_t number;
	uint32_t seen; /* in the node of this number + 1 */
};

struct inlined {
	const struct isa_function *f;
	struct inlined_node *nodes;
	size_t n_nodes, cap_nodes;
	uint32_t *owner;		    /* of each of the function's instructions: the innermost node */
	struct hash_map index;		    /* from a call within a node to its node */
	struct pool pool;		    /* the index's keys */
	struct inlined_register *registers; /* rows by 64 bytes, then predicate slots */
	uint32_t n_rows, n_registers;
};

/* Fills *t with a function's code divided among its inlined calls, and its registers; inlined_free frees it. Without lines of CUDA there are no
 * calls: a step through PTX must visit each line. */
void inlined_make(struct dwarf *w, const struct isa_function *f, struct inlined *t);
/* Frees what inlined_make has filled in. */
void inlined_free(struct inlined *t);

/* Writes an abstract entry for each inlined function in `t` that the unit has none for (w->origins). Must be called before the function's own entry is
 * written, which refers to them. */
void inlined_origins(struct dwarf *w, const struct inlined *t);
/* Adds the children of the function's entry: registers, and the inlined calls with theirs. */
void inlined_entries(struct dwarf *w, struct inlined *t);

/* Adds the registers that a node's code names, as variables in blocks for the scopes that declare them (dwarf_registers.c). */
void dwarf_registers(struct dwarf *w, struct inlined *t, uint32_t node);
/* Allocates t->registers and fills it with the registers that function f declares, but for parameters. */
void dwarf_registers_index(const struct isa_function *f, struct inlined *t);

#endif

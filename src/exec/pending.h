/* Effects under way: instructions that have issued, and whose effect is to happen later, when whoever simulates time says so.
 *
 * They are entries of the arena's section "pending", in the order in which they were issued, so going back brings them back. Today
 * these are the atomics of the performance model: their operands stay in the registers of the activation, which must not change
 * until they have landed. */
#ifndef EXEC_PENDING_H
#define EXEC_PENDING_H

#include "exec/exec.h"

enum exec_pending_kind {
	EXEC_PENDING_NONE, /* a free entry */
	EXEC_PENDING_ATOMIC
};

struct exec_pending {
	uint64_t frame;	     /* activation whose registers hold operands, and take results */
	uint32_t next, prev; /* the younger and the older one; 0: none */
	uint32_t cta;	     /* slot of the block */
	uint16_t warp, kind; /* index in the block; enum exec_pending_kind */
	uint32_t pc;
	uint32_t lanes; /* those for which it is still to happen */
};

/* Entry 0 of the section. */
struct exec_pending_queue {
	uint32_t oldest, youngest, free; /* 0: none */
	uint32_t n, n_entries;		 /* under way; that were ever used */
	uint64_t n_landed;		 /* times that one has landed for some lanes */
};
_Static_assert(sizeof(struct exec_pending_queue) <= sizeof(struct exec_pending), "entry 0 is the queue's head");

/* Is there room for so many? Whoever defers asks once for as many as it lets be under way. */
bool exec_pending_fits(const struct exec *x, uint64_t n);
/* The instruction that is being executed happens later, for the lanes of x->mask. 0: no room. */
uint32_t exec_pending_add(struct exec *x, enum exec_pending_kind kind);
/* It happens now for some of its lanes; with the last of them its entry is free. The block's launch is x->launch. True: it touched watched
 * memory. Then, and if its instruction is marked, x->effect says where. */
bool exec_pending_land(struct exec *x, struct exec_cta *cta, uint32_t entry, uint32_t lanes);
/* It never happens. */
void exec_pending_drop(struct exec *x, uint32_t entry);
void exec_pending_drop_block(struct exec *x, uint32_t cta_slot);

/* The next younger one, after NULL the oldest; NULL: there are no more. */
const struct exec_pending *exec_pending_next(const struct exec *x, const struct exec_pending *p);
/* What it is going to access: its addresses are still in the registers. */
void exec_pending_access(const struct exec *x, const struct exec_cta *cta, const struct exec_pending *p,
			 struct exec_access *out);
uint32_t exec_pending_count(const struct exec *x);
static inline const struct exec_pending *exec_pending_at(const struct exec *x, uint32_t entry)
{
	return (const struct exec_pending *)arena_at(x->arena, x->sec_pending, 0) + entry;
}
static inline uint64_t exec_pending_landed(const struct exec *x)
{
	return ((const struct exec_pending_queue *)arena_at(x->arena, x->sec_pending, 0))->n_landed;
}

/* Empties the section, for exec_init and exec_reset. False: no room. */
bool exec_pending_init(struct exec *x);

#endif

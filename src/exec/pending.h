/* Effects under way: instructions that have issued, and whose effect happens later, when the timing model calls exec_pending_land.
 *
 * They are entries of the arena's section "pending", in the order in which they were issued, so going back restores them. A warp may have any
 * number of them; the timing model keeps the list of each warp's entries. All are atomics of the performance model. Their operands stay in the
 * registers of the activation, which must not change until they have landed. */
#ifndef EXEC_PENDING_H
#define EXEC_PENDING_H

#include "exec/exec.h"

enum exec_pending_kind {
	EXEC_PENDING_NONE, /* a free entry */
	EXEC_PENDING_ATOMIC
};

struct exec_pending {
	uint64_t frame;	     /* activation whose registers hold operands, and take results */
	uint32_t next, prev; /* the next younger and the next older entry; 0: none */
	uint32_t next_of_warp; /* the next younger entry of the warp's list; 0: none */
	uint32_t cta;	     /* slot of the block */
	uint16_t warp, kind; /* index in the block; enum exec_pending_kind */
	uint32_t pc;
	uint32_t lanes; /* lanes for which the effect is still to happen */
};

/* Entry 0 of the section. */
struct exec_pending_queue {
	uint32_t oldest, youngest, free; /* 0: none */
	uint32_t n, n_entries;		 /* entries under way; entries ever used */
	uint64_t n_landed;		 /* calls of exec_pending_land so far */
};
_Static_assert(sizeof(struct exec_pending_queue) <= sizeof(struct exec_pending), "entry 0 is the queue's head");

/* Returns true if the section has room for n effects under way. Code that defers effects calls it once, with the most that it ever has under way. */
bool exec_pending_fits(const struct exec *x, uint64_t n);
/* Defers the instruction that is being executed for the lanes of x->mask, and returns its entry. Returns 0 if there is no room. */
uint32_t exec_pending_add(struct exec *x, enum exec_pending_kind kind);
/* Executes a deferred instruction now for some of its lanes; with the last of them its entry becomes free. x->launch must be the block's launch.
 * Returns true if it touched watched memory. x->effect describes the access if a watcher sees accesses or the instruction has a mark. */
bool exec_pending_land(struct exec *x, struct exec_cta *cta, uint32_t entry, uint32_t lanes);
/* Appends an entry to a warp's list, whose first entry is *list; 0: the list is empty. */
void exec_pending_join(struct exec *x, uint32_t *list, uint32_t entry);
/* Removes an entry from its warp's list, which begins with *list and must hold it. Call it before the entry becomes free. */
void exec_pending_leave(struct exec *x, uint32_t *list, uint32_t entry);
/* Frees an entry without executing its effect. The free entry's bytes are cleared, so that equal machines have equal bytes. */
void exec_pending_drop(struct exec *x, uint32_t entry);
/* Removes all entries of the block in a slot. */
void exec_pending_drop_block(struct exec *x, uint32_t cta_slot);

/* Returns the next younger entry, the oldest one for NULL, or NULL if there are no more. */
const struct exec_pending *exec_pending_next(const struct exec *x, const struct exec_pending *p);
/* Stores in *out the access that an entry is going to make, from the addresses in the registers. */
void exec_pending_access(const struct exec *x, const struct exec_cta *cta, const struct exec_pending *p,
			 struct exec_access *out);
/* Returns the number of effects under way. */
uint32_t exec_pending_count(const struct exec *x);
/* Returns the entry with a number. */
static inline const struct exec_pending *exec_pending_at(const struct exec *x, uint32_t entry)
{
	return (const struct exec_pending *)arena_at(x->arena, x->sec_pending, 0) + entry;
}
/* Returns how many times exec_pending_land was called so far. */
static inline uint64_t exec_pending_landed(const struct exec *x)
{
	return ((const struct exec_pending_queue *)arena_at(x->arena, x->sec_pending, 0))->n_landed;
}

/* Empties the section, for exec_init and exec_reset. Returns false if there is no room. */
bool exec_pending_init(struct exec *x);

#endif

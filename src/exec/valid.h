/* Validators of the arena's sections that exec owns: blocks, warps, their memory, effects under way. Each is safe whatever the sections hold. After all
 * of them have returned true, exec may run and show what is there. */
#ifndef EXEC_VALID_H
#define EXEC_VALID_H

#include "base/text.h"
#include "base/valid.h"
#include "exec/exec.h"
#include "exec/heap.h"

/* The blocks that are in use of each heap. */
struct exec_valid_heaps {
	struct heap_blocks frame, local, shared, param;
};
void exec_valid_heaps_free(struct exec_valid_heaps *h);

/* What a launch says of itself. `is_over`: its parameters are freed. */
bool exec_launch_is_valid(const struct exec *x, const struct exec_launch *l, bool is_over, struct exec_valid_heaps *h,
			  struct text *what);
/* A block that is in use, and its warps. */
bool exec_cta_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t slot, const struct exec_launch *l,
		       struct exec_valid_heaps *h, struct text *what);
/* Sections frame, local, shared and param: after all launches and blocks. */
bool exec_heaps_are_valid(const struct exec *x, struct exec_valid_heaps *h, struct text *what);
/* Section pending: after all blocks. `cta`: by slot, `n_slots` of them. */
bool exec_pending_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t n_slots, struct text *what);
/* Returns the lanes for which an entry's effect is still to happen, if the entry is this warp's, else 0. After exec_pending_is_valid. */
uint32_t exec_pending_due(const struct exec *x, uint32_t entry, uint32_t cta_slot, uint32_t warp);

#endif

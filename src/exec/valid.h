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
/* Frees the lists of blocks. */
void exec_valid_heaps_free(struct exec_valid_heaps *h);

/* Returns true if a launch's fields are consistent, and adds its parameter block to *h. `is_over`: the launch has finished, so it must have no
 * parameter block. Names what is wrong in *what. */
bool exec_launch_is_valid(const struct exec *x, const struct exec_launch *l, bool is_over, struct exec_valid_heaps *h,
			  struct text *what);
/* Returns true if a used block and its warps are consistent with their launch, and adds their memory to *h. Names what is wrong in *what. */
bool exec_cta_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t slot, const struct exec_launch *l,
		       struct exec_valid_heaps *h, struct text *what);
/* Returns true if the heaps frame, local, shared and param have just the blocks of *h in use. Call it after all launches and blocks were added.
 * Names what is wrong in *what. */
bool exec_heaps_are_valid(const struct exec *x, struct exec_valid_heaps *h, struct text *what);
/* Returns true if the effects under way are consistent. `cta` are the blocks by slot, n_slots of them, which must be valid. Names what is wrong in
 * *what. */
bool exec_pending_is_valid(const struct exec *x, const struct exec_cta *cta, uint32_t n_slots, struct text *what);
/* Returns true if a warp's list, which begins with entry `first`, holds just the entries under way of that warp, each once. Call it after
 * exec_pending_is_valid. */
bool exec_pending_list_is_valid(const struct exec *x, uint32_t first, uint32_t cta_slot, uint32_t warp);
/* Returns the lanes for which the effect of an entry is still to happen, or 0 if the valid list that begins with `first` does not hold it. */
uint32_t exec_pending_due(const struct exec *x, uint32_t first, uint32_t entry);

#endif

/* Device memory as the files of this room share it. */
#ifndef CUDA_MEMORY_MEMORY_H
#define CUDA_MEMORY_MEMORY_H

#include "cuda/internal.h"

/* 0: more than there is. `pages`: of its own, to be shared. */
uint64_t memory_allocate(struct cuda *c, uint64_t bytes, bool pages);
bool memory_free(struct cuda *c, uint64_t address);
bool memory_must_wait(const struct cuda_call *c); /* the context's work so far has to be done first */
bool memory_is_device(const struct cuda *c, uint64_t address);
bool memory_fits(const struct cuda *c, uint64_t address, uint64_t n); /* all of it is one allocation's, or constant */
const char *memory_at(const struct cuda *c, uint64_t address);	      /* of a range that fits */
/* `as_copy`: the performance model sees it. */
bool memory_put(struct cuda *c, uint64_t to, const void *bytes, uint64_t n, bool as_copy);

/* What it is shared as; 0: it isn't. */
enum wire_memory shared_kind(const struct cuda *c, uint64_t address);
void shared_forget_all(struct cuda *c);

#endif

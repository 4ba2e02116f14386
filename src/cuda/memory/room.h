/* What the room keeps. Only its own files include this. */
#ifndef CUDA_MEMORY_ROOM_H
#define CUDA_MEMORY_ROOM_H

#include "cuda/memory/memory.h"

struct cuda_memory {
	uint64_t n_allocations; /* so far, for their names */
	uint64_t used, most;	/* by programs' allocations */
	struct cuda_shared *shared;
};

struct cuda_shared *shared_create(void);
void shared_free(struct cuda_shared *s);

#endif

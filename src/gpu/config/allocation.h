/* How many blocks of a kernel fit on an SM at a time. */
#ifndef GPU_CONFIG_ALLOCATION_H
#define GPU_CONFIG_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

/* What an SM, a block and a thread may have, and in which units it is allocated. */
struct allocation_rules {
	uint32_t warps, blocks, registers, shared_bytes; /* of an SM */
	uint32_t warp_threads; /* threads of a warp */
	uint32_t block_threads, block_registers, block_shared_bytes; /* most of a block; shared memory without the driver's */
	uint32_t driver_shared_bytes; /* that the driver takes of each block's shared memory */
	uint32_t thread_registers;    /* most of a thread */
	uint32_t register_unit;	      /* registers are allocated in multiples of it, to each warp or (by_block) to a block */
	bool by_block;
	uint32_t warp_unit;   /* by block: a block's warps are rounded up to it; else an SM's warps are spread evenly over so many parts */
	uint32_t family_parts; /* a block that would not fit if the SM had so many parts doesn't fit at all (6.0: that runs on no 6.1); 0: no such rule */
	bool checks_parts;    /* a block's registers are checked as if its warps were spread over the parts */
	uint32_t shared_unit; /* bytes */
};
/* What limits the blocks on an SM. */
enum allocation_limit { ALLOCATION_WARPS, ALLOCATION_REGISTERS, ALLOCATION_SHARED, ALLOCATION_BLOCKS, ALLOCATION_LIMITS };
struct block_needs {
	uint32_t threads, registers /* of a thread */, shared_bytes /* of the block */;
};
struct block_fit {
	uint32_t blocks; /* on an SM at a time */
	uint32_t limit[ALLOCATION_LIMITS]; /* as each resource would allow; UINT32_MAX: the block needs nothing of it */
	uint32_t warps, registers, shared_bytes; /* that a block is given */
};
/* Stores how many blocks fit on an SM. Source: nvcc's cuda_occupancy.h from 3.0 on, the rules of NVIDIA's occupancy calculator before. */
void allocation_fit(const struct allocation_rules *r, const struct block_needs *b, struct block_fit *out);

#endif

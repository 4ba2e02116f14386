/* Memory pools, and the pool of each allocation, so that a pool knows how much of it is in use. */
#ifndef HOST_POOL_H
#define HOST_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* cudaMemPoolAttr: three switches, then sizes. */
enum {
	POOL_REUSE_FIRST = 1,
	POOL_THRESHOLD = 4,
	POOL_RESERVED,
	POOL_RESERVED_HIGH,
	POOL_USED,
	POOL_USED_HIGH,
	POOL_ATTRIBUTES
};

/* cudaMemAllocationHandleType: the supported type, and all types of other systems. */
enum { POOL_HANDLE_DESCRIPTOR = 1, POOL_HANDLES_KNOWN = 15 };

struct host_pool {
	uint64_t value[POOL_ATTRIBUTES];
	uint64_t most;	 /* bytes it may allocate; 0: no limit */
	uint64_t n;	 /* allocations in use */
	bool is_gone;	 /* destroyed; freed with its last allocation */
	int handles;	 /* enum cudaMemAllocationHandleType, a bit each: how it can be shared with other processes */
	uint64_t number; /* its number for other processes; 0: not shared so far */
	bool is_import;	 /* true for a pool imported from another process, which can't allocate */
};

/* Returns the pool that cudaMallocAsync allocates from. */
struct host_pool *pool_current(void);
/* Returns whether `p` is an existing pool. */
bool pool_lives(const struct host_pool *p);
/* Returns whether `p` is an existing pool of this process, which can allocate. */
bool pool_is_own(const struct host_pool *p);
/* Creates a pool for a pool of another process, by its number. Returns NULL if there isn't enough memory. */
struct host_pool *pool_import(uint64_t number);

/* ---- pool_memory.c ---- */
/* Returns whether the pool may allocate that many more bytes. */
bool pool_has_space(struct host_pool *p, uint64_t bytes);
/* Records an allocation of the device as memory of the pool. */
void pool_note_allocation(struct host_pool *p, const void *at, uint64_t bytes);
/* Returns this process' pool whose allocation begins at `at`; NULL if there is none. */
struct host_pool *pool_of(const void *at);
/* Records that an allocation is freed; memory of no pool is ignored. */
void pool_note_free(const void *at);
/* Removes all allocations after a reset of the device. */
void pool_reset(void);
/* Sets an attribute of a pool; a high mark is set to the present value. */
void pool_set_attribute(struct host_pool *p, int attribute, uint64_t value);
/* Reduces the reserved size to `least`, but not below the size in use. */
void pool_trim(struct host_pool *p, uint64_t least);
/* Destroys a pool; it is freed with its last allocation. */
void pool_destroy(struct host_pool *p);

#endif

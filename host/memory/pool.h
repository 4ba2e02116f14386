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

/* Returns the pool that cudaMallocAsync allocates from: the one set by the program, else the default pool. Never NULL. */
struct host_pool *pool_current(void);
/* Returns whether `p`, which may be any pointer, is a pool that isn't destroyed: the default pool, a created or an imported one. */
bool pool_lives(const struct host_pool *p);
/* Returns whether `p`, which may be any pointer, is a pool that isn't destroyed and wasn't imported, so it can allocate. */
bool pool_is_own(const struct host_pool *p);
/* Creates a pool, which pool_destroy frees, that stands for pool `number` of another process and can't allocate. Returns NULL if there isn't enough
 * memory. */
struct host_pool *pool_import(uint64_t number);

/* ---- pool_memory.c ---- */
/* Returns whether `bytes` more bytes in use would not exceed the pool's limit; true if it has none. */
bool pool_has_space(struct host_pool *p, uint64_t bytes);
/* Records that `bytes` allocated bytes at `at` belong to pool `p`, and raises the pool's used and reserved sizes and high marks. Hides an earlier
 * record at the same address until this one is removed. Does nothing if memory is short. */
void pool_note_allocation(struct host_pool *p, const void *at, uint64_t bytes);
/* Returns the pool of the newest allocation recorded with start address `at`, ignoring allocations of imported pools; NULL if there is none. */
struct host_pool *pool_of(const void *at);
/* Removes the newest allocation recorded with start address `at`, if any. Lowers its pool's used size and, as far as the pool's threshold allows, its
 * reserved size. Frees a destroyed pool with its last allocation. */
void pool_note_free(const void *at);
/* Removes all recorded allocations after a reset of the device. Lowers their pools' used sizes and, as far as the thresholds allow, reserved sizes.
 * Frees destroyed pools. */
void pool_reset(void);
/* Sets an attribute of a pool to `value`: a switch, POOL_THRESHOLD or a high mark. A high mark is set to the present size instead. */
void pool_set_attribute(struct host_pool *p, int attribute, uint64_t value);
/* Lowers the pool's reserved size to `least`, but not below the size in use. A pool that was imported, or can be shared with other processes, keeps
 * its reserved size. */
void pool_trim(struct host_pool *p, uint64_t least);
/* Marks a pool as destroyed and frees it: at once if no recorded allocation is left, else with the last one. The caller has removed its handle. */
void pool_destroy(struct host_pool *p);

#endif

/* A memory pool, and which memory is of which one: so a pool knows how much of it is in use. */
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

/* cudaMemAllocationHandleType: those there are here, and those of other systems. */
enum { POOL_HANDLE_DESCRIPTOR = 1, POOL_HANDLES_KNOWN = 15 };

struct host_pool {
	uint64_t value[POOL_ATTRIBUTES];
	uint64_t most;	 /* that it may hand out; 0: all there is */
	uint64_t n;	 /* pieces in use */
	bool is_gone;	 /* lasts until the last piece is given back */
	int handles;	 /* enum cudaMemAllocationHandleType, a bit each: how other processes may get it */
	uint64_t number; /* by which other processes know it; 0: none does yet */
	bool is_import;	 /* another process': it gives nothing here */
};

/* The one that cudaMallocAsync takes from. */
struct host_pool *pool_current(void);
bool pool_lives(const struct host_pool *p);
bool pool_may_give(const struct host_pool *p); /* it lives, and is this process' */
/* Another process', by its number; NULL: the host has no memory for it. */
struct host_pool *pool_import(uint64_t number);

/* ---- pool_memory.c ---- */
bool pool_has(struct host_pool *p, uint64_t bytes);
/* `at`: of memory that the device has given for it. */
void pool_gave(struct host_pool *p, const void *at, uint64_t bytes);
/* This process' own that has given what begins there; NULL: none has. */
struct host_pool *pool_of(const void *at);
/* Memory was freed, a pool's or other. */
void pool_got_back(const void *at);
/* After a reset of the device there is no memory left. */
void pool_forget_all(void);
void pool_set(struct host_pool *p, int attribute, uint64_t value);
void pool_trim(struct host_pool *p, uint64_t least);
void pool_end(struct host_pool *p);

#endif

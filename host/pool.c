/* Memory pools: all of them take from device memory, and give back at once. What a program sets is kept for it to read. */
#include <stdlib.h>

#include "host/handles.h"
#include "host/host.h"

enum { REUSE_FIRST = 1, RESERVED = 5, USED_HIGH = 8, ATTRIBUTES }; /* cudaMemPoolAttr: three switches, then sizes */

/* cudaMemLocation */
struct place {
	int kind, id;
};

struct host_pool {
	uint64_t value[ATTRIBUTES];
};

/* The device's own: they are allowed to reuse memory. */
static struct host_pool device_pool = {.value = {0, 1, 1, 1}};
static struct host_pool *current = &device_pool;

int ws_cudaMallocAsync(void **p, size_t bytes, void *stream);

static bool lives(const struct host_pool *p) { return p == &device_pool || handle_is(p, HANDLE_POOL); }

static int leave(int error) { return host_leave(error ? error : host_connect()); }

API(cudaDeviceGetDefaultMemPool)(struct host_pool **pool, int device)
{
	if (pool && !device)
		*pool = &device_pool;
	return leave(!pool ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0);
}

API(cudaDeviceGetMemPool)(struct host_pool **pool, int device)
{
	if (pool && !device)
		*pool = __atomic_load_n(&current, __ATOMIC_RELAXED);
	return leave(!pool ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0);
}

API(cudaDeviceSetMemPool)(int device, struct host_pool *pool)
{
	if (lives(pool) && !device)
		__atomic_store_n(&current, pool, __ATOMIC_RELAXED);
	return leave(!lives(pool) ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0);
}

/* ---- by place: the device's are all there are ---- */
enum { PLACE_DEVICE = 1, ALLOCATION_PINNED = 1 };

static int refuse_place(const struct place *place, int allocation)
{
	if (!place || allocation <= 0)
		return cudaErrorInvalidValue;
	if (place->kind != PLACE_DEVICE || allocation != ALLOCATION_PINNED)
		return cudaErrorNotSupported;
	return place->id ? cudaErrorInvalidDevice : 0;
}

API(cudaMemGetDefaultMemPool)(struct host_pool **pool, const struct place *place, int allocation)
{
	const int error = pool ? refuse_place(place, allocation) : cudaErrorInvalidValue;
	if (!error)
		*pool = &device_pool;
	return leave(error);
}

API(cudaMemGetMemPool)(struct host_pool **pool, const struct place *place, int allocation)
{
	const int error = pool ? refuse_place(place, allocation) : cudaErrorInvalidValue;
	if (!error)
		*pool = __atomic_load_n(&current, __ATOMIC_RELAXED);
	return leave(error);
}

API(cudaMemSetMemPool)(const struct place *place, int allocation, struct host_pool *pool)
{
	const int error = lives(pool) ? refuse_place(place, allocation) : cudaErrorInvalidValue;
	if (!error)
		__atomic_store_n(&current, pool, __ATOMIC_RELAXED);
	return leave(error);
}

/* ---- who may use a pool: its device reads and writes, and there is no other ---- */
enum { ACCESS_READ_WRITE = 3 };

struct access {
	struct place place;
	int flags;
};

static int refuse_access(const struct access *a)
{
	if (a->place.kind != PLACE_DEVICE)
		return cudaErrorInvalidValue;
	return a->place.id ? cudaErrorInvalidDevice : a->flags != ACCESS_READ_WRITE ? cudaErrorInvalidValue : 0;
}

API(cudaMemPoolSetAccess)(const struct host_pool *pool, const struct access *list, size_t n)
{
	int error = lives(pool) && (list || !n) ? 0 : cudaErrorInvalidValue;
	for (size_t k = 0; !error && k < n; k++)
		error = refuse_access(&list[k]);
	return leave(error);
}

API(cudaMemPoolGetAccess)(int *flags, const struct host_pool *pool, const struct place *place)
{
	if (!flags || !lives(pool) || !place || place->kind != PLACE_DEVICE)
		return leave(cudaErrorInvalidValue);
	if (!place->id)
		*flags = ACCESS_READ_WRITE;
	return leave(place->id ? cudaErrorInvalidDevice : 0);
}

API(cudaMemPoolCreate)(struct host_pool **pool, const void *properties)
{
	struct host_pool *p = pool && properties ? calloc(1, sizeof *p) : NULL;
	if (!p || !handle_add(p, HANDLE_POOL)) {
		free(p);
		return leave(pool && properties ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
	}
	*p = device_pool;
	*pool = p;
	return leave(0);
}

API(cudaMemPoolDestroy)(struct host_pool *pool)
{
	if (!handle_take(pool, HANDLE_POOL))
		return leave(cudaErrorInvalidValue);
	if (__atomic_load_n(&current, __ATOMIC_RELAXED) == pool)
		__atomic_store_n(&current, &device_pool, __ATOMIC_RELAXED);
	free(pool);
	return leave(0);
}

static bool is_switch(int attribute) { return attribute <= 3; }

API(cudaMemPoolSetAttribute)(struct host_pool *pool, int attribute, const void *value)
{
	if (!lives(pool) || !value || attribute < REUSE_FIRST || attribute > USED_HIGH)
		return leave(cudaErrorInvalidValue);
	pool->value[attribute] = is_switch(attribute) ? *(const uint32_t *)value : *(const uint64_t *)value;
	return leave(0);
}

/* Nothing is reserved that isn't in use, and what is in use isn't told pool by pool. */
API(cudaMemPoolGetAttribute)(const struct host_pool *pool, int attribute, void *value)
{
	if (!lives(pool) || !value || attribute < REUSE_FIRST || attribute > USED_HIGH)
		return leave(cudaErrorInvalidValue);
	if (is_switch(attribute))
		*(uint32_t *)value = (uint32_t)pool->value[attribute];
	else
		*(uint64_t *)value = attribute < RESERVED ? pool->value[attribute] : 0;
	return leave(0);
}

API(cudaMemPoolTrimTo)(const struct host_pool *pool, size_t bytes)
{
	(void)bytes;
	return leave(lives(pool) ? 0 : cudaErrorInvalidValue);
}

API(cudaMallocFromPoolAsync)(void **p, size_t bytes, const struct host_pool *pool, void *stream)
{
	return lives(pool) ? ws_cudaMallocAsync(p, bytes, stream) : leave(cudaErrorInvalidValue);
}

/* Memory pools: all allocate from device memory and free at once; reserved memory is only a number. Attributes are stored for the program to read
 * back. */
#include "host/memory/pool.h"

#include <stdlib.h>

#include "host/core/handles.h"
#include "host/host.h"

/* cudaMemLocation */
struct place {
	int kind, id;
};

/* The device's default pool, whose reuse attributes are on. */
static struct host_pool device_pool = {.value = {0, 1, 1, 1}};
static struct host_pool *current = &device_pool;

struct host_pool *pool_current(void) { return __atomic_load_n(&current, __ATOMIC_RELAXED); }

bool pool_lives(const struct host_pool *p) { return p == &device_pool || handle_is(p, HANDLE_POOL); }

bool pool_is_own(const struct host_pool *p) { return pool_lives(p) && !p->is_import; }

static int leave_connected(int error) { return host_leave(error ? error : host_connect()); }

API(cudaDeviceGetDefaultMemPool)(struct host_pool **pool, int device)
{
	if (pool && !device)
		*pool = &device_pool;
	return leave_connected(!pool ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0);
}

API(cudaDeviceGetMemPool)(struct host_pool **pool, int device)
{
	if (pool && !device)
		*pool = pool_current();
	return leave_connected(!pool ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0);
}

API(cudaDeviceSetMemPool)(int device, struct host_pool *pool)
{
	if (pool_is_own(pool) && !device)
		__atomic_store_n(&current, pool, __ATOMIC_RELAXED);
	return leave_connected(!pool_is_own(pool) ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0);
}

/* ---- by location: only the device has pools ---- */
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
	return leave_connected(error);
}

API(cudaMemGetMemPool)(struct host_pool **pool, const struct place *place, int allocation)
{
	const int error = pool ? refuse_place(place, allocation) : cudaErrorInvalidValue;
	if (!error)
		*pool = pool_current();
	return leave_connected(error);
}

API(cudaMemSetMemPool)(const struct place *place, int allocation, struct host_pool *pool)
{
	const int error = pool_is_own(pool) ? refuse_place(place, allocation) : cudaErrorInvalidValue;
	if (!error)
		__atomic_store_n(&current, pool, __ATOMIC_RELAXED);
	return leave_connected(error);
}

/* ---- access: the only device reads and writes ---- */
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
	int error = pool_lives(pool) && (list || !n) ? 0 : cudaErrorInvalidValue;
	for (size_t k = 0; !error && k < n; k++)
		error = refuse_access(&list[k]);
	return leave_connected(error);
}

API(cudaMemPoolGetAccess)(int *flags, const struct host_pool *pool, const struct place *place)
{
	if (!flags || !pool_lives(pool) || !place || place->kind != PLACE_DEVICE)
		return leave_connected(cudaErrorInvalidValue);
	if (!place->id)
		*flags = ACCESS_READ_WRITE;
	return leave_connected(place->id ? cudaErrorInvalidDevice : 0);
}

/* cudaMemPoolProps */
struct pool_properties {
	int allocation, handles;
	struct place place;
	void *security;
	size_t most;
};

/* Returns whether a pool may have these properties. Unlike in queries by location, every mistake is an invalid value. */
static bool is_valid_pool(const struct pool_properties *p)
{
	return p && p->allocation == ALLOCATION_PINNED && p->place.kind == PLACE_DEVICE && !p->place.id;
}

static struct host_pool *add_pool(const struct host_pool *what)
{
	struct host_pool *p = malloc(sizeof *p);
	if (p)
		*p = *what;
	if (p && handle_add(p, HANDLE_POOL))
		return p;
	free(p);
	return NULL;
}

struct host_pool *pool_import(uint64_t number)
{
	return add_pool(&(struct host_pool){.value = {0, 1, 1, 1}, .number = number, .is_import = true});
}

API(cudaMemPoolCreate)(struct host_pool **pool, const struct pool_properties *properties)
{
	if (!pool || !is_valid_pool(properties) || properties->handles & ~POOL_HANDLES_KNOWN)
		return leave_connected(cudaErrorInvalidValue);
	if (properties->handles & ~POOL_HANDLE_DESCRIPTOR)
		return leave_connected(cudaErrorNotSupported);
	struct host_pool *p = add_pool(
		&(struct host_pool){.value = {0, 1, 1, 1}, .most = properties->most, .handles = properties->handles});
	if (p)
		*pool = p;
	return leave_connected(p ? 0 : cudaErrorMemoryAllocation);
}

API(cudaMemPoolDestroy)(struct host_pool *pool)
{
	if (!handle_remove(pool, HANDLE_POOL))
		return leave_connected(cudaErrorInvalidValue);
	if (pool_current() == pool)
		__atomic_store_n(&current, &device_pool, __ATOMIC_RELAXED);
	if (pool->is_import)
		call_ipc_close(&(struct call_ipc_close){pool->number, WIRE_EXPORT_POOL, 0}, NULL, 0, NULL);
	pool_destroy(pool);
	return leave_connected(0);
}

static bool is_switch(int attribute) { return attribute < POOL_THRESHOLD; }
static bool is_highest(int attribute) { return attribute == POOL_RESERVED_HIGH || attribute == POOL_USED_HIGH; }

/* Returns whether an attribute may be set: a high mark only to 0. */
static bool may_set(int attribute, uint64_t value)
{
	return attribute <= POOL_THRESHOLD || (is_highest(attribute) && !value);
}

static bool is_valid_attribute(const struct host_pool *pool, int attribute, const void *value)
{
	return pool_lives(pool) && value && attribute >= POOL_REUSE_FIRST && attribute < POOL_ATTRIBUTES;
}

API(cudaMemPoolSetAttribute)(struct host_pool *pool, int attribute, const void *value)
{
	if (!is_valid_attribute(pool, attribute, value))
		return leave_connected(cudaErrorInvalidValue);
	const uint64_t n = is_switch(attribute) ? *(const uint32_t *)value : *(const uint64_t *)value;
	if (!may_set(attribute, n))
		return leave_connected(cudaErrorInvalidValue);
	pool_set_attribute(pool, attribute, n);
	return leave_connected(0);
}

API(cudaMemPoolGetAttribute)(const struct host_pool *pool, int attribute, void *value)
{
	if (!is_valid_attribute(pool, attribute, value))
		return leave_connected(cudaErrorInvalidValue);
	if (is_switch(attribute))
		*(uint32_t *)value = (uint32_t)pool->value[attribute];
	else
		*(uint64_t *)value = pool->value[attribute];
	return leave_connected(0);
}

API(cudaMemPoolTrimTo)(struct host_pool *pool, size_t bytes)
{
	if (pool_lives(pool))
		pool_trim(pool, bytes);
	return leave_connected(pool_lives(pool) ? 0 : cudaErrorInvalidValue);
}

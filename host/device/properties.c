/* The device's properties in the layout of the program's toolkit, attributes, versions, limits. */
#include <string.h>

#include "host/host.h"

/* ---- properties ---- */

enum layout { LAYOUT_11, LAYOUT_12, LAYOUT_13 };

static const struct property {
	short at12, at13; /* -1: missing */
	unsigned char bytes, attribute;
} properties[] = {
#define PROPERTY(name, at12, at13, bytes, attribute) {at12, at13, bytes, attribute},
#include "host/device/properties.def"
#undef PROPERTY
};

static const struct {
	size_t bytes;
	bool is_13;
} layouts[] = {{728, false}, {1032, false}, {1008, true}};

#define NAME_BYTES 256u
#define UUID_AT 256u
#define MEMORY_AT 288u

static void store_property(char *to, size_t most, const struct property *p, bool is_13, int32_t value)
{
	const short at = is_13 ? p->at13 : p->at12;
	const int64_t wide = value;
	if (at >= 0 && (size_t)at + p->bytes <= most)
		memcpy(to + at, p->bytes == 8 ? (const void *)&wide : (const void *)&value, p->bytes);
}

static int get_properties(char *to, int device, enum layout l)
{
	int error = host_connect();
	if (!error)
		error = !to ? cudaErrorInvalidValue : device ? cudaErrorInvalidDevice : 0;
	if (error)
		return host_leave(error);
	const struct wire_device *d = host_device();
	memset(to, 0, layouts[l].bytes);
	memcpy(to, d->name, NAME_BYTES - 1);
	memcpy(to + UUID_AT, "warpstep device", 16);
	memcpy(to + MEMORY_AT, &d->memory, sizeof d->memory);
	for (size_t k = 0; k < sizeof properties / sizeof *properties; k++)
		store_property(to, layouts[l].bytes, &properties[k], layouts[l].is_13,
			       d->attribute[properties[k].attribute]);
	return 0;
}

API(cudaGetDeviceProperties_11)(void *p, int device) { return get_properties(p, device, LAYOUT_11); }
API(cudaGetDeviceProperties_12)(void *p, int device) { return get_properties(p, device, LAYOUT_11); }
API(cudaGetDeviceProperties_13)(void *p, int device) { return get_properties(p, device, LAYOUT_13); }
API(cudaGetDeviceProperties_v2)(void *p, int device) { return get_properties(p, device, LAYOUT_12); }

API(cudaDeviceGetAttribute)(int *value, int attribute, int device)
{
	int error = host_connect();
	if (!error)
		error = !value || attribute <= 0 || attribute >= (int)WIRE_ATTRIBUTES ? cudaErrorInvalidValue
			: device						      ? cudaErrorInvalidDevice
										      : 0;
	if (!error)
		*value = host_device()->attribute[attribute];
	return host_leave(error);
}

API(cudaChooseDevice)(int *device, const void *wanted)
{
	if (!device || !wanted)
		return host_leave(cudaErrorInvalidValue);
	*device = 0;
	return host_leave(host_connect());
}

/* ---- versions ---- */

static int version(int *v, int number)
{
	if (!v)
		return host_leave(cudaErrorInvalidValue);
	*v = number;
	return 0;
}

API(cudaRuntimeGetVersion_11)(int *v) { return version(v, 11080); }
API(cudaRuntimeGetVersion_12)(int *v) { return version(v, 12040); }
API(cudaRuntimeGetVersion_13)(int *v) { return version(v, 13000); }
API(cudaDriverGetVersion)(int *v) { return version(v, 13000); }

/* ---- limits: those of the L2 are stored without an effect ---- */

enum { LIMIT_L2_FETCH = 5, LIMIT_L2_PERSISTING, LIMITS };
static size_t l2_limits[LIMITS] = {[LIMIT_L2_FETCH] = 128};

API(cudaDeviceGetLimit)(size_t *value, int limit)
{
	struct call_limit_get_out out = {0};
	int error = value ? host_enter() : cudaErrorInvalidValue;
	if (!error && (limit < 0 || limit >= LIMITS))
		error = cudaErrorUnsupportedLimit;
	if (!error && limit < LIMIT_L2_FETCH)
		error = call_limit_get(&(struct call_limit_get){host_device_limit(limit), 0}, NULL, 0, &out);
	if (!error)
		*value = limit < LIMIT_L2_FETCH ? out.value : l2_limits[limit];
	return host_leave(error);
}

API(cudaDeviceSetLimit)(int limit, size_t value)
{
	int error = host_enter();
	if (!error && (limit < 0 || limit >= LIMITS))
		error = cudaErrorUnsupportedLimit;
	if (!error && limit < LIMIT_L2_FETCH)
		error = call_limit(&(struct call_limit){host_device_limit(limit), 0, value}, NULL, 0, NULL);
	else if (!error)
		l2_limits[limit] = value;
	return host_leave(error);
}

/* ---- flags and preferences: only that of caches has an effect ---- */

static int cache_preference, shared_banks;

int host_cache_preference(void) { return cache_preference; }
void host_prefer_cache(int config) { cache_preference = config; }

static unsigned flags;

API(cudaDeviceGetCacheConfig)(int *config)
{
	*config = cache_preference;
	return 0;
}

API(cudaDeviceSetCacheConfig)(int config)
{
	cache_preference = config;
	return host_leave(host_enter());
}

API(cudaDeviceGetSharedMemConfig)(int *config)
{
	*config = shared_banks;
	return 0;
}

API(cudaDeviceSetSharedMemConfig)(int config)
{
	shared_banks = config;
	return host_leave(host_enter());
}

/* Returns whether device flags are valid: at most one scheduling flag. */
static bool are_device_flags(unsigned f)
{
	enum { SCHEDULE = 7, MOST = 0xff };
	const unsigned schedule = f & SCHEDULE;
	return f <= MOST && !(schedule & (schedule - 1));
}

API(cudaSetDeviceFlags)(unsigned f)
{
	if (!are_device_flags(f))
		return host_leave(cudaErrorInvalidValue);
	flags = f;
	return 0;
}

API(cudaGetDeviceFlags)(unsigned *f)
{
	if (!f)
		return host_leave(cudaErrorInvalidValue);
	*f = flags | 8; /* host memory can always be mapped */
	return 0;
}

API(cudaInitDevice)(int device, unsigned device_flags, unsigned f)
{
	(void)device_flags, (void)f;
	const int error = device ? cudaErrorInvalidDevice : host_connect();
	if (!error)
		host_use_primary_context();
	return host_leave(error);
}

API(cudaSetValidDevices)(const int *devices, int n)
{
	if (n < 0 || n > 1 || (n && !devices))
		return host_leave(cudaErrorInvalidValue);
	return host_leave(n && *devices ? cudaErrorInvalidDevice : 0);
}

/* ---- one device has no peers ---- */

API(cudaDeviceCanAccessPeer)(int *can, int device, int peer)
{
	if (!can)
		return host_leave(cudaErrorInvalidValue);
	*can = 0;
	return host_leave(device || peer ? cudaErrorInvalidDevice : 0);
}

API(cudaDeviceEnablePeerAccess)(int peer, unsigned f)
{
	(void)peer, (void)f;
	return host_leave(cudaErrorInvalidDevice);
}

API(cudaDeviceDisablePeerAccess)(int peer)
{
	(void)peer;
	return host_leave(cudaErrorInvalidDevice);
}

API(cudaDeviceGetP2PAttribute)(int *value, int attribute, int device, int peer)
{
	(void)value, (void)attribute, (void)device, (void)peer;
	return host_leave(cudaErrorInvalidDevice);
}

API(cudaDeviceGetP2PAtomicCapabilities)(unsigned *can, const int *operations, unsigned n, int device, int peer)
{
	(void)can, (void)operations, (void)n, (void)device, (void)peer;
	return host_leave(cudaErrorInvalidDevice);
}

/* No atomics over the bus, as attribute 86 (HostNativeAtomicSupported) says. */
API(cudaDeviceGetHostAtomicCapabilities)(unsigned *can, const int *operations, unsigned n, int device)
{
	enum { OPERATIONS = 13 };
	int error = device ? cudaErrorInvalidDevice : can && operations && n ? host_connect() : cudaErrorInvalidValue;
	for (unsigned k = 0; k < n && !error; k++)
		if (operations[k] < 0 || operations[k] >= OPERATIONS)
			error = cudaErrorInvalidValue;
		else
			can[k] = 0;
	return host_leave(error);
}

API(cudaDeviceGetPCIBusId)(char *id, int n, int device)
{
	static const char bus[] = "0000:00:00.0";
	if (!id || n < (int)sizeof bus || device)
		return host_leave(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	memcpy(id, bus, sizeof bus);
	return 0;
}

API(cudaDeviceGetByPCIBusId)(int *device, const char *id)
{
	if (!device || !id || strcmp(id, "0000:00:00.0"))
		return host_leave(cudaErrorInvalidValue);
	*device = 0;
	return 0;
}

/* The driver API: initialization, the device, names of errors. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "host/driver/driver.h"

#define DRIVER_VERSION 13000
#define DRIVER_INVALID_DEVICE 101
#define CUDA_ERROR_NOT_FOUND 500

DRIVER(cuInit)(unsigned flags)
{
	const int error = flags ? cudaErrorInvalidValue : host_connect();
	if (!error)
		driver_initialize();
	return error;
}

DRIVER(cuDriverGetVersion)(int *version)
{
	if (!version)
		return cudaErrorInvalidValue;
	*version =
		host_has_hidden_runtime()
			? 0
			: DRIVER_VERSION; /* 0 makes the hidden runtime's calls fail with error 35, as without a driver */
	return 0;
}

/* ---- the device: there is one ---- */

DRIVER(cuDeviceGetCount)(int *n)
{
	if (!n)
		return cudaErrorInvalidValue;
	*n = 1;
	return driver_initialized();
}

DRIVER(cuDeviceGet)(int *device, int ordinal)
{
	if (!device)
		return cudaErrorInvalidValue;
	*device = 0;
	return driver_initialized() ? cudaErrorInitializationError : ordinal ? DRIVER_INVALID_DEVICE : 0;
}

/* The same name as in the runtime's properties. */
DRIVER(cuDeviceGetName)(char *name, int n, int device)
{
	const int error = !name || n < 1 ? cudaErrorInvalidValue : device ? DRIVER_INVALID_DEVICE : host_connect();
	if (!error)
		snprintf(name, (size_t)n, "%s", host_device()->name);
	return error;
}

DRIVER(cuDeviceGetUuid)(char uuid[16], int device)
{
	if (!uuid)
		return cudaErrorInvalidValue;
	memcpy(uuid, "warpstep\0\0\0\0\0\0\0", 16);
	return device ? DRIVER_INVALID_DEVICE : 0;
}

DRIVER(cuDeviceComputeCapability)(int *major, int *minor, int device)
{
	enum { MAJOR = 75, MINOR = 76 };
	const int error = AS_DRIVER(ws_cudaDeviceGetAttribute(major, MAJOR, device));
	return error ? error : AS_DRIVER(ws_cudaDeviceGetAttribute(minor, MINOR, device));
}

DRIVER(cuDeviceTotalMem_v2)(size_t *bytes, int device)
{
	int error = !bytes ? cudaErrorInvalidValue : device ? DRIVER_INVALID_DEVICE : driver_initialized();
	if (!error)
		error = host_connect();
	if (!error)
		*bytes = host_device()->memory;
	return error;
}

DRIVER(cuDeviceCanAccessPeer)(int *can, int device, int peer)
{
	if (!can)
		return cudaErrorInvalidValue;
	*can = 0;
	return device || peer ? DRIVER_INVALID_DEVICE : 0;
}

/* CUdevprop */
struct device_properties {
	int threads, block[3], grid[3], shared, constant, warp, pitch, registers, clock, texture_align;
};

DRIVER(cuDeviceGetProperties)(struct device_properties *p, int device)
{
	static const int attributes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}; /* CUdevice_attribute */
	int *to = (int *)p, error = p ? 0 : cudaErrorInvalidValue;
	_Static_assert(sizeof *p == sizeof attributes, "one of each");
	for (size_t k = 0; !error && k < sizeof attributes / sizeof *attributes; k++)
		error = AS_DRIVER(ws_cudaDeviceGetAttribute(&to[k], attributes[k], device));
	return error;
}

/* ---- private function tables, which no header declares ---- */

static bool is_of_program(const void *code)
{
	Dl_info info;
	struct link_map *map = NULL;
	return dladdr1(code, &info, (void **)&map, RTLD_DL_LINKMAP) && map && !*map->l_name;
}

/* Returns whether code belongs to a library that compiles programs at run time: it asks, and does without. */
static bool is_of_compiler(const void *code)
{
	Dl_info info;
	const char *slash, *name = dladdr(code, &info) ? info.dli_fname : NULL;
	if (!name)
		return false;
	slash = strrchr(name, '/');
	name = slash ? slash + 1 : name;
	return !strncmp(name, "libnvrtc", 8) || !strncmp(name, "libnvJitLink", 12);
}

DRIVER(cuGetExportTable)(const void **table, const void *id)
{
	static _Atomic bool said;
	(void)id;
	if (table)
		*table = NULL;
	said |= host_has_hidden_runtime();
	if (is_of_compiler(__builtin_return_address(0)))
		return CUDA_ERROR_NOT_FOUND;
	if (!said && is_of_program(__builtin_return_address(0)))
		host_say("warpstep: the program asks for the driver's private functions (cuGetExportTable): its CUDA "
			 "runtime was not replaced. Link it without -s; if it asks for no libgcc_s (as one without "
			 "kernels), set LD_PRELOAD=libwarpstep.so beside LD_LIBRARY_PATH");
	else if (!said)
		host_say("warpstep: a library of NVIDIA's asks for the driver's private functions (cuGetExportTable): "
			 "it has machine code of their devices, and can't run here");
	said = true;
	return CUDA_ERROR_NOT_FOUND;
}

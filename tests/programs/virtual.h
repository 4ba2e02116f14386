/* The driver's virtual memory management as programs have it from cuda.h. */
#ifndef VIRTUAL_H
#define VIRTUAL_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t ptr;
struct location {
	int type, id;
};
struct properties {
	int type, handles;
	struct location location;
	void *of_windows;
	unsigned char compression, direct;
	unsigned short usage;
	unsigned char reserved[4];
};
struct access {
	struct location location;
	int flags;
};
enum { PINNED = 1, DEVICE = 1, HOST = 2, READ = 1, READ_WRITE = 3, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DEVICE = 101, NOT_SUPPORTED = 801 };
#define MB ((size_t)1 << 20)
#define GRAIN (2 * MB)

int cuInit(unsigned), cuCtxCreate_v2(void **, unsigned, int), cuCtxSynchronize(void), cuDeviceGetAttribute(int *, int, int), cuMemGetInfo_v2(size_t *, size_t *);
int cuMemGetAllocationGranularity(size_t *, const struct properties *, int), cuMemAddressReserve(ptr *, size_t, size_t, ptr, unsigned long long), cuMemAddressFree(ptr, size_t);
int cuMemCreate(uint64_t *, size_t, const struct properties *, unsigned long long), cuMemRelease(uint64_t), cuMemMap(ptr, size_t, size_t, uint64_t, unsigned long long);
int cuMemUnmap(ptr, size_t), cuMemSetAccess(ptr, size_t, const struct access *, size_t), cuMemGetAccess(unsigned long long *, const struct location *, ptr);
int cuMemExportToShareableHandle(void *, uint64_t, int, unsigned long long), cuMemImportFromShareableHandle(uint64_t *, void *, int);
int cuMemRetainAllocationHandle(uint64_t *, void *), cuMemGetAllocationPropertiesFromHandle(struct properties *, uint64_t), cuMemGetAddressRange_v2(ptr *, size_t *, ptr);
int cuMemcpyHtoD_v2(ptr, const void *, size_t), cuMemcpyDtoH_v2(void *, ptr, size_t), cuMemcpyDtoD_v2(ptr, ptr, size_t), cuMemsetD32_v2(ptr, unsigned, size_t), cuMemFree_v2(ptr);
int cuPointerGetAttribute(void *, int, ptr);
int cuModuleLoad(void **, const char *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

static const struct properties of_device = {.type = PINNED, .location = {DEVICE, 0}};
static const struct access read_write = {{DEVICE, 0}, READ_WRITE}, read_only = {{DEVICE, 0}, READ}, no_access = {{DEVICE, 0}, 0};

#endif

/* What programs on the driver API have in common: its calls as cuda.h has them, copies in three dimensions, a context with a kernel. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"

typedef uint64_t ptr;
struct side_3d {
	size_t x, y, z, level;
	unsigned type;
	void *host;
	ptr device;
	void *array, *reserved;
	size_t pitch, height;
};
struct copy_3d {
	struct side_3d from, to;
	size_t bytes, rows, slices;
};

int cuInit(unsigned), cuDeviceGetAttribute(int *, int, int), cuCtxCreate_v2(void **, unsigned, int), cuCtxGetCurrent(void **), cuCtxSynchronize(void);
int cuModuleLoad(void **, const char *), cuModuleGetFunction(void **, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuMemAlloc_v2(ptr *, size_t), cuMemFree_v2(ptr), cuMemHostAlloc(void **, size_t, unsigned);
int cuMemcpyDtoH_v2(void *, ptr, size_t), cuMemcpyHtoD_v2(ptr, const void *, size_t), cuMemsetD32_v2(ptr, unsigned, size_t), cuMemsetD32Async(ptr, unsigned, size_t, void *);
int cuStreamCreate(void **, unsigned), cuStreamDestroy_v2(void *), cuStreamSynchronize(void *), cuStreamQuery(void *);
int cuStreamWaitValue32_v2(void *, ptr, uint32_t, unsigned), cuStreamWriteValue32_v2(void *, ptr, uint32_t, unsigned);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **);
int cuGraphCreate(void **, unsigned), cuGraphInstantiateWithFlags(void **, void *, unsigned long long), cuGraphLaunch(void *, void *);
int cuGraphGetNodes(void *, void **, size_t *), cuGraphNodeGetType(void *, int *);

/* The kernel of a file, loaded into the current context. */
static inline void *kernel_of(const char *file, const char *name)
{
	void *module = NULL, *kernel = NULL;
	RETURNS(0, cuModuleLoad(&module, file));
	RETURNS(0, cuModuleGetFunction(&kernel, module, name));
	return kernel;
}

/* The first calls: a context, which is returned. */
static inline void *begin_driver(void)
{
	void *context = NULL;
	RETURNS(0, cuInit(0));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	return context;
}

#endif

/* The driver API: contexts, modules from text and files, linking, launches both ways, names of errors, cuGetProcAddress. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult, CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUlink_st *CUlinkState;
typedef unsigned long long CUdeviceptr;
CUresult cuInit(unsigned), cuDriverGetVersion(int *), cuDeviceGetCount(int *), cuDeviceGet(CUdevice *, int);
CUresult cuDeviceGetName(char *, int, CUdevice);
CUresult cuCtxCreate_v2(CUcontext *, unsigned, CUdevice), cuCtxDestroy_v2(CUcontext), cuCtxGetCurrent(CUcontext *), cuCtxSynchronize(void);
CUresult cuModuleLoadDataEx(CUmodule *, const void *, unsigned, int *, void **), cuModuleLoad(CUmodule *, const char *), cuModuleUnload(CUmodule);
CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *), cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *);
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemFree_v2(CUdeviceptr);
CUresult cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t), cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
CUresult cuMemsetD32_v2(CUdeviceptr, unsigned, size_t), cuMemsetD16_v2(CUdeviceptr, unsigned short, size_t);
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
CUresult cuGetErrorName(CUresult, const char **), cuGetErrorString(CUresult, const char **);
CUresult cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
CUresult cuLinkCreate_v2(unsigned, int *, void **, CUlinkState *), cuLinkAddFile_v2(CUlinkState, int, const char *, unsigned, int *, void **);
CUresult cuLinkAddData_v2(CUlinkState, int, const void *, size_t, const char *, unsigned, int *, void **);
CUresult cuLinkComplete(CUlinkState, void **, size_t *), cuLinkDestroy(CUlinkState);
CUresult cuOccupancyMaxPotentialBlockSize(int *, int *, CUfunction, size_t (*)(int), size_t, int);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *, int *, CUfunction, size_t (*)(int), size_t, int, unsigned);

enum { INFO_LOG = 3, INFO_LOG_BYTES, ERROR_LOG, ERROR_LOG_BYTES, INPUT_PTX = 1, INPUT_OBJECT = 3, INPUT_LIBRARY };

#define CHECK(call) \
	do { \
		const int error_ = (call); \
		const char *name_ = "?"; \
		if (error_) { \
			cuGetErrorName(error_, &name_); \
			printf("%s: %d %s\n", #call, error_, name_); \
			exit(9); \
		} \
	} while (0)

static int run(CUfunction f, CUdeviceptr to, int packed)
{
	int value = 10;
	void *arguments[] = {&to};
	size_t bytes = sizeof to;
	void *extra[] = {(void *)1, &to, (void *)2, &bytes, NULL};
	CHECK(cuMemcpyHtoD_v2(to, &value, sizeof value));
	CHECK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, packed ? NULL : arguments, packed ? extra : NULL));
	CHECK(cuCtxSynchronize());
	CHECK(cuMemcpyDtoH_v2(&value, to, sizeof value));
	return value;
}

static void link_units(CUdeviceptr to)
{
	char log[300] = "";
	int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
	void *values[] = {log, (void *)sizeof log}, *image;
	size_t bytes;
	CUlinkState l;
	CUmodule m;
	CUfunction f;
	CHECK(cuLinkCreate_v2(2, options, values, &l));
	CHECK(cuLinkAddFile_v2(l, INPUT_PTX, "modules-caller.ptx", 0, NULL, NULL));
	int error = cuLinkComplete(l, &image, &bytes);
	printf("lacks a unit: %d\n%s", error, log);
	error = cuLinkAddData_v2(l, INPUT_PTX, "broken .version", 15, "broken.ptx", 0, NULL, NULL);
	printf("broken: %d, no file: %d\n", error, cuLinkAddFile_v2(l, INPUT_PTX, "none.ptx", 0, NULL, NULL));
	printf("said: %d\n", strstr(log, "error: broken.ptx:1:1: ") != NULL);
	CHECK(cuLinkAddFile_v2(l, INPUT_PTX, "modules-callee.ptx", 0, NULL, NULL));
	CHECK(cuLinkComplete(l, &image, &bytes));
	CHECK(cuModuleLoadDataEx(&m, image, 0, NULL, NULL));
	CHECK(cuLinkDestroy(l));
	CHECK(cuModuleGetFunction(&f, m, "call"));
	printf("linked: %d\n", run(f, to, 0));
}

/* Device code in a host object, or in an archive of them. */
static void link_file(const char *path)
{
	void *image;
	size_t bytes;
	CUlinkState l;
	CUmodule m;
	CUfunction f;
	CHECK(cuLinkCreate_v2(0, NULL, NULL, &l));
	CHECK(cuLinkAddFile_v2(l, strstr(path, ".a") ? INPUT_LIBRARY : INPUT_OBJECT, path, 0, NULL, NULL));
	CHECK(cuLinkComplete(l, &image, &bytes));
	CHECK(cuModuleLoadDataEx(&m, image, 0, NULL, NULL));
	CHECK(cuLinkDestroy(l));
	printf("%s: %d\n", strrchr(path, '/') + 1, cuModuleGetFunction(&f, m, "_Z6vecaddPKfS0_Pfi"));
}

/* As 13.0's headers ask: cuCtxSynchronize of 13000 has another signature. */
static void find_functions(void)
{
	void *f, *old, *new;
	int found;
	CUdeviceptr p = 0;
	CHECK(cuGetProcAddress_v2("cuMemAlloc", &f, 13000, 0, &found));
	CHECK(((CUresult(*)(CUdeviceptr *, size_t))f)(&p, 64));
	printf("cuMemAlloc: %d %d\n", found, p != 0);
	CHECK(cuGetProcAddress_v2("cuCtxSynchronize", &old, 12000, 0, &found));
	CHECK(cuGetProcAddress_v2("cuCtxSynchronize", &new, 13000, 0, &found));
	printf("two: %d, works: %d\n", old != new, ((CUresult(*)(void))old)());
	int error = cuGetProcAddress_v2("cuNone", &f, 13000, 0, &found);
	printf("none: %d %d %d", error, found, f == NULL);
	error = cuGetProcAddress_v2("cuCtxSynchronize", &f, 1000, 0, &found);
	printf(", too new: %d %d\n", error, found);
}

/* A core has 1536 threads in at most 8 blocks, and 48 KiB of shared memory; there are 15. */
static size_t shared_64(int threads) { return (size_t)threads * 64; }
static void occupancy(CUfunction f)
{
	static const struct {
		size_t (*shared)(int);
		size_t fixed;
		int limit;
	} cases[] = {{NULL, 0, 0}, {NULL, 0, 256}, {NULL, 0, 100}, {NULL, 30000, 0}, {shared_64, 0, 0}, {shared_64, 30000, 384}};
	int grid, block;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, cases[k].shared, cases[k].fixed, cases[k].limit));
		printf("%dx%d ", grid, block);
	}
	printf("flags: %d %d\n", cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, NULL, 0, 0, 1),
	       cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, f, NULL, 0, 0, 2));
}

int main(int argc, char **argv)
{
	CUcontext context, current;
	CUdevice device;
	CUmodule twice[2];
	CUfunction f[2];
	CUdeviceptr to, factor;
	size_t bytes;
	int n, version;
	char name[64];
	const char *text;
	CHECK(cuInit(0));
	CHECK(cuDriverGetVersion(&version));
	CHECK(cuDeviceGetCount(&n));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDeviceGetName(name, sizeof name, device));
	printf("%d, %d device, second: %d, %d\n", version, n, cuDeviceGet(&device, 1), strncmp(name, "warpstep fermi-", 15));
	CHECK(cuCtxCreate_v2(&context, 0, 0));
	CHECK(cuCtxGetCurrent(&current));
	printf("current: %d\n", current == context);
	CHECK(cuMemAlloc_v2(&to, 64));
	for (int k = 0; k < 2; k++) {
		CHECK(cuModuleLoad(&twice[k], "modules-double.ptx"));
		CHECK(cuModuleGetFunction(&f[k], twice[k], "scale"));
	}
	CHECK(cuModuleGetGlobal_v2(&factor, &bytes, twice[1], "factor"));
	CHECK(cuMemsetD32_v2(factor, 5, 1));
	printf("%d %d, %zu bytes\n", run(f[0], to, 0), run(f[1], to, 1), bytes);
	CHECK(cuMemsetD16_v2(factor, 3, 2)); /* 0x00030003 */
	printf("%d\n", run(f[1], to, 1));
	printf("no such: %d %d\n", cuModuleGetFunction(&f[0], twice[0], "none"), cuModuleGetGlobal_v2(&factor, &bytes, twice[0], "none"));
	occupancy(f[1]);
	link_units(to);
	for (int k = 1; k < argc; k++)
		link_file(argv[k]);
	find_functions();
	CHECK(cuGetErrorString(209, &text));
	printf("%s; ", text);
	printf("%d\n", cuGetErrorName(12345, &text));
	CHECK(cuModuleUnload(twice[0]));
	printf("unloaded twice: %d\n", cuModuleUnload(twice[0]));
	CHECK(cuMemFree_v2(to));
	CHECK(cuCtxDestroy_v2(context));
	const int twice_destroyed = cuCtxDestroy_v2(context);
	printf("destroyed twice: %d, without: %d\n", twice_destroyed, cuCtxSynchronize());
	return 0;
}

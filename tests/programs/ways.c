/* Ways to launch and to copy: with attributes, clusters and what is told of them, all that is for the thread's own default stream; what one device answers to
 * questions about others. Layouts: cuda.h. */

#include "driver.h"

typedef struct {
	unsigned x, y, z;
} dim3;
struct attribute {
	int id, pad;
	union {
		char room[64];
		int number;
		unsigned cluster[3];
		struct {
			void *event;
			int flags;
		} event;
	};
};
struct configuration { /* cudaLaunchConfig_t; a CUlaunchConfig has 4 bytes of `shared` */
	dim3 grid, block;
	size_t shared;
	void *stream;
	const struct attribute *attributes;
	unsigned n;
};
struct channels {
	int x, y, z, w, kind;
};
enum { COOPERATIVE = 2, CLUSTER = 4, PROGRAMMATIC_EVENT = 7, COMPLETION_EVENT = 12, INVALID_VALUE = 1, INVALID_HANDLE = 400, INVALID_CLUSTER = 912 };
enum { HTOD = 1, DTOH, DTOD, ANYWHERE };

int cuStreamSynchronize_ptsz(void *);
int cuEventElapsedTime_v2(float *, void *, void *);
int cuLaunchKernelEx(const struct configuration *, void *, void **, void **), cuLaunchKernelEx_ptsz(const struct configuration *, void *, void **, void **);
int cuOccupancyMaxActiveClusters(int *, void *, const struct configuration *), cuOccupancyMaxPotentialClusterSize(int *, void *, const struct configuration *);
#define SIZES unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned
int cuLaunchKernel_ptsz(void *, SIZES, void *, void **, void **), cuLaunchCooperativeKernel_ptsz(void *, SIZES, void *, void **);
int cuMemcpyHtoD_v2_ptds(ptr, const void *, size_t), cuMemcpyDtoH_v2_ptds(void *, ptr, size_t), cuMemcpyDtoD_v2_ptds(ptr, ptr, size_t), cuMemcpy_ptds(ptr, ptr, size_t);
int cuMemcpyHtoDAsync_v2_ptsz(ptr, const void *, size_t, void *), cuMemcpyDtoHAsync_v2_ptsz(void *, ptr, size_t, void *), cuMemcpyDtoDAsync_v2_ptsz(ptr, ptr, size_t, void *);
int cuMemcpyAsync_ptsz(ptr, ptr, size_t, void *), cuMemsetD32_v2_ptds(ptr, unsigned, size_t), cuMemsetD8Async_ptsz(ptr, unsigned char, size_t, void *);
int cuMemsetD2D16Async_ptsz(ptr, size_t, unsigned short, size_t, size_t, void *);
int cudaLaunchKernelExC(const struct configuration *, const void *, void **), cudaLaunchKernelExC_ptsz(const struct configuration *, const void *, void **);
int cudaLaunchCooperativeKernel_ptsz(const void *, dim3, dim3, void **, size_t, void *), cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
int cudaOccupancyMaxActiveClusters(int *, const void *, const struct configuration *), cudaOccupancyMaxPotentialClusterSize(int *, const void *, const struct configuration *);
int cudaMemcpy2D_ptds(void *, size_t, const void *, size_t, size_t, size_t, int), cudaMemcpy2DAsync_ptsz(void *, size_t, const void *, size_t, size_t, size_t, int, void *);
int cudaMemset2D_ptds(void *, size_t, int, size_t, size_t), cudaMemset2DAsync_ptsz(void *, size_t, int, size_t, size_t, void *);
int cudaMallocArray(void **, const struct channels *, size_t, size_t, unsigned), cudaMemcpy2DToArray_ptds(void *, size_t, size_t, const void *, size_t, size_t, size_t, int);
int cudaMemcpy2DFromArrayAsync_ptsz(void *, size_t, const void *, size_t, size_t, size_t, size_t, int, void *);

int cuCtxEnablePeerAccess(void *, unsigned), cuCtxDisablePeerAccess(void *), cuCtxSetCurrent(void *), cuCtxDestroy_v2(void *), cuCtxResetPersistingL2Cache(void), cudaCtxResetPersistingL2Cache(void);
int cuCtxGetExecAffinity(void *, int), cuDeviceGetExecAffinitySupport(int *, int, int), cuDeviceGetTexture1DLinearMaxWidth(size_t *, unsigned, unsigned, int);
int cudaDeviceGetTexture1DLinearMaxWidth(size_t *, const struct channels *, int), cudaDeviceGetHostAtomicCapabilities(unsigned *, const int *, unsigned, int);
int cudaDeviceGetP2PAtomicCapabilities(unsigned *, const int *, unsigned, int, int), cudaKernelSetAttributeForDevice(void *, int, int, int);
int cudaMemcpyArrayToArray(void *, size_t, size_t, void *, size_t, size_t, size_t, int), cudaMemcpy2DFromArray(void *, size_t, void *, size_t, size_t, size_t, size_t, int);
int cudaMemcpy2DToArray(void *, size_t, size_t, const void *, size_t, size_t, size_t, int);

int cuFuncGetAttribute(int *, int, void *), cuFuncSetAttribute(void *, int, int), cudaFuncGetAttributes(void *, const void *), cudaFuncSetAttribute(const void *, int, int);

static void *add;
static ptr p;

static void with_attributes(void)
{
	void *begin, *event, *arguments[] = {&p, &(unsigned){5}};
	struct attribute of[] = {{.id = COOPERATIVE, .number = 1}, {.id = CLUSTER, .cluster = {1, 1, 1}}, {.id = COMPLETION_EVENT}};
	struct configuration c = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .attributes = of, .n = 3};
	unsigned got;
	float time;
	RETURNS(0, cuEventCreate(&begin, 0));
	RETURNS(0, cuEventRecord(begin, NULL));
	for (int driver = 0; driver < 2; driver++) {
		RETURNS(0, cuEventCreate(&event, 0));
		of[2].event.event = event;
		RETURNS(INVALID_HANDLE, cuEventElapsedTime_v2(&time, begin, event));
		RETURNS(0, cuMemsetD32_v2_ptds(p, 1, 1));
		RETURNS(0, driver ? cuLaunchKernelEx(&c, add, arguments, NULL) : cudaLaunchKernelExC(&c, add, arguments));
		RETURNS(0, cuCtxSynchronize());
		RETURNS(0, cuEventElapsedTime_v2(&time, begin, event));
		RETURNS(0, cuMemcpyDtoH_v2_ptds(&got, p, 4));
		EXPECT(got == 6);
		memset((char *)&c.shared + 4, driver ? 0 : 0xff, 4); /* of the driver's they are nothing */
	}
	of[1].cluster[0] = 2;
	RETURNS(INVALID_CLUSTER, cudaLaunchKernelExC(&c, add, arguments));
	RETURNS(INVALID_CLUSTER, cuLaunchKernelEx(&c, add, arguments, NULL));
	of[1].cluster[0] = 0;
	RETURNS(INVALID_CLUSTER, cuLaunchKernelEx(&c, add, arguments, NULL));
	of[1].id = 99;
	RETURNS(INVALID_VALUE, cudaLaunchKernelExC(&c, add, arguments));
	c.attributes = NULL;
	RETURNS(INVALID_VALUE, cudaLaunchKernelExC(&c, add, arguments));
	c.n = 0;
	c.grid.x = 1 << 20; /* more blocks than fit at once: fine without the attribute */
	c.block.x = 0;
	RETURNS(INVALID_VALUE, cuLaunchKernelEx(&c, add, arguments, NULL));
	RETURNS(INVALID_VALUE, cuLaunchKernelEx(NULL, add, arguments, NULL));
}

/* The device has none: they are of one block. */
static void clusters(void)
{
	struct attribute of = {.id = CLUSTER, .cluster = {1, 1, 1}};
	struct configuration c = {.grid = {8, 1, 1}, .block = {64, 2, 1}, .attributes = &of, .n = 1};
	int cores, blocks, n = 0;
	RETURNS(0, cuDeviceGetAttribute(&cores, 120, 0)); /* CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH */
	EXPECT(cores == 0);
	RETURNS(0, cuDeviceGetAttribute(&cores, 16, 0));
	RETURNS(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 128, 0));
	RETURNS(0, cudaOccupancyMaxPotentialClusterSize(&n, add, &c));
	EXPECT(n == 1);
	RETURNS(0, cudaOccupancyMaxActiveClusters(&n, add, &c));
	EXPECT(n == cores * blocks && n > 0);
	n = 0;
	memset((char *)&c.shared + 4, 0xff, 4);
	RETURNS(0, cuOccupancyMaxActiveClusters(&n, add, &c));
	EXPECT(n == cores * blocks);
	RETURNS(0, cuOccupancyMaxPotentialClusterSize(&n, add, &c));
	EXPECT(n == 1);
	c.shared = 1 << 30;
	RETURNS(0, cudaOccupancyMaxPotentialClusterSize(&n, add, &c));
	EXPECT(n == 0);
	c.shared = 0;
	of.cluster[1] = 2;
	RETURNS(INVALID_CLUSTER, cudaOccupancyMaxActiveClusters(&n, add, &c));
	c.n = 0;
	RETURNS(INVALID_CLUSTER, cudaOccupancyMaxActiveClusters(&n, add, &c));
	c.block.x = 4096;
	RETURNS(INVALID_VALUE, cudaOccupancyMaxPotentialClusterSize(&n, add, &c));
	RETURNS(INVALID_VALUE, cudaOccupancyMaxPotentialClusterSize(NULL, add, &c));
	RETURNS(INVALID_VALUE, cuOccupancyMaxActiveClusters(&n, add, NULL));
}

/* The legacy default stream would wait for another stream that waits for us. */
static void of_the_thread(void)
{
	unsigned host[16], three = 3;
	const struct channels words = {32, 0, 0, 0, 1};
	struct configuration c = {.grid = {1, 1, 1}, .block = {4, 1, 1}};
	void *stands, *array, *arguments[] = {&p, &three}, *device = (void *)(uintptr_t)p;
	ptr flag, q;
	for (unsigned k = 0; k < 16; k++)
		host[k] = k;
	RETURNS(0, cuMemAlloc_v2(&flag, 4));
	RETURNS(0, cuMemAlloc_v2(&q, 64));
	RETURNS(0, cudaMallocArray(&array, &words, 4, 4, 0));
	RETURNS(0, cuMemsetD32_v2_ptds(flag, 0, 1));
	RETURNS(0, cuStreamCreate(&stands, 0));
	RETURNS(0, cuStreamWaitValue32_v2(stands, flag, 1, 1));

	RETURNS(0, cuMemcpyHtoD_v2_ptds(p, host, 64));
	RETURNS(0, cuLaunchKernel_ptsz(add, 1, 1, 1, 4, 1, 1, 0, NULL, arguments, NULL));
	RETURNS(0, cuLaunchCooperativeKernel_ptsz(add, 1, 1, 1, 4, 1, 1, 0, NULL, arguments));
	RETURNS(0, cuLaunchKernelEx_ptsz(&c, add, arguments, NULL));
	RETURNS(0, cudaLaunchKernelExC_ptsz(&c, add, arguments));
	RETURNS(0, cudaLaunchCooperativeKernel_ptsz(add, c.grid, c.block, arguments, 0, NULL));
	RETURNS(0, cuMemcpyDtoDAsync_v2_ptsz(q, p, 64, NULL));
	RETURNS(0, cuMemsetD8Async_ptsz(q + 16, 1, 4, NULL));
	RETURNS(0, cuMemsetD2D16Async_ptsz(q + 20, 8, 0x203, 1, 2, NULL));
	RETURNS(0, cudaMemset2DAsync_ptsz((void *)(uintptr_t)(q + 36), 4, 4, 4, 1, NULL));
	RETURNS(0, cudaMemset2D_ptds((void *)(uintptr_t)(q + 40), 4, 5, 4, 1));
	RETURNS(0, cuMemcpyDtoH_v2_ptds(host, q, 64));
	EXPECT(host[0] == 15 && host[3] == 18 && host[4] == 0x01010101 && host[5] == 0x203 && host[7] == 0x203 && host[6] == 6 && host[9] == 0x04040404 &&
	       host[10] == 0x05050505 && host[15] == 15);

	RETURNS(0, cudaMemcpy2DToArray_ptds(array, 0, 0, host, 16, 16, 4, HTOD));
	RETURNS(0, cudaMemcpy2DFromArrayAsync_ptsz(device, 16, array, 0, 0, 16, 4, DTOD, NULL));
	RETURNS(0, cudaMemcpy2DAsync_ptsz((void *)(uintptr_t)q, 16, device, 16, 8, 4, DTOD, NULL));
	RETURNS(0, cudaMemcpy2D_ptds(host, 32, (void *)(uintptr_t)q, 32, 8, 2, DTOH));
	EXPECT(host[8] == 8 && host[9] == 0x04040404);
	RETURNS(0, cuMemcpyDtoD_v2_ptds(q, p, 64));
	RETURNS(0, cuMemcpy_ptds(p, q, 64));
	RETURNS(0, cuMemcpyAsync_ptsz(q, p, 4, NULL));
	RETURNS(0, cuMemcpyHtoDAsync_v2_ptsz(p, host, 4, NULL));
	RETURNS(0, cuMemcpyDtoHAsync_v2_ptsz(host, q, 4, NULL));
	RETURNS(0, cuStreamSynchronize_ptsz(NULL));
	EXPECT(host[0] == 15);

	RETURNS(0, cuMemcpyHtoD_v2_ptds(flag, &(unsigned){1}, 4));
	RETURNS(0, cuCtxSynchronize());
}

static void alone(void *context)
{
	enum { INVALID_DEVICE = 101, INVALID_CONTEXT = 201, UNSUPPORTED = 217, NOT_ENABLED = 705, INVALID_FORMAT = 20, UNSIGNED_INT16 = 2 };
	const struct channels pair = {16, 16, 0, 0, 1}, wrong = {16, 8, 0, 0, 1};
	unsigned can[2] = {9, 9}, affinity[2];
	void *other;
	size_t n = 0, m = 0;
	int cores, is = 9;
	RETURNS(0, cuCtxCreate_v2(&other, 0, 0));
	RETURNS(UNSUPPORTED, cuCtxEnablePeerAccess(context, 0));
	RETURNS(INVALID_VALUE, cuCtxEnablePeerAccess(context, 1));
	RETURNS(INVALID_CONTEXT, cuCtxEnablePeerAccess(other, 0)); /* itself */
	RETURNS(NOT_ENABLED, cuCtxDisablePeerAccess(context));
	RETURNS(0, cuCtxDestroy_v2(other));
	RETURNS(INVALID_CONTEXT, cuCtxDisablePeerAccess(other));
	RETURNS(0, cuCtxSetCurrent(context));
	RETURNS(0, cuCtxResetPersistingL2Cache());
	RETURNS(0, cudaCtxResetPersistingL2Cache());
	RETURNS(0, cuDeviceGetAttribute(&cores, 16, 0));
	RETURNS(0, cuCtxGetExecAffinity(affinity, 0));
	EXPECT(affinity[0] == 0 && affinity[1] == (unsigned)cores);
	RETURNS(0, cuDeviceGetExecAffinitySupport(&is, 0, 0));
	EXPECT(is == 0);
	RETURNS(0, cudaDeviceGetTexture1DLinearMaxWidth(&n, &pair, 0));
	RETURNS(0, cuDeviceGetTexture1DLinearMaxWidth(&m, UNSIGNED_INT16, 2, 0));
	EXPECT(n == m && n >= 1 << 27);
	RETURNS(INVALID_FORMAT, cudaDeviceGetTexture1DLinearMaxWidth(&n, &wrong, 0));
	RETURNS(INVALID_DEVICE, cudaDeviceGetTexture1DLinearMaxWidth(&n, &pair, 1));
	RETURNS(0, cudaDeviceGetHostAtomicCapabilities(can, (int[]){0, 12}, 2, 0));
	EXPECT(!can[0] && !can[1]);
	RETURNS(INVALID_VALUE, cudaDeviceGetHostAtomicCapabilities(can, (int[]){13}, 1, 0));
	RETURNS(INVALID_DEVICE, cudaDeviceGetP2PAtomicCapabilities(can, (int[]){0}, 1, 0, 0));
	RETURNS(0, cudaKernelSetAttributeForDevice(add, 8, 1024, 0));
	RETURNS(INVALID_DEVICE, cudaKernelSetAttributeForDevice(add, 8, 1024, 1));
}

/* What a kernel is set to is told by both APIs; of clusters, too, for toolkits that know them. */
static void attributes_of_kernels(void)
{
	enum { DYNAMIC = 8, CARVEOUT, MUST, WIDTH, HEIGHT, LARGE = 14, POLICY, END };
	int all[36], value = 99, most;
	RETURNS(0, cuDeviceGetAttribute(&most, 97, 0)); /* by opting in */
	RETURNS(0, cuFuncGetAttribute(&value, CARVEOUT, add));
	EXPECT(value == -1);
	memset(all, 0xee, sizeof all);
	RETURNS(0, cudaFuncGetAttributes(all, add));
	EXPECT(all[11] > 0 && all[12] == -1 && !all[13] && !all[14] && !all[17] && !all[18] && !all[34]);
	RETURNS(0, cudaFuncSetAttribute(add, DYNAMIC, most));
	RETURNS(0, cuFuncSetAttribute(add, CARVEOUT, 50));
	RETURNS(0, cuFuncSetAttribute(add, LARGE, 1));
	RETURNS(0, cudaFuncGetAttributes(all, add));
	EXPECT(all[11] == most && all[12] == 50 && all[18] == 1);
	RETURNS(0, cuFuncGetAttribute(&value, DYNAMIC, add));
	EXPECT(value == most);
	RETURNS(0, cuFuncGetAttribute(&value, CARVEOUT, add));
	EXPECT(value == 50);
	RETURNS(0, cuFuncGetAttribute(&value, WIDTH, add));
	EXPECT(value == 0);
	RETURNS(INVALID_VALUE, cuFuncSetAttribute(add, DYNAMIC, most + 1));
	RETURNS(INVALID_VALUE, cuFuncSetAttribute(add, CARVEOUT, 101));
	RETURNS(INVALID_VALUE, cudaFuncSetAttribute(add, MUST, 1));
	RETURNS(INVALID_VALUE, cudaFuncSetAttribute(add, END, 1));
	RETURNS(INVALID_VALUE, cuFuncGetAttribute(&value, END, add));
}

/* As bytes, over the ends of rows. */
static void between_arrays(void)
{
	const struct channels words = {32, 0, 0, 0, 1};
	unsigned host[16], back[16];
	void *a, *b;
	for (unsigned k = 0; k < 16; k++)
		host[k] = k;
	RETURNS(0, cudaMallocArray(&a, &words, 4, 4, 0));
	RETURNS(0, cudaMallocArray(&b, &words, 4, 4, 0));
	RETURNS(0, cudaMemcpy2DToArray(a, 0, 0, host, 16, 16, 4, HTOD));
	RETURNS(0, cudaMemcpy2DToArray(b, 0, 0, host, 16, 16, 4, HTOD));
	RETURNS(0, cudaMemcpyArrayToArray(b, 8, 2, a, 4, 0, 24, DTOD));
	RETURNS(0, cudaMemcpy2DFromArray(back, 16, b, 0, 0, 16, 4, DTOH));
	EXPECT(back[9] == 9 && back[10] == 1 && back[11] == 2 && back[15] == 6);
	RETURNS(INVALID_VALUE, cudaMemcpyArrayToArray(b, 8, 2, a, 4, 0, 28, DTOD));
}

int main(void)
{
	void *context = begin_driver();
	add = kernel_of("streams.ptx", "add");
	RETURNS(0, cuMemAlloc_v2(&p, 64));
	with_attributes();
	clusters();
	of_the_thread();
	alone(context);
	between_arrays();
	attributes_of_kernels();
	return verdict();
}

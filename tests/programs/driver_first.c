/* The driver API as programs of before 3.2 have it: device addresses and sizes of 32 bits. Structures: CUDA_..._v1 of cuda.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

typedef unsigned ptr;
struct side_2d {
	unsigned x, y, type;
	void *host;
	ptr device;
	void *array;
	unsigned pitch;
};
struct copy_2d {
	struct side_2d from, to;
	unsigned bytes, rows;
};
struct side_3d {
	unsigned x, y, z, level, type;
	void *host;
	ptr device;
	void *array, *reserved;
	unsigned pitch, height;
};
struct copy_3d {
	struct side_3d from, to;
	unsigned bytes, rows, slices;
};
struct descriptor {
	unsigned width, height, format, channels;
};
struct descriptor_3d {
	unsigned width, height, depth, format, channels, flags;
};
enum { HOST = 1, DEVICE, ARRAY, UNSIGNED_8 = 1, INVALID_VALUE = 1, OUT_OF_MEMORY = 2 };

int cuInit(unsigned), cuCtxCreate(void **, unsigned, int), cuCtxDestroy(void *), cuCtxSynchronize(void), cuDeviceTotalMem(unsigned *, int);
int cuMemAlloc(ptr *, unsigned), cuMemFree(ptr), cuMemAllocPitch(ptr *, unsigned *, unsigned, unsigned, unsigned), cuMemAllocHost(void **, unsigned), cuMemFreeHost(void *);
int cuMemGetInfo(unsigned *, unsigned *), cuMemGetAddressRange(ptr *, unsigned *, ptr), cuMemHostAlloc(void **, size_t, unsigned), cuMemHostGetDevicePointer(ptr *, void *, unsigned);
int cuMemcpyHtoD(ptr, const void *, unsigned), cuMemcpyDtoH(void *, ptr, unsigned), cuMemcpyDtoD(ptr, ptr, unsigned);
int cuMemcpyHtoDAsync(ptr, const void *, unsigned, void *), cuMemcpyDtoHAsync(void *, ptr, unsigned, void *), cuMemcpyDtoDAsync(ptr, ptr, unsigned, void *);
int cuMemcpyHtoA(void *, unsigned, const void *, unsigned), cuMemcpyAtoH(void *, void *, unsigned, unsigned), cuMemcpyDtoA(void *, unsigned, ptr, unsigned), cuMemcpyAtoD(ptr, void *, unsigned, unsigned);
int cuMemcpyAtoA(void *, unsigned, void *, unsigned, unsigned), cuMemcpyHtoAAsync(void *, unsigned, const void *, unsigned, void *), cuMemcpyAtoHAsync(void *, void *, unsigned, unsigned, void *);
int cuMemcpy2D(const struct copy_2d *), cuMemcpy2DUnaligned(const struct copy_2d *), cuMemcpy2DAsync(const struct copy_2d *, void *), cuMemcpy3D(const struct copy_3d *), cuMemcpy3DAsync(const struct copy_3d *, void *);
int cuMemsetD8(ptr, unsigned char, unsigned), cuMemsetD16(ptr, unsigned short, unsigned), cuMemsetD32(ptr, unsigned, unsigned);
int cuMemsetD2D8(ptr, unsigned, unsigned char, unsigned, unsigned), cuMemsetD2D16(ptr, unsigned, unsigned short, unsigned, unsigned), cuMemsetD2D32(ptr, unsigned, unsigned, unsigned, unsigned);
int cuArrayCreate(void **, const struct descriptor *), cuArray3DCreate(void **, const struct descriptor_3d *), cuArrayDestroy(void *);
int cuArrayGetDescriptor(struct descriptor *, void *), cuArray3DGetDescriptor(struct descriptor_3d *, void *);
int cuModuleLoad(void **, const char *), cuModuleGetGlobal(ptr *, unsigned *, void *, const char *), cuModuleGetFunction(void **, void *, const char *);
int cuFuncSetBlockShape(void *, int, int, int), cuParamSetSize(void *, unsigned), cuParamSetv(void *, int, void *, unsigned), cuLaunch(void *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t);

#define N 64
static unsigned char in[N], out[N];

/* Is out what in is? And is it forgotten. */
static int arrived(void)
{
	const int same = !memcmp(in, out, N);
	memset(out, 0, N);
	return same;
}

static void rows_and_fills(ptr p, ptr q)
{
	unsigned n = 0, words[N / 4];
	ptr base = 0;
	RETURNS(0, cuMemcpyHtoD(p, in, N));
	RETURNS(0, cuMemcpyDtoD(q, p, N));
	RETURNS(0, cuMemcpyDtoH(out, q, N));
	EXPECT(arrived());
	RETURNS(0, cuMemsetD8(q, 0, N));
	RETURNS(0, cuMemcpyHtoDAsync(p, in, N, NULL));
	RETURNS(0, cuMemcpyDtoDAsync(q, p, N, NULL));
	RETURNS(0, cuMemcpyDtoHAsync(out, q, N, NULL));
	RETURNS(0, cuCtxSynchronize());
	EXPECT(arrived());
	RETURNS(0, cuMemGetAddressRange(&base, &n, q + 5));
	EXPECT(base == q && n == 4 * N);
	RETURNS(0, cuMemsetD8(p, 0x11, N));
	RETURNS(0, cuMemsetD16(p, 0x2222, 4));
	RETURNS(0, cuMemsetD32(p + 8, 0x33333333, 2));
	RETURNS(0, cuMemsetD2D8(p + 16, 8, 0x44, 4, 2));
	RETURNS(0, cuMemsetD2D16(p + 32, 8, 0x5555, 2, 2));
	RETURNS(0, cuMemsetD2D32(p + 48, 8, 0x66666666, 1, 2));
	RETURNS(0, cuMemcpyDtoH(words, p, N));
	static const unsigned is[] = {0x22222222, 0x22222222, 0x33333333, 0x33333333, 0x44444444, 0x11111111, 0x44444444, 0x11111111,
				      0x55555555, 0x11111111, 0x55555555, 0x11111111, 0x66666666, 0x11111111, 0x66666666, 0x11111111};
	EXPECT(!memcmp(words, is, sizeof is));
}

static void rectangles(void)
{
	struct descriptor d = {0};
	ptr p = 0;
	unsigned pitch = 0;
	void *array;
	RETURNS(0, cuMemAllocPitch(&p, &pitch, 16, 4, 4));
	EXPECT(p && pitch >= 16);
	RETURNS(0, cuArrayCreate(&array, &(struct descriptor){16, 4, UNSIGNED_8, 1}));
	RETURNS(0, cuArrayGetDescriptor(&d, array));
	EXPECT(d.width == 16 && d.height == 4 && d.format == UNSIGNED_8 && d.channels == 1);
	const struct copy_2d down = {{0, 0, HOST, in, 0, NULL, 16}, {0, 0, DEVICE, NULL, p, NULL, pitch}, 16, 4}, over = {down.to, {0, 0, ARRAY, NULL, 0, array, 0}, 16, 4},
			     up = {over.to, {0, 0, HOST, out, 0, NULL, 16}, 16, 4};
	RETURNS(0, cuMemcpy2D(&down));
	RETURNS(0, cuMemcpy2DUnaligned(&over));
	RETURNS(0, cuMemcpy2DAsync(&up, NULL));
	RETURNS(0, cuCtxSynchronize());
	EXPECT(arrived());
	RETURNS(INVALID_VALUE, cuMemcpy2D(NULL));
	RETURNS(0, cuMemFree(p));
	RETURNS(0, cuArrayDestroy(array));
}

static void boxes(void)
{
	struct descriptor_3d d = {0};
	void *array;
	RETURNS(0, cuArray3DCreate(&array, &(struct descriptor_3d){8, 4, 2, UNSIGNED_8, 1, 2}));
	RETURNS(0, cuArray3DGetDescriptor(&d, array));
	EXPECT(d.width == 8 && d.height == 4 && d.depth == 2 && d.format == UNSIGNED_8 && d.channels == 1 && d.flags == 2);
	const struct side_3d box = {0, 0, 0, 0, ARRAY, NULL, 0, array, NULL, 0, 0};
	const struct copy_3d down = {{0, 0, 0, 0, HOST, in, 0, NULL, NULL, 8, 4}, box, 8, 4, 2}, up = {box, {0, 0, 0, 0, HOST, out, 0, NULL, NULL, 8, 4}, 8, 4, 2};
	RETURNS(0, cuMemcpy3D(&down));
	RETURNS(0, cuMemcpy3DAsync(&up, NULL));
	RETURNS(0, cuCtxSynchronize());
	EXPECT(arrived());
	RETURNS(0, cuArrayDestroy(array));
}

static void lines(ptr p, ptr q)
{
	const struct descriptor row = {N, 0, UNSIGNED_8, 1};
	void *a, *b;
	RETURNS(0, cuArrayCreate(&a, &row));
	RETURNS(0, cuArrayCreate(&b, &row));
	RETURNS(0, cuMemcpyHtoA(a, 0, in, N));
	RETURNS(0, cuMemcpyAtoA(b, 0, a, 0, N));
	RETURNS(0, cuMemcpyAtoH(out, b, 0, N));
	EXPECT(arrived());
	RETURNS(0, cuMemcpyHtoD(p, in, N));
	RETURNS(0, cuMemcpyDtoA(a, 0, p, N));
	RETURNS(0, cuMemcpyAtoD(q, a, 0, N));
	RETURNS(0, cuMemcpyDtoH(out, q, N));
	EXPECT(arrived());
	RETURNS(0, cuMemcpyHtoAAsync(b, 4, in, N - 4, NULL));
	RETURNS(0, cuMemcpyAtoHAsync(out, b, 4, N - 4, NULL));
	RETURNS(0, cuCtxSynchronize());
	EXPECT(!memcmp(in, out, N - 4));
	memset(out, 0, N);
	RETURNS(0, cuArrayDestroy(a));
	RETURNS(0, cuArrayDestroy(b));
}

/* A kernel by the calls of that time: it writes the module's variable where it is told. */
static void kernel(void)
{
	void *module, *function;
	unsigned n = 0, nine = 9, got = 0;
	ptr number = 0, p;
	RETURNS(0, cuModuleLoad(&module, "references.ptx"));
	RETURNS(0, cuModuleGetGlobal(&number, &n, module, "number"));
	EXPECT(n == 4);
	RETURNS(0, cuMemcpyHtoD(number, &nine, sizeof nine));
	RETURNS(0, cuMemAlloc(&p, 4));
	uint64_t argument = p;
	RETURNS(0, cuModuleGetFunction(&function, module, "plain"));
	RETURNS(0, cuFuncSetBlockShape(function, 1, 1, 1));
	RETURNS(0, cuParamSetSize(function, sizeof argument));
	RETURNS(0, cuParamSetv(function, 0, &argument, sizeof argument));
	RETURNS(0, cuLaunch(function));
	RETURNS(0, cuMemcpyDtoH(&got, p, sizeof got));
	EXPECT(got == 9);
	RETURNS(0, cuMemFree(p));
}

/* There is more memory than 32 bits can say: sizes are the most they can be, and what lies higher can't be had. */
static void beyond(void)
{
	unsigned left = 0, all = 0;
	uint64_t most;
	ptr p;
	RETURNS(0, cuDeviceTotalMem(&all, 0));
	EXPECT(all == UINT32_MAX); /* 4 GB and nothing less */
	RETURNS(0, cuMemGetInfo(&left, &all));
	EXPECT(all == UINT32_MAX && left > 0);
	RETURNS(INVALID_VALUE, cuMemGetInfo(NULL, &all));
	RETURNS(0, cuMemAlloc_v2(&most, UINT64_C(0x80000000)));
	RETURNS(OUT_OF_MEMORY, cuMemAlloc(&p, 100));
	RETURNS(0, cuMemFree_v2(most));
	RETURNS(INVALID_VALUE, cuMemAlloc(&p, 0));
	RETURNS(INVALID_VALUE, cuMemAlloc(NULL, 4));
}

int main(void)
{
	void *context, *host;
	ptr p, q, mapped = 0;
	for (int k = 0; k < N; k++)
		in[k] = (unsigned char)(k * 7 + 1);
	RETURNS(0, cuInit(0));
	RETURNS(0, cuCtxCreate(&context, 0, 0));
	RETURNS(0, cuMemAlloc(&p, 4 * N));
	RETURNS(0, cuMemAlloc(&q, 4 * N));
	rows_and_fills(p, q);
	rectangles();
	boxes();
	lines(p, q);
	kernel();
	RETURNS(0, cuMemAllocHost(&host, 100));
	RETURNS(0, cuMemFreeHost(host));
	RETURNS(0, cuMemHostAlloc(&host, 100, 2));
	RETURNS(0, cuMemHostGetDevicePointer(&mapped, host, 0));
	RETURNS(0, cuMemcpyHtoD(mapped, in, N));
	EXPECT(!memcmp(host, in, N));
	RETURNS(0, cuMemFreeHost(host));
	RETURNS(0, cuMemFree(p));
	RETURNS(0, cuMemFree(q));
	beyond();
	RETURNS(0, cuCtxDestroy(context));
	puts(failures ? "FAILED" : "PASSED");
	return failures != 0;
}

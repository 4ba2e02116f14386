/* What a program is told: properties in the layout of its toolkit, attributes, functions, occupancy, limits; launches with attributes. Offsets:
 * driver_types.h of the toolkits. */
#include "checks.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")
KERNEL(hello, "_Z5helloi")

int cudaGetDeviceProperties(void *p, int device);
int cudaDeviceGetAttribute(int *v, int attribute, int device);
int cudaRuntimeGetVersion(int *v);
int cudaDriverGetVersion(int *v);
int cudaFuncGetAttributes(void *a, const void *function);
int cudaFuncSetAttribute(const void *function, int attribute, int value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *function, int threads, size_t shared);
int cudaDeviceGetLimit(size_t *v, int limit);
int cudaDeviceSetLimit(int limit, size_t v);
int cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t s);
int cudaGetDevice(int *device);

static int value(const char *p, size_t at)
{
	int v;
	memcpy(&v, p + at, sizeof v);
	return v;
}

/* multiProcessorCount, unifiedAddressing, managedMemory, cooperativeLaunch; the structure's end */
static const size_t places[3][5] = {{388, 604, 652, 688, 728}, {388, 604, 652, 688, 728}, {384, 588, 636, 668, 1008}};

static void properties(int toolkit)
{
	static char p[2048];
	const size_t *at = places[toolkit - 11];
	int cores, major;
	memset(p, 0x5a, sizeof p);
	RETURNS(0, cudaGetDeviceProperties(p, 0));
	RETURNS(101, cudaGetDeviceProperties(p + 1100, 1));
	EXPECT(!strncmp(p, "warpstep", 8));
	EXPECT(*(size_t *)(p + 288) == (size_t)4 << 30 && *(size_t *)(p + 296) == 49152);
	RETURNS(0, cudaDeviceGetAttribute(&cores, 16, 0));
	RETURNS(0, cudaDeviceGetAttribute(&major, 75, 0));
	EXPECT(value(p, 308) == 32 && value(p, 320) == 1024 && value(p, 360) == major && major == 7 && value(p, 364) == 5);
	EXPECT(value(p, at[0]) == cores && cores == 15);
	EXPECT(value(p, at[1]) == 1 && value(p, at[2]) == 1 && value(p, at[3]) == 1);
	EXPECT(p[at[4]] == 0x5a && p[at[4] + 7] == 0x5a);
	RETURNS(101, cudaDeviceGetAttribute(&cores, 16, 3));
	RETURNS(1, cudaDeviceGetAttribute(&cores, 4000, 0));
}

static void functions(void)
{
	static char a[256];
	int n, k = 1;
	RETURNS(0, cudaFuncGetAttributes(a, vecadd));
	EXPECT(value(a, 24) == 1024 && value(a, 28) > 0);
	RETURNS(98, cudaFuncGetAttributes(a, a));
	RETURNS(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, vecadd, 256, 0));
	EXPECT(n == 6);
	RETURNS(0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, vecadd, 256, 20000));
	EXPECT(n == 2);
	RETURNS(9, launch(hello, 1, 2000, 0, NULL, ARGUMENTS(&k)));
	RETURNS(9, launch(hello, 0, 32, 0, NULL, ARGUMENTS(&k)));
	RETURNS(1, launch(hello, 1, 32, 60000, NULL, ARGUMENTS(&k)));
	RETURNS(1, cudaFuncSetAttribute(hello, 8, 1 << 20));
	RETURNS(98, launch(a, 1, 32, 0, NULL, ARGUMENTS(&k)));
	RETURNS(720, cudaLaunchCooperativeKernel(hello, (dim3){10000, 1, 1}, (dim3){256, 1, 1}, ARGUMENTS(&k), 0, NULL));
	RETURNS(0, cudaLaunchCooperativeKernel(hello, (dim3){15, 1, 1}, (dim3){32, 1, 1}, ARGUMENTS(&k), 0, NULL));
	RETURNS(0, cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	static const int versions[] = {11080, 12040, 13000};
	const int toolkit = argc > 1 ? atoi(argv[1]) : 13;
	int v, device = 7;
	size_t limit;
	properties(toolkit);
	functions();
	RETURNS(0, cudaRuntimeGetVersion(&v));
	EXPECT(v == versions[toolkit - 11]);
	RETURNS(0, cudaDriverGetVersion(&v));
	EXPECT(v >= 13000);
	RETURNS(0, cudaSetDevice(0));
	RETURNS(101, cudaSetDevice(1));
	RETURNS(0, cudaGetDevice(&device));
	EXPECT(device == 0);
	RETURNS(0, cudaDeviceSetLimit(2, 64 << 20));
	RETURNS(0, cudaDeviceGetLimit(&limit, 2));
	EXPECT(limit == 64 << 20);
	RETURNS(215, cudaDeviceSetLimit(99, 1));
	return verdict();
}

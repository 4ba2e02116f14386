/* launch FILE.ptx LAUNCHES N: the product of two matrices of N * N numbers, so often. `run` compares what that costs with the same launches at the prompt. */
#include <stdlib.h>

typedef unsigned long long CUdeviceptr;
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuCtxSynchronize(void);
int cuModuleLoad(void **, const char *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemsetD32_v2(CUdeviceptr, unsigned, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
		   void **);

int main(int argc, char **argv)
{
	void *context, *module, *kernel;
	CUdeviceptr c, a, b;
	int failed;
	if (argc != 4)
		return 2;
	unsigned n = (unsigned)atoi(argv[3]);
	const size_t count = (size_t)n * n;
	failed = cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) ||
		 cuModuleLoad(&module, argv[1]) || cuModuleGetFunction(&kernel, module, "mm_tiled") ||
		 cuMemAlloc_v2(&c, 4 * count) || cuMemAlloc_v2(&a, 4 * count) || cuMemAlloc_v2(&b, 4 * count) ||
		 cuMemsetD32_v2(a, 0x3f000000, count) || cuMemsetD32_v2(b, 0x40000000, count); /* 0.5f and 2.0f */
	for (int i = 0; !failed && i < atoi(argv[2]); i++)
		failed = cuLaunchKernel(kernel, n / 16, n / 16, 1, 16, 16, 1, 0, NULL, (void *[]){&c, &a, &b, &n},
					NULL) ||
			 cuCtxSynchronize();
	return failed;
}

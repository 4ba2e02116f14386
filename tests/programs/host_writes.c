/* What test_program_watch.sh watches: variables that kernels and the host write in turn. */
#include <stdint.h>
#include <stdio.h>

int cuInit(unsigned), cuCtxCreate_v2(void **, unsigned, int), cuCtxSynchronize(void);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *), cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
		   void **);

static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
			   ".visible .global .attribute(.managed) .align 4 .u32 shared_one = 4;\n"
			   ".visible .global .align 4 .u32 plain = 4;\n"
			   ".visible .entry adds()\n{\n.reg .u32 %r<3>;\n"
			   "ld.global.u32 %r1, [plain];\nadd.u32 %r2, %r1, 1;\nst.global.u32 [plain], %r2;\n"
			   "ld.global.u32 %r1, [shared_one];\nadd.u32 %r2, %r1, 1;\nst.global.u32 [shared_one], %r2;\nret;\n}\n";

static void run(void *kernel)
{
	cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL);
	cuCtxSynchronize();
}

int main(void)
{
	void *context, *module, *adds;
	uint64_t plain = 0, managed = 0;
	size_t n;
	const unsigned ninety = 90;
	cuInit(0);
	cuCtxCreate_v2(&context, 0, 0);
	cuModuleLoadData(&module, text);
	cuModuleGetFunction(&adds, module, "adds");
	cuModuleGetGlobal_v2(&plain, &n, module, "plain");
	cuModuleGetGlobal_v2(&managed, &n, module, "shared_one");
	volatile unsigned *shared_one = (unsigned *)(uintptr_t)managed;
	run(adds);
	cuMemcpyHtoD_v2(plain, &ninety, sizeof ninety);
	*shared_one = 70;
	run(adds);
	printf("%u\n", *shared_one);
	return 0;
}

/* A kernel that has a race, and then spins for ever: which status counts. The program's own is 7. */
#include <stdint.h>
#include <stdio.h>

int cuInit(unsigned), cuCtxCreate_v2(void **, unsigned, int), cuCtxSynchronize(void);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
		   void **);

static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
			   ".visible .entry stuck(.param .u64 a)\n{\n.reg .u32 %r<3>;\n.reg .u64 %rd1;\n.reg .pred %p1;\n"
			   "ld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], %r1;\n"
			   "again: ld.volatile.global.u32 %r2, [%rd1+4];\nsetp.ne.u32 %p1, %r2, 12345;\n@%p1 bra again;\nret;\n}\n";

int main(void)
{
	void *context, *module, *kernel;
	uint64_t a = 0;
	cuInit(0);
	cuCtxCreate_v2(&context, 0, 0);
	cuModuleLoadData(&module, text);
	cuModuleGetFunction(&kernel, module, "stuck");
	cuMemAlloc_v2(&a, 256);
	cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&a}, NULL);
	printf("%d\n", cuCtxSynchronize());
	return 7;
}

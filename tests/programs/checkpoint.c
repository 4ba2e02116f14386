/* What test_program_checkpoint.sh keeps in a file: a module that is gone, another one whose managed variable the host writes between launches. total[5] is
 * 5, then 105, and 110 after the last launch; the program prints it. */
#include <stdio.h>

int cuInit(unsigned), cuDeviceGet(int *, int), cuCtxCreate_v2(void **, unsigned, int), cuCtxSynchronize(void);
int cuModuleLoadData(void **, const void *), cuModuleUnload(void *), cuModuleGetFunction(void **, void *, const char *);
int cuModuleGetGlobal_v2(unsigned long long *, size_t *, void *, const char *), cuMemcpyHtoD_v2(unsigned long long, const void *, size_t);
int cuMemcpyDtoH_v2(void *, unsigned long long, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

#define CHECK(call) \
	do { \
		const int error_ = (call); \
		if (error_) \
			return printf("%s: %d\n", #call, error_), 9; \
	} while (0)

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
static const char gone[] = HEAD ".visible .global .align 4 .u32 first[32];\n"
				".visible .entry fill()\n{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r1, 7;\n\tst.global.u32 [first+20], %r1;\n\tret;\n}\n";
static const char stays[] = HEAD ".visible .global .align 4 .u32 zeros[16];\n"
				 ".visible .global .attribute(.managed) .align 4 .u32 total[32];\n"
				 ".visible .entry add()\n{\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n\tmov.u32 %r1, %tid.x;\n"
				 "\tmul.wide.u32 %rd1, %r1, 4;\n\tmov.u64 %rd2, total;\n\tadd.u64 %rd3, %rd1, %rd2;\n"
				 "\tld.global.u32 %r2, [%rd3];\n\tadd.u32 %r2, %r2, %r1;\n\tst.global.u32 [%rd3], %r2;\n\tret;\n}\n";

int main(void)
{
	void *context, *module, *kernel;
	unsigned long long address;
	size_t bytes;
	int device;
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuCtxCreate_v2(&context, 0, device));
	CHECK(cuModuleLoadData(&module, gone));
	CHECK(cuModuleGetFunction(&kernel, module, "fill"));
	CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
	CHECK(cuCtxSynchronize());
	CHECK(cuModuleUnload(module));
	CHECK(cuModuleLoadData(&module, stays));
	CHECK(cuModuleGetFunction(&kernel, module, "add"));
	CHECK(cuModuleGetGlobal_v2(&address, &bytes, module, "total"));
	unsigned total[32];
	for (int k = 0; k < 2; k++) {
		CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
		CHECK(cuCtxSynchronize());
		CHECK(cuMemcpyDtoH_v2(total, address, sizeof total));
		total[5] += k ? 0 : 100;
		CHECK(cuMemcpyHtoD_v2(address, total, sizeof total));
	}
	printf("%u\n", total[5]);
	return total[5] != 110;
}

/* Managed variables of modules that the driver API loads: the program reads and writes them by their address (CUDA: __managed__ has one address). */
#include <stdint.h>
#include <stdio.h>

int cuInit(unsigned), cuCtxCreate_v2(void **, unsigned, int), cuCtxSynchronize(void);
int cuModuleLoadData(void **, const void *), cuModuleUnload(void *), cuModuleGetFunction(void **, void *, const char *);
int cuPointerGetAttribute(void *, int, uint64_t), cuMemFree_v2(uint64_t), cuMemGetAddressRange_v2(uint64_t *, size_t *, uint64_t);
int cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
		   void **);

enum { FIRST = 5, WIDE = 10000 };

/* `next` adds 1 to the counter, and puts it into the last byte of the wide one. */
static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
			   ".visible .global .attribute(.managed) .align 4 .u32 counter = 5;\n"
			   ".visible .global .attribute(.managed) .align 4 .b8 wide[10000];\n"
			   ".visible .entry next()\n{\n.reg .u32 %r<3>;\n"
			   "ld.global.u32 %r1, [counter];\nadd.u32 %r2, %r1, 1;\nst.global.u32 [counter], %r2;\n"
			   "st.global.u8 [wide+9999], %r2;\nret;\n}\n";

static int failures;

static void expect(long is, long wanted, const char *what)
{
	if (is != wanted)
		failures++, printf("%s: %ld, wanted %ld\n", what, is, wanted);
}

static void use(void)
{
	void *module, *next;
	uint64_t at = 0, wide = 0;
	size_t n = 0;
	unsigned copy = 0;
	expect(cuModuleLoadData(&module, text), 0, "cuModuleLoadData");
	expect(cuModuleGetFunction(&next, module, "next"), 0, "cuModuleGetFunction");
	expect(cuModuleGetGlobal_v2(&at, &n, module, "counter"), 0, "cuModuleGetGlobal");
	expect((long)n, sizeof(unsigned), "its bytes");
	expect(cuModuleGetGlobal_v2(&wide, &n, module, "wide"), 0, "cuModuleGetGlobal of the wide one");
	expect((long)n, WIDE, "bytes of the wide one");
	volatile unsigned *counter = (unsigned *)(uintptr_t)at;
	volatile unsigned char *bytes = (unsigned char *)(uintptr_t)wide;
	expect(*counter, FIRST, "what it begins with");
	*counter = 41;
	bytes[0] = 7;
	expect(cuLaunchKernel(next, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 0, "cuLaunchKernel");
	expect(cuCtxSynchronize(), 0, "cuCtxSynchronize");
	expect(*counter, 42, "what the kernel made of it");
	expect(bytes[0], 7, "the first byte");
	expect(bytes[WIDE - 1], 42, "the last byte");
	expect(cuMemcpyDtoH_v2(&copy, at, sizeof copy), 0, "cuMemcpyDtoH");
	expect(copy, 42, "the copy");
	enum { MEMORY_TYPE = 2, IS_MANAGED = 8, INVALID_VALUE = 1 };
	unsigned char is_managed = 0;
	unsigned type = 0;
	uint64_t base = 0;
	expect(cuPointerGetAttribute(&is_managed, IS_MANAGED, wide + 5000), 0, "cuPointerGetAttribute");
	expect(cuPointerGetAttribute(&type, MEMORY_TYPE, at), 0, "cuPointerGetAttribute");
	expect(is_managed && type == 2, 1, "managed, and the device's");
	expect(cuMemGetAddressRange_v2(&base, &n, wide + 5000), 0, "cuMemGetAddressRange");
	expect(base == wide && n == WIDE, 1, "its range");
	expect(cuMemFree_v2(at), INVALID_VALUE, "a variable is freed");
	expect(cuModuleUnload(module), 0, "cuModuleUnload");
}

int main(void)
{
	void *context;
	expect(cuInit(0), 0, "cuInit");
	expect(cuCtxCreate_v2(&context, 0, 0), 0, "cuCtxCreate");
	use();
	use(); /* a module that is loaded again begins anew */
	if (!failures)
		puts("PASSED");
	return failures;
}

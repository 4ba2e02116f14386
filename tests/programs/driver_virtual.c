/* The driver's virtual memory management: `driver_virtual` checks it, `driver_virtual WHAT` does something wrong at last. Layouts: cuda.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "virtual.h"

static void *add;

static size_t left(void)
{
	size_t n, all;
	RETURNS(0, cuMemGetInfo_v2(&n, &all));
	return n;
}

static int launch(ptr p, unsigned n)
{
	const int error = cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, NULL, (void *[]){&p, &n}, NULL);
	return error ? error : cuCtxSynchronize();
}

static unsigned word(ptr p)
{
	unsigned value = 0;
	RETURNS(0, cuMemcpyDtoH_v2(&value, p, sizeof value));
	return value;
}

static void asking(void)
{
	struct properties p = of_device;
	int supported = 0;
	size_t grain = 0;
	uint64_t h;
	RETURNS(0, cuDeviceGetAttribute(&supported, 102, 0)); /* CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED */
	EXPECT(supported == 1);
	RETURNS(0, cuDeviceGetAttribute(&supported, 103, 0)); /* ..._HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED */
	EXPECT(supported == 1);
	RETURNS(0, cuMemGetAllocationGranularity(&grain, &p, 0));
	EXPECT(grain == 2 * MB);
	RETURNS(0, cuMemGetAllocationGranularity(&grain, &p, 1));
	RETURNS(INVALID_VALUE, cuMemGetAllocationGranularity(&grain, &p, 2));
	p.location.id = 1;
	RETURNS(INVALID_DEVICE, cuMemCreate(&h, 2 * MB, &p, 0));
	p.location = (struct location){HOST, 0};
	RETURNS(NOT_SUPPORTED, cuMemCreate(&h, 2 * MB, &p, 0));
	p = of_device;
	p.handles = 2; /* Windows' */
	RETURNS(NOT_SUPPORTED, cuMemCreate(&h, 2 * MB, &p, 0));
	RETURNS(INVALID_VALUE, cuMemCreate(&h, 3 * MB, &of_device, 0));
	RETURNS(OUT_OF_MEMORY, cuMemCreate(&h, (size_t)1 << 40, &of_device, 0));
	RETURNS(INVALID_VALUE, cuMemRelease(77));
}

/* A range grows as it is needed, and is one piece for copies and kernels. */
static void growing(void)
{
	enum { PARTS = 3 };
	static unsigned words[PARTS * 2 << 18];
	const size_t before = left();
	uint64_t h[PARTS], other;
	unsigned long long flags;
	struct properties p;
	ptr at, base;
	size_t n;
	RETURNS(INVALID_VALUE, cuMemAddressReserve(&at, 100, 0, 0, 0));
	RETURNS(INVALID_VALUE, cuMemAddressReserve(&at, 2 * MB, 3, 0, 0));
	RETURNS(OUT_OF_MEMORY, cuMemAddressReserve(&at, (size_t)1 << 50, 0, 0, 0));
	RETURNS(0, cuMemAddressReserve(&at, 64 * MB, 8 * MB, 0, 0));
	EXPECT(at % (8 * MB) == 0 && left() == before);
	for (int k = 0; k < PARTS; k++) {
		const ptr part = at + (ptr)k * 2 * MB;
		RETURNS(0, cuMemCreate(&h[k], 2 * MB, &of_device, 0));
		EXPECT(left() == before - (size_t)(k + 1) * 2 * MB);
		RETURNS(INVALID_VALUE, cuMemSetAccess(part, 2 * MB, &read_write, 1));
		RETURNS(INVALID_VALUE, cuMemMap(part, 4 * MB, 0, h[k], 0));
		RETURNS(INVALID_VALUE, cuMemMap(part + 4096, 2 * MB, 0, h[k], 0));
		RETURNS(0, cuMemMap(part, 2 * MB, 0, h[k], 0));
		RETURNS(INVALID_VALUE, cuMemsetD32_v2(part, 1, 1));
		RETURNS(0, cuMemGetAccess(&flags, &read_write.location, part));
		EXPECT(flags == 0);
		RETURNS(0, cuMemSetAccess(at, (size_t)(k + 1) * 2 * MB, &read_write, 1));
		RETURNS(0, cuMemGetAccess(&flags, &read_write.location, part + 5));
		EXPECT(flags == READ_WRITE);
		RETURNS(0, cuMemRelease(h[k])); /* the mapping keeps it */
		RETURNS(INVALID_VALUE, cuMemRelease(h[k]));
		RETURNS(0, cuMemsetD32_v2(part, (unsigned)k + 1, 2 * MB / 4));
	}
	RETURNS(INVALID_VALUE, cuMemMap(at, 2 * MB, 0, h[0], 0));
	RETURNS(INVALID_VALUE, cuMemAddressFree(at, 64 * MB));
	RETURNS(INVALID_VALUE, cuMemFree_v2(at));
	RETURNS(0, launch(at + 2 * MB - 64, 10)); /* over the end of a part */
	RETURNS(0, cuMemcpyDtoH_v2(words, at, sizeof words));
	EXPECT(words[0] == 1 && words[(2 * MB - 68) / 4] == 1 && words[(2 * MB - 64) / 4] == 11 && words[2 * MB / 4] == 12 && words[(2 * MB + 64) / 4] == 2);
	EXPECT(words[6 * MB / 4 - 1] == 3);
	RETURNS(INVALID_VALUE, cuMemcpyDtoH_v2(words, at + 4, sizeof words));
	RETURNS(0, cuMemGetAddressRange_v2(&base, &n, at + 2 * MB + 100));
	EXPECT(base == at + 2 * MB && n == 2 * MB);
	RETURNS(0, cuMemRetainAllocationHandle(&other, (void *)(uintptr_t)(at + 4 * MB - 1)));
	EXPECT(other == h[1]);
	RETURNS(0, cuMemGetAllocationPropertiesFromHandle(&p, other));
	EXPECT(p.type == PINNED && p.location.type == DEVICE && !p.location.id && !p.compression);
	RETURNS(0, cuMemRelease(other));
	RETURNS(INVALID_VALUE, cuMemUnmap(at + 2 * MB, MB));
	RETURNS(0, cuMemUnmap(at + 2 * MB, 2 * MB));
	EXPECT(left() == before - 4 * MB);
	RETURNS(INVALID_VALUE, cuMemcpyDtoH_v2(words, at + 2 * MB, 4));
	EXPECT(word(at) == 1 && word(at + 4 * MB) == 3);
	RETURNS(0, cuMemUnmap(at, 2 * MB));
	RETURNS(0, cuMemUnmap(at + 4 * MB, 2 * MB));
	RETURNS(INVALID_VALUE, cuMemAddressFree(at, 32 * MB));
	RETURNS(0, cuMemAddressFree(at, 64 * MB));
	RETURNS(INVALID_VALUE, cuMemAddressFree(at, 64 * MB));
	EXPECT(left() == before);
}

/* What a handle's memory holds is there where it is mapped next, and when it may be accessed again. New memory holds zeros. */
static void moving(void)
{
	uint64_t h, g;
	ptr a, b;
	RETURNS(0, cuMemAddressReserve(&a, 4 * MB, 0, 0, 0));
	RETURNS(0, cuMemAddressReserve(&b, 4 * MB, 0, 0, 0));
	RETURNS(0, cuMemCreate(&h, 4 * MB, &of_device, 0));
	RETURNS(0, cuMemMap(a, 4 * MB, 0, h, 0));
	RETURNS(0, cuMemSetAccess(a, 4 * MB, &read_write, 1));
	RETURNS(0, cuMemsetD32_v2(a + 3 * MB, 7, 32));
	RETURNS(0, launch(a + 3 * MB, 1));
	RETURNS(0, cuMemSetAccess(a, 4 * MB, &no_access, 1));
	RETURNS(INVALID_VALUE, cuMemsetD32_v2(a, 7, 32));
	RETURNS(0, cuMemSetAccess(a, 4 * MB, &read_write, 1));
	EXPECT(word(a + 3 * MB) == 8 && word(a) == 0);
	RETURNS(0, cuMemUnmap(a, 4 * MB));
	RETURNS(0, cuMemMap(b, 4 * MB, 0, h, 0));
	RETURNS(0, cuMemSetAccess(b, 4 * MB, &read_write, 1));
	EXPECT(word(b + 3 * MB + 124) == 8 && word(b + 3 * MB + 128) == 0);
	RETURNS(0, cuMemCreate(&g, 4 * MB, &of_device, 0));
	RETURNS(0, cuMemMap(a, 4 * MB, 0, g, 0));
	RETURNS(0, cuMemSetAccess(a, 4 * MB, &read_write, 1));
	EXPECT(word(a + 3 * MB) == 0);
}

/* What may only be read is copied from, not to; it holds what it held. */
static void only_reading(void)
{
	const struct access wrong = {{DEVICE, 0}, 2};
	unsigned long long flags;
	unsigned value = 9;
	uint64_t h;
	ptr a;
	RETURNS(0, cuMemAddressReserve(&a, 4 * MB, 0, 0, 0));
	RETURNS(0, cuMemCreate(&h, 2 * MB, &of_device, 0));
	RETURNS(0, cuMemMap(a, 2 * MB, 0, h, 0));
	RETURNS(INVALID_VALUE, cuMemSetAccess(a, 2 * MB, &wrong, 1));
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &read_only, 1)); /* from the beginning */
	EXPECT(word(a) == 0);
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &read_write, 1));
	RETURNS(0, cuMemsetD32_v2(a, 7, 32));
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &read_only, 1));
	RETURNS(0, cuMemGetAccess(&flags, &read_write.location, a + MB));
	EXPECT(flags == READ && word(a) == 7);
	RETURNS(INVALID_VALUE, cuMemsetD32_v2(a, 8, 32));
	RETURNS(INVALID_VALUE, cuMemcpyHtoD_v2(a, &value, 4));
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &no_access, 1));
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &read_only, 1));
	EXPECT(word(a) == 7);
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &read_write, 1));
	RETURNS(0, launch(a, 1));
	EXPECT(word(a) == 8);
	RETURNS(0, cuMemSetAccess(a, 2 * MB, &read_only, 1));
	RETURNS(0, cuMemUnmap(a, 2 * MB));
	RETURNS(0, cuMemRelease(h));
	RETURNS(0, cuMemAddressFree(a, 4 * MB));
}

/* The second part has been taken away, or may only be read. */
static void wrong(const char *what)
{
	uint64_t h;
	ptr a;
	RETURNS(0, cuMemAddressReserve(&a, 8 * MB, 0, 0, 0));
	for (int k = 0; k < 2; k++) {
		RETURNS(0, cuMemCreate(&h, 2 * MB, &of_device, 0));
		RETURNS(0, cuMemMap(a + (ptr)k * 2 * MB, 2 * MB, 0, h, 0));
		RETURNS(0, cuMemRelease(h));
	}
	RETURNS(0, cuMemSetAccess(a, 4 * MB, &read_write, 1));
	RETURNS(0, cuMemsetD32_v2(a, 1, MB));
	RETURNS(0, launch(a + 2 * MB - 64, 5));
	RETURNS(0, launch(a + 2 * MB - 64, 6));
	if (!strcmp(what, "unmapped"))
		RETURNS(0, cuMemUnmap(a + 2 * MB, 2 * MB));
	else
		RETURNS(0, cuMemSetAccess(a + 2 * MB, 2 * MB, &read_only, 1));
	printf("%u, then ", word(a + 2 * MB - 4));
	printf("%d\n", launch(a + 2 * MB - 64, 7));
}

int main(int argc, char **argv)
{
	void *context, *module;
	RETURNS(0, cuInit(0));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	RETURNS(0, cuModuleLoad(&module, "streams.ptx"));
	RETURNS(0, cuModuleGetFunction(&add, module, "add"));
	if (argc > 1) {
		wrong(argv[1]);
		return 0;
	}
	asking();
	growing();
	moving();
	only_reading();
	if (!failures)
		puts("PASSED");
	return failures != 0;
}

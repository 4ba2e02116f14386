/* Memory of one handle mapped at several addresses: `aliases` checks it; `aliases WHAT` does what a debugger is to look at: `read` writes where it may only read, `gone` where nothing is
 * mapped any more, `race` writes a word from two blocks by two addresses, `clean` only what is right, `move` has the memory go from one address to another between launches. */
#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "virtual.h"

static void *module;

static size_t left(void)
{
	size_t n, all;
	RETURNS(0, cuMemGetInfo_v2(&n, &all));
	return n;
}

static int launch(const char *name, unsigned blocks, unsigned threads, void **args)
{
	void *f;
	RETURNS(0, cuModuleGetFunction(&f, module, name));
	const int error = cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, 0, NULL, args, NULL);
	return error ? error : cuCtxSynchronize();
}

static unsigned word(ptr p)
{
	unsigned value = 0;
	RETURNS(0, cuMemcpyDtoH_v2(&value, p, sizeof value));
	return value;
}

static void put(ptr p, unsigned value) { RETURNS(0, cuMemcpyHtoD_v2(p, &value, sizeof value)); }

/* A range of two halves. */
static ptr reserve(size_t half)
{
	ptr p;
	RETURNS(0, cuMemAddressReserve(&p, 2 * half, 0, 0, 0));
	return p;
}

static void map(ptr p, size_t bytes, uint64_t handle, const struct access *a)
{
	RETURNS(0, cuMemMap(p, bytes, 0, handle, 0));
	RETURNS(0, cuMemSetAccess(p, bytes, a, 1));
}

/* The same memory twice, one behind the other: what runs over the end comes to the beginning. */
static ptr ring(size_t half)
{
	const ptr p = reserve(half);
	uint64_t h;
	RETURNS(0, cuMemCreate(&h, half, &of_device, 0));
	map(p, half, h, &read_write);
	map(p + half, half, h, &read_write);
	RETURNS(0, cuMemRelease(h));
	return p;
}

static void drop(ptr p, size_t half)
{
	RETURNS(0, cuMemUnmap(p, 2 * half));
	RETURNS(0, cuMemAddressFree(p, 2 * half));
}

static void rings(void)
{
	enum { WORDS = 3 << 18 };
	static unsigned words[WORDS], got[WORDS];
	const size_t half = 2 * MB, before = left();
	const ptr p = ring(half), over = p + half - 256;
	ptr base;
	size_t n;
	unsigned first = 500;
	EXPECT(left() == before - half);
	RETURNS(0, cuMemGetAddressRange_v2(&base, &n, p + half + 5));
	EXPECT(base == p + half && n == half);
	/* copies over the end, the last word by both ends */
	for (unsigned k = 0; k < WORDS; k++)
		words[k] = k;
	RETURNS(0, cuMemcpyHtoD_v2(p + MB, words, half));
	EXPECT(word(p + MB) == 0 && word(p) == MB / 4 && word(p + half) == MB / 4 && word(p + half + MB) == 0 && word(p + 2 * half - 4) == MB / 4 - 1);
	RETURNS(0, cuMemcpyDtoH_v2(got, p + MB, sizeof got));
	EXPECT(!memcmp(got, words, half) && !memcmp(got + half / 4, words, MB));
	RETURNS(INVALID_VALUE, cuMemcpyHtoD_v2(p + half, words, half + 4));
	RETURNS(0, cuMemsetD32_v2(over, 7, 128));
	EXPECT(word(p) == 7 && word(p + 252) == 7 && word(p + 256) == MB / 4 + 64 && word(over) == 7);
	RETURNS(0, cuMemcpyDtoD_v2(p + MB, over, 512));
	EXPECT(word(p + MB) == 7 && word(p + half + MB + 508) == 7 && word(p + MB + 512) == 128);
	/* kernels */
	RETURNS(0, launch("stream", 1, 32, (void *[]){(void *)&over, &first}));
	EXPECT(word(over) == 500 && word(p) == 564 && word(p + 252) == 627 && word(over + 508) == 627);
	const ptr a = p + 4096, b = p + half + 4096;
	RETURNS(0, cuMemsetD32_v2(a, 0, 64));
	RETURNS(0, launch("count", 4, 64, (void *[]){(void *)&a}));
	RETURNS(0, launch("count", 4, 64, (void *[]){(void *)&b}));
	EXPECT(word(a) == 512 && word(b) == 512);
	RETURNS(0, launch("both", 1, 64, (void *[]){(void *)&a, (void *)&b}));
	for (unsigned k = 0; k < 64; k++)
		EXPECT(word(a + 4 * k) == 100 + k);
	const ptr to = a + 1024;
	RETURNS(0, launch("copy_words", 1, 64, (void *[]){(void *)&to, (void *)&b}));
	EXPECT(word(b + 1024 + 4 * 63) == 163);
	drop(p, half);
	EXPECT(left() == before);
}

/* Each mapping has an access of its own; the memory is there as long as one has any, and what it holds longer. */
static void accesses(void)
{
	const size_t half = 4 * MB;
	const ptr p = ring(half), q = p + half;
	unsigned long long flags;
	unsigned value = 3;
	put(p + 3 * MB, 1);
	RETURNS(0, cuMemSetAccess(q, half, &read_only, 1));
	RETURNS(0, cuMemGetAccess(&flags, &read_write.location, q));
	EXPECT(flags == READ && word(q + 3 * MB) == 1);
	RETURNS(0, cuMemGetAccess(&flags, &read_write.location, p));
	EXPECT(flags == READ_WRITE);
	RETURNS(INVALID_VALUE, cuMemcpyHtoD_v2(q, &value, 4));
	RETURNS(INVALID_VALUE, cuMemsetD32_v2(q - 4, 3, 2));
	RETURNS(0, cuMemSetAccess(p, half, &read_only, 1));
	RETURNS(0, cuMemSetAccess(q, half, &read_write, 1)); /* only the second may be written */
	put(q + 4, 5);
	RETURNS(INVALID_VALUE, cuMemcpyHtoD_v2(p, &value, 4));
	EXPECT(word(p + 4) == 5);
	RETURNS(0, cuMemSetAccess(p, half, &no_access, 1));
	RETURNS(INVALID_VALUE, cuMemcpyDtoH_v2(&value, p, 4));
	EXPECT(word(q + 3 * MB) == 1 && word(q + 4) == 5);
	put(q, 6);
	RETURNS(0, cuMemSetAccess(q, half, &no_access, 1));
	RETURNS(0, cuMemSetAccess(p, half, &read_write, 1));
	EXPECT(word(p + 3 * MB) == 1 && word(p) == 6 && word(p + 4) == 5 && word(p + 8) == 0);
	drop(p, half);
}

/* Unmapped in any order, and mappings that are longer than others. */
static void orders(void)
{
	const size_t before = left();
	const ptr p = reserve(8 * MB);
	uint64_t h, same;
	RETURNS(0, cuMemCreate(&h, 4 * MB, &of_device, 0));
	map(p, 2 * MB, h, &read_write);
	put(p, 1);
	map(p + 4 * MB, 4 * MB, h, &read_write);
	put(p + 7 * MB, 2);
	EXPECT(word(p + 4 * MB) == 1 && word(p) == 1);
	map(p + 8 * MB, 4 * MB, h, &read_only);
	EXPECT(word(p + 8 * MB) == 1 && word(p + 11 * MB) == 2);
	put(p, 3);
	RETURNS(0, cuMemUnmap(p + 4 * MB, 4 * MB));
	EXPECT(word(p) == 3 && word(p + 8 * MB) == 3 && word(p + 11 * MB) == 2);
	put(p, 4);
	RETURNS(0, cuMemUnmap(p + 8 * MB, 4 * MB)); /* the second half has no place any more */
	EXPECT(word(p) == 4);
	RETURNS(0, cuMemRetainAllocationHandle(&same, (void *)(uintptr_t)p));
	EXPECT(same == h && left() == before - 4 * MB);
	RETURNS(0, cuMemUnmap(p, 2 * MB));
	map(p + 4 * MB, 4 * MB, h, &read_write);
	EXPECT(word(p + 4 * MB) == 4 && word(p + 7 * MB) == 2);
	RETURNS(0, cuMemRelease(h));
	RETURNS(0, cuMemRelease(h));
	RETURNS(0, cuMemUnmap(p + 4 * MB, 4 * MB));
	RETURNS(0, cuMemAddressFree(p, 16 * MB));
	EXPECT(left() == before);
}

/* One piece of memory, two mappings. */
static void pointers(void)
{
	enum { HANDLE_TYPES = 14, ACCESS_FLAGS = 16, MAPPING_BASE = 19, BLOCK_ID = 20 };
	struct properties lendable = of_device;
	const ptr p = ring(2 * MB), q = p + 2 * MB, lent = reserve(2 * MB);
	uint64_t block = 0, same = 1, base = 0, handles = 7, h;
	unsigned flags = 0;
	RETURNS(0, cuMemSetAccess(q, 2 * MB, &read_only, 1));
	RETURNS(0, cuPointerGetAttribute(&block, BLOCK_ID, p + 8));
	RETURNS(0, cuPointerGetAttribute(&same, BLOCK_ID, q + 16));
	RETURNS(0, cuPointerGetAttribute(&base, MAPPING_BASE, q + 16));
	RETURNS(0, cuPointerGetAttribute(&flags, ACCESS_FLAGS, q + 16));
	RETURNS(0, cuPointerGetAttribute(&handles, HANDLE_TYPES, p));
	EXPECT(block == same && base == q && flags == READ && handles == 0);
	lendable.handles = 1;
	RETURNS(0, cuMemCreate(&h, 2 * MB, &lendable, 0));
	map(lent, 2 * MB, h, &read_write);
	RETURNS(0, cuPointerGetAttribute(&handles, HANDLE_TYPES, lent + 4));
	RETURNS(0, cuPointerGetAttribute(&flags, ACCESS_FLAGS, lent + 4));
	RETURNS(0, cuPointerGetAttribute(&same, BLOCK_ID, lent + 4));
	EXPECT(handles == 1 && flags == READ_WRITE && same != block);
	RETURNS(0, cuMemUnmap(lent, 2 * MB));
	RETURNS(0, cuMemRelease(h));
	RETURNS(0, cuMemAddressFree(lent, 4 * MB));
	drop(p, 2 * MB);
}

static void look(const char *what)
{
	const size_t half = 2 * MB;
	const ptr p = ring(half), q = p + half, from = p + 64;
	RETURNS(0, cuMemsetD32_v2(p, 1, 64));
	RETURNS(0, launch("count", 1, 32, (void *[]){(void *)&q}));
	if (!strcmp(what, "race"))
		RETURNS(0, launch("race", 2, 32, (void *[]){(void *)&p, (void *)&q}));
	if (!strcmp(what, "read"))
		RETURNS(0, cuMemSetAccess(q, half, &read_only, 1));
	if (!strcmp(what, "gone"))
		RETURNS(0, cuMemUnmap(q, half));
	if (!strcmp(what, "move"))
		RETURNS(0, cuMemSetAccess(p, half, &no_access, 1));
	printf("%u, then ", word(!strcmp(what, "move") ? q : p));
	if (strcmp(what, "move"))
		RETURNS(0, launch("copy_words", 1, 8, (void *[]){(void *)&p, (void *)&from}));
	printf("%d\n", launch("count", 1, 32, (void *[]){(void *)&q}));
}

int main(int argc, char **argv)
{
	void *context;
	RETURNS(0, cuInit(0));
	RETURNS(0, cuCtxCreate_v2(&context, 0, 0));
	RETURNS(0, cuModuleLoad(&module, "aliases.ptx"));
	if (argc > 1) {
		look(argv[1]);
		return 0;
	}
	rings();
	accesses();
	orders();
	pointers();
	if (!failures)
		puts("PASSED");
	return failures != 0;
}

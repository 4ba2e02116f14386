/* Another process' memory: large copies, by two threads, and those that can't be done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/channel/process_memory.h"

#define BYTES (((uint64_t)24 << 20) + 5)
#define HOLE ((uint64_t)20 << 20)

static unsigned char *pages(uint64_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(p != MAP_FAILED);
	return p;
}

static void fill(unsigned char *p, uint64_t n, unsigned seed)
{
	for (uint64_t k = 0; k < n; k++)
		p[k] = (unsigned char)((k * 2654435761u + seed) >> 13);
}

/* Every size: a byte, below and above what is large, no whole number of pieces. Nothing behind the end is changed. */
static void large_copies(void **state)
{
	(void)state;
	static const uint64_t size[] = {1, 4097, (16 << 20) - 1, 16 << 20, BYTES};
	unsigned char *its = pages(BYTES + 1), *mine = pages(BYTES + 1);
	for (unsigned k = 0; k < sizeof size / sizeof *size; k++)
		for (int writes = 0; writes < 2; writes++) {
			const uint64_t n = size[k];
			fill(its, n, k);
			fill(mine, n, k + 77);
			its[n] = 1;
			mine[n] = 2;
			const unsigned char first = writes ? mine[0] : its[0], last = writes ? mine[n - 1] : its[n - 1];
			assert_true(process_memory_copy(getpid(), (uintptr_t)its, (char *)mine, n, writes));
			assert_memory_equal(its, mine, n);
			assert_true(its[0] == first && its[n - 1] == last && its[n] == 1 && mine[n] == 2);
		}
	munmap(its, BYTES + 1);
	munmap(mine, BYTES + 1);
}

static void holes_are_noticed(void **state)
{
	(void)state;
	unsigned char *its = pages(BYTES), *mine = pages(BYTES);
	munmap(its + HOLE, 4096);
	for (int k = 0; k < 6; k++) {
		assert_false(process_memory_copy(getpid(), (uintptr_t)its, (char *)mine, BYTES, k & 1));
		assert_true(process_memory_copy(getpid(), (uintptr_t)its, (char *)mine, HOLE, k & 1));
	}
	munmap(its, HOLE);
	munmap(its + HOLE + 4096, BYTES - HOLE - 4096);
	munmap(mine, BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(large_copies), cmocka_unit_test(holes_are_noticed)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

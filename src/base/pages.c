#include "base/pages.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE (UINT64_C(4) << 10)
#define LARGE_PAGE (UINT64_C(2) << 20) /* of x86-64, and of aarch64 with pages of 4 KB */

static void *map(uint64_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void *pages_reserve(uint64_t bytes)
{
	if (bytes > SIZE_MAX - LARGE_PAGE - PAGE) /* of hosts with 32 bits */
		return NULL;
	bytes = (bytes + PAGE - 1) & ~(PAGE - 1);
	char *p = map(bytes + LARGE_PAGE, MAP_NORESERVE);
	if (!p)
		return NULL;
	const uint64_t before = -(uint64_t)(uintptr_t)p & (LARGE_PAGE - 1), after = LARGE_PAGE - before;
	if (before)
		munmap(p, before);
	if (after)
		munmap(p + before + bytes, after);
	return p + before;
}

void *pages_take(uint64_t bytes) { return map(bytes, 0); }

void *pages_grow(void *p, uint64_t bytes, uint64_t more)
{
	void *at = mremap(p, bytes, more, MREMAP_MAYMOVE);
	return at == MAP_FAILED ? NULL : at;
}

void pages_drop(void *p, uint64_t bytes)
{
	/* anonymous private pages read as zero after this; if the host refuses, clear by hand */
	if (madvise(p, bytes, MADV_DONTNEED))
		memset(p, 0, bytes);
}

void pages_zero(void *p, uint64_t bytes)
{
	if (madvise(p, bytes, MADV_REMOVE)) /* it is no file's */
		pages_drop(p, bytes);
}

void pages_free(void *p, uint64_t bytes)
{
	if (p)
		munmap(p, bytes);
}

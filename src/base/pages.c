#include "base/pages.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

static void *map(uint64_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

void *pages_reserve(uint64_t bytes) { return map(bytes, MAP_NORESERVE); }

void *pages_take(uint64_t bytes) { return map(bytes, 0); }

void pages_drop(void *p, uint64_t bytes)
{
	/* anonymous private pages read as zero after this; if the host refuses, clear by hand */
	if (madvise(p, bytes, MADV_DONTNEED))
		memset(p, 0, bytes);
}

void pages_free(void *p, uint64_t bytes)
{
	if (p)
		munmap(p, bytes);
}

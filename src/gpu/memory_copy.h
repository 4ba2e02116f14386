/* A copy of what device memory holds, to repeat a launch with the memory it had.
 *
 * Contents only: what has been allocated since stays, and keeps its contents; what has been freed since stays freed. Pages never
 * written take no room. The caches of the performance model know nothing of it, as they hold no values. */
#ifndef GPU_MEMORY_COPY_H
#define GPU_MEMORY_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

/* Neighbouring bytes of one allocation: on pages that were written (their bytes at `at` of the copy), or zeros. */
struct gpu_memory_piece {
	uint64_t address, bytes, at;
	bool zero;
};

struct gpu_memory_copy {
	struct gpu_memory_piece *pieces; /* every allocation that was live, by address */
	size_t n, cap;
	unsigned char *bytes;
	uint64_t n_bytes, cap_bytes;
};

/* Copies what is there now over what the copy held (zeroed: nothing). False, with an empty copy, if that is more than `most` bytes. */
bool gpu_memory_copy_take(struct gpu_memory_copy *c, const struct gpu *g, uint64_t most);
/* Writes it back. */
void gpu_memory_copy_put_back(const struct gpu_memory_copy *c, struct gpu *g);
void gpu_memory_copy_free(struct gpu_memory_copy *c);

#endif

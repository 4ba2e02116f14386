/* Calls that are answered at once and done when their turn in a stream comes. */
#ifndef CUDA_STREAM_LATER_H
#define CUDA_STREAM_LATER_H

#include "cuda/internal.h"

struct cuda_later *later_create(void);
void later_free(struct cuda_later *l);
void later_forget(struct cuda *c, uint32_t context); /* it was emptied, or all were: GPU_EVERY_CONTEXT */

#define CUDA_LATER (UINT32_MAX - 1) /* it has been kept: the handler returns 0 */

/* What is read of the program's memory at once, so that it may change it: `bytes` 0: nothing. */
struct later_source {
	uint64_t address, bytes;
	bool always; /* kept even if the device is idle */
};
/* 0: it is to be done now; CUDA_LATER, or an error. */
uint32_t later_keep(struct cuda_call *c, uint64_t stream, const struct later_source *source);
/* So much can still be read ahead. */
bool later_may_read(const struct cuda *c, uint64_t bytes);

enum later_turn { LATER_UNKNOWN, LATER_DONE, LATER_UNDER_WAY };
enum later_turn later_do(struct cuda *c, uint64_t tag);
/* The program calls a function, or is to: until that is over the device stands. */
bool later_calls(const struct cuda *c);

#endif

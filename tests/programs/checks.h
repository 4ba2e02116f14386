/* For programs that check what calls return: fixture.h, more of the runtime's calls, one line a check that fails. */
#ifndef CHECKS_H
#define CHECKS_H

#include "fixture.h"

typedef void *event_t;

int cudaPeekAtLastError(void);
const char *cudaGetErrorName(int error);
int cudaSetDevice(int device);
int cudaStreamCreate(cudaStream_t *s);
int cudaStreamDestroy(cudaStream_t s);
int cudaStreamSynchronize(cudaStream_t s);
int cudaEventCreate(event_t *e);
int cudaEventDestroy(event_t e);
int cudaEventRecord(event_t e, cudaStream_t s);
int cudaEventSynchronize(event_t e);

#define ARGUMENTS(...) ((void *[]){__VA_ARGS__, NULL})
static inline int launch(const void *kernel, unsigned grid, unsigned block, size_t shared, cudaStream_t stream, void **arguments)
{
	return cudaLaunchKernel(kernel, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, arguments, shared, stream);
}

static int failures;
#define EXPECT(condition) \
	do { \
		if (!(condition)) \
			failures++, printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
	} while (0)
#define RETURNS(error, call) \
	do { \
		const int is_ = (call); \
		if (is_ != (error)) \
			failures++, printf("%s:%d: %s: %d %s, wanted %d\n", __FILE__, __LINE__, #call, is_, cudaGetErrorName(is_), error); \
	} while (0)

#endif

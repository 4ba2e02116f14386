/* For programs that check what calls return: fixture.h, more of the runtime's calls, checks (expect.h), a kernel that can be used in a line. */
#ifndef CHECKS_H
#define CHECKS_H

#include "expect.h"
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
static inline int launch(const void *kernel, unsigned grid, unsigned block, size_t shared, cudaStream_t stream,
			 void **arguments)
{
	return cudaLaunchKernel(kernel, (dim3){grid, 1, 1}, (dim3){block, 1, 1}, arguments, shared, stream);
}

/* `fill` of kernels.ptx once, its result copied back. Returns an error of CUDA's, 99 for a wrong result. */
static inline int use_kernel(const void *fill)
{
	int h[64] = {0}, *a, seven = 7, n = 64, error = cudaMalloc((void **)&a, sizeof h);
	if (!error)
		error = launch(fill, 1, 64, 0, NULL, ARGUMENTS(&a, &seven, &n));
	if (!error)
		error = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
	if (!error)
		error = cudaFree(a);
	return error ? error : h[63] == 70 ? 0 : 99;
}

#endif

/* Limits that a program sets are its own: a reset of the device, or the next run, finds what they were. Those of what a kernel uses can't be set when it
 * has been launched. Memory of the three kinds. */
#include "checks.h"

int cudaDeviceGetLimit(size_t *value, int limit);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaMallocHost(void **p, size_t n);
int cudaMallocManaged(void **p, size_t n, unsigned flags);
enum { STACK, PRINTF_FIFO, MALLOC_HEAP, INVALID_VALUE = 1 };

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
KERNEL(say, "say")
KERNEL(own, "own")

static size_t heap(void)
{
	size_t n = 0;
	RETURNS(0, cudaDeviceGetLimit(&n, MALLOC_HEAP));
	return n;
}

/* CUDA Runtime API, cudaDeviceSetLimit: cudaErrorInvalidValue after a kernel that calls printf, or malloc. */
static void set_late(void)
{
	uint64_t *p;
	int n = 1;
	size_t fifo = 0;
	RETURNS(0, use_kernel(fill));
	RETURNS(0, cudaDeviceSetLimit(PRINTF_FIFO, 2 << 20));
	RETURNS(0, launch(say, 1, 1, 0, NULL, ARGUMENTS(&n)));
	RETURNS(INVALID_VALUE, cudaDeviceSetLimit(PRINTF_FIFO, 3 << 20));
	RETURNS(0, cudaDeviceGetLimit(&fifo, PRINTF_FIFO));
	EXPECT(fifo == 2 << 20);
	RETURNS(0, cudaDeviceSetLimit(MALLOC_HEAP, 24 << 20));
	RETURNS(0, cudaMalloc((void **)&p, 64 * sizeof *p));
	RETURNS(0, launch(own, 1, 1, 0, NULL, ARGUMENTS(&p)));
	RETURNS(INVALID_VALUE, cudaDeviceSetLimit(MALLOC_HEAP, 24 << 20));
	RETURNS(0, cudaDeviceSetLimit(STACK, 2048));
	RETURNS(0, cudaDeviceReset());
	RETURNS(0, cudaDeviceSetLimit(PRINTF_FIFO, 3 << 20));
	RETURNS(0, cudaDeviceSetLimit(MALLOC_HEAP, 24 << 20));
	RETURNS(0, cudaDeviceReset());
}

int main(void)
{
	void *p;
	set_late();
	EXPECT(heap() == 8 << 20); /* CUDA's default */
	RETURNS(0, cudaDeviceSetLimit(MALLOC_HEAP, 32 << 20));
	EXPECT(heap() == 32 << 20);
	RETURNS(0, cudaDeviceReset());
	EXPECT(heap() == 8 << 20);
	RETURNS(0, cudaDeviceSetLimit(MALLOC_HEAP, 16 << 20));
	RETURNS(0, cudaMalloc(&p, 100));
	RETURNS(0, cudaMallocHost(&p, 200));
	RETURNS(0, cudaMallocManaged(&p, 300, 1));
	return verdict();
}

/* Limits that a program sets are its own: a reset of the device, or the next run, finds what they were. Memory of the three kinds. */
#include "checks.h"

int cudaDeviceGetLimit(size_t *value, int limit);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaMallocHost(void **p, size_t n);
int cudaMallocManaged(void **p, size_t n, unsigned flags);
enum { MALLOC_HEAP = 2 };

static size_t heap(void)
{
	size_t n = 0;
	RETURNS(0, cudaDeviceGetLimit(&n, MALLOC_HEAP));
	return n;
}

int main(void)
{
	void *p;
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

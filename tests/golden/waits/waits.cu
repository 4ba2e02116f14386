/* Blocks and warps that wait for each other, each in another way. nvcc -arch=sm_75 -ptx */
#include <cooperative_groups.h>
#include <cuda/latch>
#include <cuda/semaphore>

/* n barriers of a cooperative grid, a sum over all blocks between each two of them */
extern "C" __global__ void grid_barriers(unsigned *sums, int n)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	for (int k = 0; k < n; k++) {
		if (!threadIdx.x)
			atomicAdd(&sums[k], 1);
		grid.sync();
		if (!threadIdx.x && *(volatile unsigned *)&sums[k] != gridDim.x)
			atomicAdd(&sums[n], 1);
	}
}

/* A token goes round the blocks, n times */
extern "C" __global__ void token(volatile int *at, int n)
{
	for (int k = 0; k < n; k++) {
		const int want = k * (int)gridDim.x + (int)blockIdx.x;
		while (*at != want)
			;
		*at = want + 1;
	}
}

/* Each block waits until all have arrived. */
extern "C" __global__ void wait_latch(cuda::latch<cuda::thread_scope_device> *l, int *out)
{
	if (!threadIdx.x)
		l->arrive_and_wait();
	__syncthreads();
	atomicAdd(out, 1);
}
extern "C" __global__ void make_latch(cuda::latch<cuda::thread_scope_device> *l, int n) { new (l) cuda::latch<cuda::thread_scope_device>(n); }

typedef cuda::counting_semaphore<cuda::thread_scope_device, 64> semaphore;
typedef cuda::binary_semaphore<cuda::thread_scope_device> binary;
extern "C" __global__ void make_semaphore(semaphore *s, binary *b) { new (s) semaphore(0); new (b) binary(1); }
/* block 0 releases once it has seen that all the others ask for it; one after the other adds to a sum without an atomic */
extern "C" __global__ void wait_semaphore(semaphore *s, binary *b, unsigned *asked, int *sum)
{
	if (threadIdx.x)
		return;
	if (!blockIdx.x) {
		while (*(volatile unsigned *)asked + 1 < gridDim.x)
			__nanosleep(100);
		for (unsigned k = 1; k < gridDim.x; k++)
			s->release();
		return;
	}
	atomicAdd(asked, 1);
	s->acquire();
	b->acquire();
	*sum = *sum + 1;
	b->release();
}

/* A lock taken with growing pauses */
extern "C" __global__ void sleep_lock(int *lock, int *sum)
{
	if (threadIdx.x)
		return;
	unsigned ns = 8;
	while (atomicCAS(lock, 0, 1)) {
		__nanosleep(ns);
		ns *= 2;
	}
	*(volatile int *)sum = *(volatile int *)sum + 1;
	__threadfence();
	atomicExch(lock, 0);
}

/* Each block waits for the one after it, and lets time go by between two looks */
extern "C" __global__ void clock_chain(volatile int *done)
{
	if (threadIdx.x)
		return;
	unsigned n = 0;
	if (blockIdx.x + 1 < gridDim.x)
		while (!done[blockIdx.x + 1]) {
			const long long from = clock64();
			while (clock64() - from < 40 + (n & 63))
				;
			n++;
		}
	done[blockIdx.x] = 1;
}

/* As LonestarGPU's SortKernel: a cell's place is known once its parent's is. Cell k has the children 2k+1 and 2k+2; the last thread begins with the root. */
extern "C" __global__ void place_cells(int n, volatile int *start, const int *count)
{
	const int step = (int)(gridDim.x * blockDim.x);
	int k = step - 1 - (int)(threadIdx.x + blockIdx.x * blockDim.x);
	while (k < n) {
		const int at = start[k];
		if (at >= 0) {
			int next = at + 1;
			for (int c = 2 * k + 1; c <= 2 * k + 2; c++)
				if (c < n) {
					start[c] = next;
					next += count[c];
				}
			k += step;
		}
	}
}
extern "C" __global__ void count_cells(int n, int *start, int *count)
{
	for (int k = n - 1; k >= 0; k--) {
		count[k] = 1 + (2 * k + 1 < n ? count[2 * k + 1] : 0) + (2 * k + 2 < n ? count[2 * k + 2] : 0);
		start[k] = k ? -1 : 0;
	}
}

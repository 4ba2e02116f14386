/* Kernels for programs that are built without a toolkit (registered.h); kernels.ptx is nvcc's -ptx of this. */
#include <stdio.h>

extern "C" {

__device__ int counter = 5;
__constant__ int factor[4];

__global__ void fill(int *a, int value, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = value + i;
}

__global__ void scale(int *a, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] *= factor[i % 4];
}

__global__ void count() { atomicAdd(&counter, 1); }

__global__ void empty() {}

/* 42 to any address, right or wrong */
__global__ void poke(int *a) { *a = 42; }

__global__ void say(int n)
{
	if (threadIdx.x == 0)
		printf("block %d says %d\n", blockIdx.x, n);
}

__global__ void forever(volatile int *a)
{
	while (*a == 0)
		;
}

/* all add to what the host adds to at the same time */
__global__ void tally(unsigned *a, int n)
{
	for (int i = 0; i < n; i++) {
		atomicAdd_system(&a[0], 1u);
		atomicInc_system(&a[1], 0xffffffffu);
		atomicAdd_system((unsigned long long *)&a[2], 1ull << 20);
		atomicAdd_system((float *)&a[4], 1.0f);
	}
}

/* Memory of the kernels' own heap, and where it is. */
__global__ void own(int **at)
{
	*at = (int *)malloc(sizeof **at);
	**at = 7;
}
}

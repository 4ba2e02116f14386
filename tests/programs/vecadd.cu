#include <cstdio>

__constant__ float offset[4];

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i] + offset[1];
}

__global__ void hello(int n)
{
	if (threadIdx.x < n)
		printf("hello from %d\n", threadIdx.x);
}

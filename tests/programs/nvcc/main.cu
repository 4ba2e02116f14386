// Linked device code (nvcc -rdc=true): kernels, functions and variables of three units.
#include "units.h"
static __device__ int calls; // one in each unit
__global__ void first(int *p) { *p = plus<1>(twice(*p)) * factor + offset; calls++; }
int main()
{
	int *p, v = 10, n = 0;
	cudaMalloc(&p, sizeof v);
	cudaMemcpy(p, &v, sizeof v, cudaMemcpyHostToDevice);
	first<<<1, 1>>>(p);
	cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
	printf("first: %d\n", v);
	v = 5;
	cudaMemcpyToSymbol(offset, &v, sizeof v);
	v = 10;
	cudaMemcpy(p, &v, sizeof v, cudaMemcpyHostToDevice);
	second<<<1, 1>>>(p);
	cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
	cudaMemcpyFromSymbol(&n, calls, sizeof n);
	printf("second: %d, calls %d: %s\n", v, n, cudaGetErrorString(cudaGetLastError()));
}

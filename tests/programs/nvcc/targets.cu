// PTX for several targets in one program: the kernel says for which one it was compiled.
#include <cstdio>
__global__ void target(int *p)
{
#ifdef __CUDA_ARCH__
	*p = __CUDA_ARCH__;
#endif
}
int main()
{
	int *p, v = 0;
	cudaMalloc(&p, sizeof v);
	target<<<1, 1>>>(p);
	cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
	printf("%d: %s\n", v, cudaGetErrorString(cudaGetLastError()));
}

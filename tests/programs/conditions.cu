// Kernels of graph_conditions.c: they decide what a graph does next. (nvcc -rdc=true -arch=compute_75 -ptx)
#include <cuda_runtime.h>

extern "C" __global__ void decide(const unsigned *p, cudaGraphConditionalHandle condition)
{
	if (!threadIdx.x)
		cudaGraphSetConditional(condition, *p);
}

extern "C" __global__ void count_down(unsigned *p, cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, --*p); }

extern "C" __global__ void add(unsigned *p, unsigned n) { *p += n; }

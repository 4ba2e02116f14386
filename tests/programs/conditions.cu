// Kernels of graph_conditions.c: they decide what a graph does next. (nvcc -rdc=true -arch=compute_75 -ptx)
#include <cuda_runtime.h>

extern "C" __global__ void decide(const unsigned *p, cudaGraphConditionalHandle condition)
{
	if (!threadIdx.x)
		cudaGraphSetConditional(condition, *p);
}

extern "C" __global__ void count_down(unsigned *p, cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, --*p); }

extern "C" __global__ void add(unsigned *p, unsigned n) { *p += n; }

// `plus` and those of the others that are named, by bits
extern "C" __global__ void gather(unsigned *to, const unsigned *all, unsigned long long others, unsigned plus)
{
	unsigned sum = plus;
	for (unsigned k = 0; k < 64; k++)
		if (others >> k & 1)
			sum += all[k];
	*to = sum;
}

extern "C" __global__ void ask_odd(const unsigned *p, cudaGraphConditionalHandle condition) { cudaGraphSetConditional(condition, *p & 1); }

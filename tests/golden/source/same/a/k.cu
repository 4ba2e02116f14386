// PTX: nvcc -G -arch=sm_75 -ptx a/k.cu, folders above a taken out of its .file lines; b likewise
#include "op.cuh"
static __device__ __noinline__ int common(int v) { return v; }
extern "C" __global__ void ka(int *o)
{
	o[threadIdx.x] = op_a(common(threadIdx.x));
}

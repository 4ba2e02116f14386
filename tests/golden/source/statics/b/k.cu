#include "op.cuh"
static __device__ int counter = 20;
static __device__ int only_b = 2;
static __constant__ int cfg = 6;
extern "C" __global__ void kb(int *out)
{
	static __shared__ int tile[4];
	tile[threadIdx.x & 3] = counter + cfg;
	__syncthreads();
	out[1] = op(tile[0]) + only_b;
	counter++;
}

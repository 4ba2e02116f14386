#include "op.cuh"
static __device__ int counter = 10;
static __device__ int only_a = 1;
static __constant__ int cfg = 5;
extern "C" __global__ void ka(int *out)
{
	static __shared__ int tile[4];
	tile[threadIdx.x & 3] = counter + cfg;
	__syncthreads();
	out[0] = op(tile[0]) + only_a;
	counter++;
}
// Static variables of the same names in two files of a program: each file has its own. PTX: nvcc -arch=sm_75 -rdc=true -G -g -ptx k.cu -o ../a.ptx in folder a, then what is in front of it taken out of .file; b likewise

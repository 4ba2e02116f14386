// Variables whose names are mangled in PTX: in a namespace, static in the file, static in a kernel and in a function that is inlined.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo names.cu, then the folders taken out of its .file lines

namespace lookup {
__device__ int table[4] = {10, 20, 30, 40};
__constant__ int steps[2] = {5, 6};
}

__device__ static int turned(int v)
{
	__shared__ int tile[32];
	tile[threadIdx.x] = v;
	__syncthreads();
	return tile[31 - threadIdx.x];
}

__global__ void named(int *out)
{
	__shared__ int tile[32];
	tile[threadIdx.x] = 100 + threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = turned(threadIdx.x) + tile[threadIdx.x ^ 1];
	out[threadIdx.x] += lookup::table[threadIdx.x & 3] * lookup::steps[threadIdx.x & 1];
}

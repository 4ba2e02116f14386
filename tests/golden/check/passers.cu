// Lanes that a mask names and that pass the instruction by, and the same kernels mended: good != 0. nvcc -arch=sm_75 -ptx -lineinfo passers.cu
#define ALL 0xffffffffu

// half a warp shuffles with all of it; the others' way meets theirs behind
extern "C" __global__ void half(int *out, int good)
{
	int v = threadIdx.x;
	if (threadIdx.x < 16)
		v += __shfl_xor_sync(good ? 0xffffu : ALL, v, 1);
	else
		v = out[v] + 1;
	out[threadIdx.x] = v;
}

// a way of its own around it
extern "C" __global__ void around(int *out, int good)
{
	int v = out[threadIdx.x];
	if (threadIdx.x & 1)
		v = __ballot_sync(good ? 0xaaaaaaaau : ALL, v);
	out[threadIdx.x + 32] = v;
}

// loops of different lengths
extern "C" __global__ void loops(int *out, int good)
{
	const int n = good ? 4 : threadIdx.x % 4;
	int v = threadIdx.x;
	for (int k = 0; k < n; k++) {
		v += __shfl_sync(ALL, v, k);
		out[threadIdx.x] = v;
	}
	out[threadIdx.x + 32] = v;
}

// a barrier of the warp
extern "C" __global__ void parted(int *out, int good)
{
	out[threadIdx.x] = 1;
	if (threadIdx.x < 8) {
		__syncwarp(good ? 0xff : ALL);
		out[threadIdx.x] = out[threadIdx.x ^ 1];
	}
	out[threadIdx.x + 32] = 1;
}

// an early return: legal
extern "C" __global__ void early(int *out, int n)
{
	if (threadIdx.x >= n)
		return;
	int v = __shfl_down_sync(ALL, (int)threadIdx.x, 1);
	out[threadIdx.x] = __any_sync(ALL, v > 3);
}

// one that does something first
extern "C" __global__ void early_with_a_word(int *out, int n)
{
	if (threadIdx.x >= n) {
		atomicAdd(out + 63, 1);
		return;
	}
	out[threadIdx.x] = __shfl_down_sync(ALL, (int)threadIdx.x, 1);
}

// both ways meet in an instruction of their own with the same mask: legal on Volta and newer for __syncwarp
extern "C" __global__ void both(int *out, int n)
{
	if (threadIdx.x < n) {
		out[threadIdx.x] = 1;
		__syncwarp();
	} else {
		out[threadIdx.x] = 2;
		__syncwarp();
	}
	out[threadIdx.x + 32] = out[threadIdx.x ^ 31];
}

// those that are there
extern "C" __global__ void active(int *out, int n)
{
	int v = threadIdx.x;
	if (v < n)
		v = __shfl_sync(__activemask(), v, 0);
	out[threadIdx.x] = v;
}

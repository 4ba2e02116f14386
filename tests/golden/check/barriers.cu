// Barriers at which a deadlock comes, and the same kernels mended. nvcc -arch=sm_75 -ptx -lineinfo barriers.cu
__device__ void wait(int id, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

// `threads` is wrong: 64 come
extern "C" __global__ void count(int *out, int threads)
{
	if (threadIdx.x < 64)
		wait(1, threads);
	out[threadIdx.x] = 1;
}

// the last warp has left
extern "C" __global__ void left(int *out, int n)
{
	if (threadIdx.x >= n)
		return;
	wait(2, 96);
	out[threadIdx.x] = 1;
}

// each warp waits at its own barrier for the other
extern "C" __global__ void crossed(int *out, int same)
{
	if (threadIdx.x < 32) {
		wait(1, 64);
		wait(2, 64);
	} else if (same) {
		wait(1, 64);
		wait(2, 64);
	} else {
		wait(2, 64);
		wait(1, 64);
	}
	out[threadIdx.x] = 1;
}

// the second warp waits for a flag that the first one sets behind the barrier
extern "C" __global__ void flag(volatile int *out, int before)
{
	if (threadIdx.x >= 32)
		while (!out[0])
			;
	if (before && threadIdx.x == 0)
		out[0] = 1;
	__syncthreads();
	if (threadIdx.x == 0)
		out[0] = 1;
}

// Lines that are nothing but a call of a function that is inlined. PTX: nvcc -arch=sm_75 -ptx -lineinfo calls.cu, then the folders taken out of .file
__device__ __forceinline__ void bump(int *counters, int i)
{
	counters[i] = counters[i] + 1;
}

__device__ __forceinline__ void both(int *counters, int i)
{
	bump(counters, i);
	bump(counters, i + 32);
}

extern "C" __global__ void calls(int *counters, int n)
{
	int i = threadIdx.x;
	if (i >= n)
		return;
	both(counters, i);
	if (i & 1)
		bump(counters, 64);
	counters[65] = n;
}

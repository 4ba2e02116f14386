// Functions inlined into each other and one that is called, for the tests of frames.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo inline.cu, then the folders taken out of its .file lines

static __device__ __forceinline__ int inner(int x)
{
	return x * x + 7;
}

static __device__ __forceinline__ int outer(int x)
{
	int y = inner(x + 1);
	return y / (x + 2);
}

__device__ __noinline__ int called(int x)
{
	return outer(x) + 1;
}

extern "C" __global__ void frames(int *out)
{
	int t = threadIdx.x;
	out[t] = outer(t) + called(t + 10);
}

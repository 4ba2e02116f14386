// Functions that are inlined in -G code, too. PTX: nvcc -G -arch=sm_80 -ptx inlined.cu, then the folders taken out of its .file lines
struct range {
	int low, high;
	__device__ __forceinline__ int clamp(int value) const
	{
		int least = value < low ? low : value;
		return least > high ? high : least;
	}
};

__device__ __forceinline__ int twice(range r, int value)
{
	int first = r.clamp(value);
	return r.clamp(first * 2);
}

extern "C" __global__ void inlined(int *out, int low)
{
	range r = {low + 1, 20};
	int first = 100 + threadIdx.x;
	int value = twice(r, threadIdx.x * 5);
	out[threadIdx.x] = value + first;
}

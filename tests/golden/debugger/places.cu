// A template with const arguments, deep recursion, and dynamic shared memory, for the tests of locations and names.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo places.cu, then the folders taken out of its .file lines

template <typename T> __global__ void scale(T *out, const T *in, unsigned n, const volatile T *factor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] * *factor;
}
template __global__ void scale<float>(float *, const float *, unsigned, const volatile float *);
template __global__ void scale<int>(int *, const int *, unsigned, const volatile int *);

__device__ __noinline__ int depth(const int *limit, int n)
{
	return n < *limit ? depth(limit, n + 1) * 3 + n : 0;
}

extern "C" __global__ void deep(int *out, const int *limit)
{
	out[threadIdx.x] = depth(limit, 0);
}

extern __shared__ float part[];

extern "C" __global__ void reversed(float *out)
{
	part[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

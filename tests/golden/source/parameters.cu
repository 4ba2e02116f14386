// Declarations of parameters, for builds without variables. PTX: nvcc -lineinfo -arch=sm_75 -ptx parameters.cu, then the folders taken out of its .file lines
struct pair {
	int a;
	float b;
};
namespace lib {
__device__ __noinline__ int scaled(const int *from, // where it reads
				   /* how much, (not how many) */ int by = 2)
{
	return from[threadIdx.x] * by;
}
}
template <typename T, int N>
__global__ void
many(T *out, const int *in,
     unsigned n, pair p, const float weight, int (*unused)(int, int) = nullptr)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = (T)(lib::scaled(in, N) + p.a * weight);
}
template __global__ void many<float, 3>(float *, const int *, unsigned, pair, float, int (*)(int, int));
extern "C" __global__ void plain(int *out, int) { out[threadIdx.x] = 1; }

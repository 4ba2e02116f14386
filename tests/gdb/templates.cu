// Names that gdb has to find: function templates and operators.
namespace ns {
template <typename T> __device__ __noinline__ T twice(T x) { return x + x; }
}
template <typename T, int N> __global__ void scale(T *a)
{
	int i = threadIdx.x;
	a[i] = ns::twice(a[i]) * N;
}
template __global__ void scale<int, 3>(int *);
template __global__ void scale<float, 2>(float *);
struct op { __device__ __noinline__ int operator()(int x) { return x * 7; } template <class T> __device__ __noinline__ bool operator<(T o) { return o > 3; } };
__global__ void ops(int *a) { op o; a[threadIdx.x] = o(a[threadIdx.x]) + (o < a[0]); }

// Variables and functions in namespaces, and static ones. PTX: nvcc -G -arch=sm_75 -ptx namespaces.cu; namespaces-rdc.ptx with -rdc=true, too;
// then the folder taken out of their .file lines
namespace geo {
struct point {
	int x;
	float y;
};
__device__ point origin = {3, 0.5f};
namespace deep {
static __device__ int level = 8;
static __device__ __noinline__ int sum(int *p, int *q) { return *p + *q; }
template <class T> static __device__ __noinline__ T next(T v) { return v + 1; }
template <int N, bool B> static __device__ __noinline__ int pick(point *p, point *q, int *n) { return (B ? p : q)->x + N + *n; }
}
}
namespace {
__device__ int hidden = 4;
__device__ __noinline__ int first(const geo::point *p, int *q) { return p->x + *q; }
}
static __device__ int plain = 5;
static __constant__ float factors[2] = {1, 2};
template <typename T> __device__ T zero = T(0);
static __device__ __noinline__ int helper(int k)
{
	static int calls = 10;
	calls++;
	return k + plain + calls;
}
extern "C" __global__ void namespaces(int *out)
{
	int v = helper(threadIdx.x) + geo::deep::level + hidden + (int)factors[1] + zero<int>;
	v += geo::deep::sum(&v, &v);
	v += geo::deep::next<short>(v) + first(&geo::origin, &v);
	v += geo::deep::pick<16, true>(&geo::origin, &geo::origin, &v);
	out[threadIdx.x] = v;
}

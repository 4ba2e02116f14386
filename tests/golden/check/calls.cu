// Values that nobody has written, as arguments and return values of functions that are called.
struct pair {
	char tag;
	int value;
};
__device__ __noinline__ int steps(int v)
{
	int n = 0;
	for (; v > 1; n++)
		v /= 2;
	return n;
}
__device__ __noinline__ int same(int v) { return v + 1; }
__device__ __noinline__ int second(pair p, int *out)
{
	*out = p.tag;
	return p.value;
}
__device__ __noinline__ pair made(int v)
{
	pair p;
	p.tag = 1;
	p.value = v;
	return p;
}
__device__ __noinline__ int deep(int n, int v) { return n ? deep(n - 1, v) + 1 : steps(v); }

// used in the function that gets it
extern "C" __global__ void argument(int *a, int *out) { out[threadIdx.x] = steps(a[threadIdx.x]); }
// used after it has come back
extern "C" __global__ void result(int *a, int *out)
{
	if (same(a[threadIdx.x]) > 3)
		out[threadIdx.x] = 1;
}
// several calls down
extern "C" __global__ void far(int *a, int *out) { out[threadIdx.x] = deep(3, a[threadIdx.x]); }
// a part of a structure
extern "C" __global__ void part(int *a, int *out)
{
	pair p = made(a[threadIdx.x]);
	if (second(p, out + threadIdx.x) > 3)
		out[threadIdx.x] = 1;
}
// what isn't used, and what the library returns
extern "C" __global__ void fine(int *a, int *out)
{
	pair p = made(a[threadIdx.x]);
	second(p, out + threadIdx.x);
	int *m = (int *)malloc(16);
	if (m && steps(p.tag) && deep(2, 5) > 1)
		out[threadIdx.x] = same(a[threadIdx.x]);
	free(m);
}

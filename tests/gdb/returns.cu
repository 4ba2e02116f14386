// For the gdb scenarios of `finish`: values of every class of the x86-64 ABI. PTX: nvcc -G -arch=sm_75 -ptx returns.cu, then the folders
// taken out of its .file lines
struct halves { float a, b; };
struct quads { float a, b, c, d; };
struct ints { int a, b, c; };
struct large { double a; int b[5]; };

__device__ __noinline__ int an_int(int i) { return i * 3 - 10; }
__device__ __noinline__ bool a_bool(int i) { return i == 2; }
__device__ __noinline__ long long a_long(int i) { return i * 10000000000ll; }
__device__ __noinline__ float a_float(int i) { return i / 4.0f; }
__device__ __noinline__ double a_double(int i) { return i / 8.0; }
__device__ __noinline__ int *a_pointer(int *p, int i) { return p + i; }
__device__ __noinline__ halves two(int i) { return {i + 0.5f, i + 1.5f}; }
__device__ __noinline__ quads four(int i) { return {i + 0.5f, i + 1.5f, i + 2.5f, i + 3.5f}; }
__device__ __noinline__ ints three(int i) { return {i, i + 1, i + 2}; }
__device__ __noinline__ large many(int i) { return {i / 16.0, {i, i + 1, i + 2, i + 3, i + 4}}; }

extern "C" __global__ void returns(int *out)
{
	int i = threadIdx.x;
	int *p = a_pointer(out, i);
	double sum = an_int(i) + a_bool(i) + a_long(i) + a_float(i) + a_double(i);
	sum += two(i).b + four(i).d + three(i).c + many(i).b[4];
	*p = (int)sum;
}

// For the gdb scenario of `finish` and structures of 9 to 16 bytes, whose halves the x86-64 ABI puts into registers of different kinds.
// PTX: nvcc -G -arch=sm_75 -ptx returns-mixed.cu, then the folders taken out of its .file lines
struct point { float x, y; };
struct base { double weight; };
typedef const double constant;

struct double_int { double d; int i; };
struct int_double { int i; double d; };
struct floats_int { float f[2]; int i; };
struct mixed_floats { int i; float a, b, c; };
struct nested { point p; unsigned char c[4]; };
struct derived : base { short s; };
struct pointer_float { const int *p; float f; };
struct overlaid { union { float f; int i; } u; float g; float h, k; };
struct typed { constant d; bool b; };

__device__ __noinline__ double_int one(int i) { return {i / 2.0, i}; }
__device__ __noinline__ int_double two(int i) { return {i, i / 4.0}; }
__device__ __noinline__ floats_int three(int i) { return {{i + 0.5f, i + 1.5f}, i}; }
__device__ __noinline__ mixed_floats four(int i) { return {i, 1.5f, i + 2.5f, 3.5f}; }
__device__ __noinline__ nested five(int i) { return {{i + 0.25f, -1.0f}, {1, 2, 3, 4}}; }
__device__ __noinline__ derived six(int i) { derived d; d.weight = i * 0.125; d.s = -5; return d; }
__device__ __noinline__ pointer_float seven(const int *p, int i) { return {p + i, i * 1.5f}; }
__device__ __noinline__ overlaid eight(int i) { overlaid o; o.u.i = i; o.g = 2.0f; o.h = 3.0f; o.k = 4.5f; return o; }
__device__ __noinline__ typed nine(int i) { return {i + 0.75, true}; }

extern "C" __global__ void mixed(int *out)
{
	int i = threadIdx.x;
	double sum = one(i).d + two(i).d + three(i).i + four(i).c + five(i).p.x + six(i).s;
	sum += seven(out, i).f + eight(i).k + nine(i).d;
	out[i] = (int)sum;
}

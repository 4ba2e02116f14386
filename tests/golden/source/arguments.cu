// Arguments of every kind, for what is shown of them at the entry of functions.
// PTX: nvcc -G -arch=sm_75 -ptx arguments.cu, then the folders taken out of its .file lines
struct pair { int a, b; };
struct big { double d[4]; int n; };
struct counter {
	int base;
	__device__ __noinline__ int add(int by, const int &limit) { int s = base + by; return s > limit ? limit : s; }
	static __device__ __noinline__ int twice(short s) { return 2 * s; }
};
__device__ __noinline__ int taken(int v, int w) { int *p = &v; *p += w; return v; }
__device__ __noinline__ int both(pair p, big q, float f, char c, bool yes) { p.a += q.n; return yes ? p.a * c + (int)f : p.b; }
__device__ __noinline__ int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
__device__ __forceinline__ int inl(int key, int scale) { int r = key * scale; r += key; return r; }
__device__ __noinline__ unsigned long long mixed(unsigned char u, float3 v, long long *p) { v.x += u; *p = (long long)v.x; return u; }
extern "C" __global__ void args(int *out, pair p, big q, float f, char c)
{
	int t = threadIdx.x, limit = 40;
	counter k = {t};
	long long l = 0;
	p.a += t;
	int x = taken(t, 3) + both(p, q, f, c, t & 1) + fact(t % 6) + k.add(5, limit) + counter::twice(t) + inl(t, 3);
	x += mixed(t, make_float3(1, 2, 3), &l);
	out[t] = x + (int)l;
}

#include <cstdio>
struct S { int a; double b; float c[3]; };
struct Base { __device__ virtual int f(int x) { return x; } };
struct D1 : Base { __device__ int f(int x) override { return x * 2; } };
struct D2 : Base { int k; __device__ int f(int x) override { return x + k; } };
__device__ int table[4][2] = {{1,2},{3,4},{-5}};
__device__ int *ptab[2] = {&table[1][0], &table[2][1]};
__device__ const char *names[] = {"alpha", "beta"};
__constant__ float coef[8] = {1.f, 2.5f, -3e-20f};
__managed__ int managed_counter = 5;
extern __shared__ float dyn[];
typedef int (*fn)(int);
__device__ __noinline__ int add1(int x) { return x + 1; }
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ fn fns[2] = {add1, fib};
__device__ __noinline__ S make(int a, double b) { S s = {a, b, {1, 2, 3}}; return s; }
__global__ void __launch_bounds__(256, 2) k1(S s, int *out, const float *__restrict__ in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__shared__ int tile[32];
	if (i >= n) return;
	tile[threadIdx.x & 31] = i;
	__syncthreads();
	dyn[threadIdx.x] = in[i] * coef[i & 7];
	S t = make(i, s.b);
	D1 a; D2 b; b.k = s.a;
	Base *p = i & 1 ? (Base *)&a : (Base *)&b;
	int v = p->f(i) + fns[i & 1](i) + table[i & 3][i & 1] + *ptab[i & 1] + (int)t.c[i % 3] + tile[(i + 1) & 31];
	v = __shfl_down_sync(0xffffffff, v, 1);
	unsigned m = __ballot_sync(~0u, v > 3);
	atomicAdd(out, v + __popc(m));
	atomicAdd(&managed_counter, 1);
	if (v == 77) printf("%d %s %f\n", v, names[i & 1], dyn[0]);
	if (v == 78) asm volatile("{ .reg .pred p; LAB: setp.eq.s32 p, %0, 3; @p bra DONE; bra LAB; DONE: }" :: "r"(v));
	if (v == 79) asm volatile("{ .reg .pred p; LAB: setp.eq.s32 p, %0, 3; @!p bra DONE; bra LAB; DONE: }" :: "r"(v));
	switch (v & 15) { case 0: out[1] = 3; break; case 1: out[2] = 7; break; case 2: out[3] = fib(v); break; case 3: out[4] = 9; break; case 4: out[9]=v; break; case 5: out[11]=8; break; case 6: out[12] = 33; break; }
	for (int j = 0; j < n; j++) out[j + 20] = sinf(in[j]) + sqrt((double)in[j]);
}
__device__ int *dev_malloc(int n) { return (int *)malloc(n); }
__global__ void k2(float4 *a, double2 *b, long long *c, unsigned char *d) {
	int i = threadIdx.x; a[i] = make_float4(a[i].x, 1, 2, 3); b[i].x += 1; c[i] = clock64() + c[i] / 7 % 5; d[i] = d[i + 1] >> 1;
	int *p = dev_malloc(i); p[0] = 1; free(p); 
	long long x[10]; for (int j = 0; j < 10; j++) x[(j * i) % 10] = j; c[1] = x[i % 10]; __nanosleep(10); __threadfence();
	if (i > 1000) __trap();
}

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __syncthreads() __nvvm_bar_sync(0)
struct node { node *next; int v; double d; };
__constant__ float weights[5] = {1.5f, -2.0f, 3e-9f};
__device__ node last = {nullptr, -1, 0};
__device__ node pool[3] = {{&last, 4, 1.5}, {&last, 5, 2.5}, {nullptr, -1, 0}};
__device__ int (*op)(int);
__device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) int sum(node *n) { return n ? n->v + sum(n->next) : 0; }
__device__ int (*table[])(int) = {twice, nullptr, twice};
struct base { __device__ virtual int f(int) { return 1; } };
struct derived : base { int k; __device__ int f(int x) override { return x * k; } };
extern "C" __global__ void mix(node arg, int *out, const float *in, int n)
{
	__shared__ float tile[64];
	int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
	if (i >= n) return;
	tile[i & 63] = in[i] * weights[i % 5];
	__syncthreads();
	derived d; d.k = arg.v;
	base *b = &d;
	int local[8];
	for (int k = 0; k < 8; k++) local[(k * i) & 7] = k;
	out[i] = b->f(i) + table[i % 3](i) + sum(&pool[i % 3]) + (int)tile[(i + 1) & 63] + local[i & 7] + op(3);
	switch (n & 7) { case 0: out[0] = 1; break; case 1: out[1] = 5; break; case 2: out[7] = 2; break; case 3: out[3] = 11; break; case 5: out[9] = 3; break; default: __builtin_trap(); }
}

// Findings of checkers in a whole program: each case is chosen by the first argument.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void add_one(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		p[i] += 1;
}

__global__ void shared_part(int *out)
{
	__shared__ int s[64];
	if (threadIdx.x < 16)
		s[threadIdx.x] = 1;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x];
}

__global__ void sub_sum(int *p, unsigned mask)
{
	int v = p[threadIdx.x];
	for (int d = 4; d; d >>= 1)
		v += __shfl_down_sync(mask, v, d, 8);
	if (threadIdx.x % 8 == 0)
		p[threadIdx.x] = v;
}

// the third of three launches is the wrong one
static void which_launch()
{
	float *a, *b;
	cudaMalloc(&a, 400);
	cudaMalloc(&b, 400);
	add_one<<<1, 128>>>(a, 99);
	add_one<<<1, 128>>>(b, 50);
	add_one<<<1, 128>>>(b, 100);
	cudaDeviceSynchronize();
}

static void use_after_free()
{
	float *a;
	cudaMalloc(&a, 400);
	cudaFree(a);
	add_one<<<1, 1>>>(a, 1);
	cudaDeviceSynchronize();
}

static void copied_element()
{
	int *a, *o, h[32];
	cudaMalloc(&a, 64);
	cudaMalloc(&o, 128);
	shared_part<<<1, 32>>>(o);
	cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost);
}

static void toolkit_line()
{
	int *p;
	cudaMalloc(&p, 128);
	cudaMemset(p, 0, 128);
	sub_sum<<<1, 32>>>(p, 0xff00);
	cudaDeviceSynchronize();
}

// many live values: more registers than 1024 threads can have
__global__ void poly(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float a[96], s = 0;
#pragma unroll
	for (int k = 0; k < 96; k++)
		a[k] = in[(i + k * 131) % n];
	for (int r = 0; r < 3; r++) {
#pragma unroll
		for (int k = 0; k < 96; k++)
			a[k] = a[k] * a[(k + 37) % 96] + a[(k * 5 + 11) % 96];
	}
#pragma unroll
	for (int k = 0; k < 96; k++)
		s += a[k] * (k + 1);
	out[i % n] = s;
}

static void registers()
{
	float *p;
	cudaFuncAttributes a;
	cudaMalloc(&p, 4096);
	cudaFuncGetAttributes(&a, poly);
	poly<<<1, a.maxThreadsPerBlock>>>(p, p, 1024);
	int fits = cudaGetLastError();
	poly<<<1, a.maxThreadsPerBlock + 32>>>(p, p, 1024);
	printf("%d registers, %d threads: %d, then %d\n", a.numRegs, a.maxThreadsPerBlock, fits, cudaGetLastError());
}

// a recursion: each level takes a frame of the stack
__device__ __noinline__ int nest(int n, int a)
{
	return n ? nest(n - 1, a ^ n) * 3 + n : a;
}

__global__ void nested(int levels, int *out) { *out = nest(levels - 1, 7); }

static int levels;

static void stack()
{
	int *p;
	size_t limit;
	cudaMalloc(&p, 4);
	if (levels < 0) // four times the limit
		cudaDeviceSetLimit(cudaLimitStackSize, 4096);
	cudaDeviceGetLimit(&limit, cudaLimitStackSize);
	nested<<<1, 1>>>(levels < 0 ? -levels : levels, p);
	printf("%zu: %d\n", limit, cudaDeviceSynchronize());
}

__global__ void divide(float *p, float z)
{
	p[threadIdx.x] = threadIdx.x == 5 ? z / z : 1.0f;
}

__global__ void overflow(const float *p, float z, int *out)
{
	float v = p[threadIdx.x] * z; // only in a register
	if (v > 1e30f)
		out[threadIdx.x] = 1;
}

__global__ void say(float z)
{
	float v = 1.0f / z; // only printed
	if (threadIdx.x == 3)
		printf("v = %f\n", v);
}

__device__ float twice(float v)
{
	float r = v * 2;
	return r;
}

__global__ void total(const float *p, float *out, int n)
{
	float sum; // never begun
	for (int i = 0; i < n; i++)
		sum += twice(p[i]);
	if (sum > 3)
		out[0] = sum;
}

static void unset_variable()
{
	float *p, *o;
	cudaMalloc(&p, 128);
	cudaMalloc(&o, 128);
	cudaMemset(p, 0, 128);
	total<<<1, 1>>>(p, o, 3);
	cudaDeviceSynchronize();
}

static void nan_freed()
{
	float *p;
	cudaMalloc(&p, 128);
	divide<<<1, 32>>>(p, 0);
	cudaDeviceSynchronize();
	cudaFree(p);
}

static void nan_register()
{
	float *p;
	int *o;
	cudaMalloc(&p, 128);
	cudaMalloc(&o, 128);
	cudaMemset(p, 0x7f, 128);
	overflow<<<1, 32>>>(p, 10, o);
	cudaDeviceSynchronize();
}

static void nan_printed()
{
	say<<<1, 32>>>(0);
	cudaDeviceSynchronize();
}

int main(int, char **v)
{
	static const struct { const char *name; void (*run)(); } cases[] = {
		{"which_launch", which_launch},
		{"use_after_free", use_after_free},
		{"copied_element", copied_element},
		{"toolkit_line", toolkit_line},
		{"registers", registers},
		{"unset_variable", unset_variable},
		{"nan_freed", nan_freed},
		{"nan_register", nan_register},
		{"nan_printed", nan_printed},
		{"stack", stack},
	};
	if (v[2])
		levels = atoi(v[2]);
	for (auto &c : cases)
		if (!strcmp(c.name, v[1]))
			c.run();
	return 0;
}

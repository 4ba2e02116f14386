// The address of a __constant__ variable: what kernels read by it, copies from and to it, and what a kernel's write is (`constants write`).
#include <cstdio>

__constant__ int table[4] = {1, 2, 3, 4};
__constant__ int other[4];

__global__ void sum(const int *p, int *out)
{
	int s = 0;
	for (int k = 0; k < 4; k++)
		s += p[k];
	out[threadIdx.x] = s + table[threadIdx.x];
}
__global__ void mixed(const int *p, const int *q, int *out) { out[threadIdx.x] = (threadIdx.x & 1 ? p : q)[threadIdx.x]; }
__global__ void vector(const int4 *p, int4 *out) { *out = __ldg(p); }
__global__ void write(int *p) { p[threadIdx.x] = 7; }

static int *d;
static void show(const char *what)
{
	int h[4] = {};
	const int error = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%s: %d %d %d %d, error %d\n", what, h[0], h[1], h[2], h[3], error);
}

int main(int argc, char **)
{
	const int in[4] = {10, 20, 30, 40};
	int *p, *q, errors = 0;
	errors |= cudaGetSymbolAddress((void **)&p, table) | cudaGetSymbolAddress((void **)&q, other);
	errors |= cudaMalloc(&d, 16);
	errors |= cudaMemcpy(q, in, 16, cudaMemcpyHostToDevice);
	sum<<<1, 4>>>(p, d), show("sum of one");
	sum<<<1, 4>>>(q, d), show("sum of the other");
	mixed<<<1, 4>>>(p, q, d), show("mixed");
	vector<<<1, 1>>>((int4 *)q, (int4 *)d), show("vector");
	errors |= cudaMemset(q, 0, 8);
	errors |= cudaMemcpy(d, q, 16, cudaMemcpyDeviceToDevice), show("filled");
	errors |= cudaMemcpy(q, p, 16, cudaMemcpyDefault);
	errors |= cudaMemcpyAsync(d, q, 16, cudaMemcpyDeviceToDevice), show("copied");
	printf("errors: %d\n", errors);
	if (argc > 1) {
		write<<<1, 4>>>(q);
		printf("written: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	}
	return 0;
}

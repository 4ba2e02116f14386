/* vecadd.cu's host: `vecadd [N]` adds 1000 elements into a buffer of N (1000). */
#include "fixture.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")
KERNEL(hello, "_Z5helloi")
static float offset[4];
VARIABLE(offset, "offset")

int main(int argc, char **argv)
{
	enum { N = 1000 };
	static float h[N];
	const float offsets[4] = {0, 0.5f, 0, 0};
	float *a, *b, *c;
	int n = N, k = 3;
	for (int i = 0; i < N; i++)
		h[i] = (float)i;
	CHECK(cudaMalloc((void **)&a, sizeof h));
	CHECK(cudaMalloc((void **)&b, sizeof h));
	CHECK(cudaMalloc((void **)&c, (argc > 1 ? (size_t)atoi(argv[1]) : N) * sizeof *c));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyToSymbol(offset, offsets, sizeof offsets, 0, cudaMemcpyHostToDevice));
	CHECK(cudaLaunchKernel(vecadd, (dim3){4, 1, 1}, (dim3){256, 1, 1}, (void *[]){&a, &b, &c, &n}, 0, NULL));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		if (h[i] != 2.0f * (float)i + 0.5f) {
			printf("wrong at %d: %g\n", i, (double)h[i]);
			return 1;
		}
	printf("sums are right\n");
	CHECK(cudaLaunchKernel(hello, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&k}, 0, NULL));
	CHECK(cudaDeviceSynchronize());
	printf("after hello\n");
	CHECK(cudaFree(a));
	printf("freed twice: %d\n", cudaFree(a));
	printf("wrong host pointer: %d\n", cudaMemcpy(c, (void *)16, 64, cudaMemcpyHostToDevice));
	printf("last error: %s\n", cudaGetErrorString(cudaGetLastError()));
	printf("then: %s\n", cudaGetErrorString(cudaGetLastError()));
	return 0;
}

/* A program with mistakes for the checkers: a kernel that writes past its memory, wrong frees, memory that is never freed; it goes on regardless. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

int cudaMallocManaged(void **p, size_t n, unsigned flags);

int main(void)
{
	int *a, *b, value = 3, n = 72, host[64];
	RETURNS(0, cudaMalloc((void **)&a, 64 * sizeof *a));
	RETURNS(0, cudaMalloc((void **)&b, 1000));
	RETURNS(0, launch(fill, 2, 64, 0, NULL, ARGUMENTS(&a, &value, &n)));
	RETURNS(0, cudaDeviceSynchronize());
	RETURNS(0, cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
	EXPECT(host[0] == 3 && host[63] == 66);
	RETURNS(1, cudaFree(a + 4));
	RETURNS(0, cudaFree(a));
	RETURNS(1, cudaFree(a));
	RETURNS(0, cudaMallocManaged((void **)&a, 4096, 1)); /* no mistake */
	RETURNS(0, cudaFree(a));
	puts("done");
	return failures ? 1 : 7;
}

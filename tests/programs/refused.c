/* Calls that CUDA refuses, for the memory checker: a line each, named by the script that runs this. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

int cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
int cudaStreamQuery(void *);
int cudaPointerGetAttributes(void *, const void *);

int main(void)
{
	static char host[4096];
	char *a, *b, *large;
	int value = 3, n = 1;
	RETURNS(0, cudaMalloc((void **)&a, 400));
	RETURNS(0, cudaMalloc((void **)&b, 400));
	RETURNS(1, cudaMemcpy(a, host, 1024, cudaMemcpyHostToDevice)); /* past the end */
	RETURNS(1, cudaMemcpy(host, a + 100, 400, cudaMemcpyDeviceToHost)); /* from the middle */
	for (int k = 0; k < 3; k++)
		RETURNS(1, cudaMemset(b + 8, 0, 400)); /* a fill, three times */
	RETURNS(0, cudaFree(b));
	RETURNS(1, cudaMemcpy(b, host, 16, cudaMemcpyHostToDevice)); /* freed */
	RETURNS(1, cudaFree(b)); /* no second finding */
	RETURNS(1, cudaMemcpy(a, (void *)16, 64, cudaMemcpyHostToDevice)); /* the host's pointer */
	RETURNS(21, cudaMemcpy(a, host, 64, 9)); /* no direction */
	RETURNS(9, launch(fill, 1, 2048, 0, NULL, ARGUMENTS(&a, &value, &n))); /* impossible */
	RETURNS(2, cudaMalloc((void **)&large, (size_t)1 << 50)); /* too large */
	cudaStreamQuery(NULL);
	RETURNS(0, cudaFree(a));
	puts("done");
	return failures != 0;
}

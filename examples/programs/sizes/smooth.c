/* smooth.cu's host in C, for machines without nvcc: it is built with the PTX of smooth.cu. */
#include "fixture.h"

FIXTURE("smooth.ptx")
KERNEL(smooth, "_Z6smoothPKfPfi")

/* Line by line as there, so that the debugger names those lines. */
#line 15 "smooth.cu"
int main(void)
{
	int n = 1000;
	float *samples = malloc((size_t)n * sizeof(float)), *in, *out;
	for (int i = 0; i < n; i++)
		samples[i] = (float)(i % 10);
	cudaMalloc((void **)&in, (size_t)n * sizeof(float));
	cudaMalloc((void **)&out, (size_t)n);
	cudaMemcpy(in, samples, (size_t)n * sizeof(float), cudaMemcpyHostToDevice);
	cudaLaunchKernel(smooth, (dim3){4, 1, 1}, (dim3){256, 1, 1}, (void *[]){&in, &out, &n}, 0, NULL);
	cudaError_t error = cudaMemcpy(samples, out, (size_t)n * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%s, %g\n", cudaGetErrorString(error), (double)samples[500]);
	return error;
}

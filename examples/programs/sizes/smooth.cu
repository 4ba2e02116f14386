// A moving average over n samples. What its author saw: "an illegal memory access was encountered", reported by the copy at the end.
//
// nvcc -arch=sm_75 -lineinfo -g smooth.cu -o smooth
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void smooth(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i > 0 && i < n - 1)
		out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

int main()
{
	const int n = 1000;
	float *samples = (float *)malloc(n * sizeof(float)), *in, *out;
	for (int i = 0; i < n; i++)
		samples[i] = (float)(i % 10);
	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n);
	cudaMemcpy(in, samples, n * sizeof(float), cudaMemcpyHostToDevice);
	smooth<<<(n + 255) / 256, 256>>>(in, out, n);
	cudaError_t error = cudaMemcpy(samples, out, n * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%s, %g\n", cudaGetErrorString(error), samples[500]);
	return error;
}

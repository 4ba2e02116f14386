// Scales samples so that the largest becomes 1. What its author saw: inf, but never with a cudaDeviceSynchronize between the launches.
// With any argument it makes the call that is missing.
//
// nvcc -arch=sm_75 -lineinfo -g levels.cu -o levels
#include <cstdio>
#include <cuda_runtime.h>

const int N = 1024;

__global__ void find_peak(const float *in, float *peak, int n)
{
	__shared__ float largest[128];
	float v = 0;
	for (int i = threadIdx.x; i < n; i += 128)
		v = fmaxf(v, in[i]);
	largest[threadIdx.x] = v;
	for (int half = 64; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half)
			largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + half]);
	}
	if (threadIdx.x == 0)
		*peak = largest[0];
}

__global__ void scale(const float *in, const float *peak, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i] / *peak;
}

int main(int argc, char **argv)
{
	static float samples[N];
	float *in, *peak, *out;
	cudaStream_t a, b;
	cudaEvent_t found;
	for (int i = 0; i < N; i++)
		samples[i] = (float)(i % 9);
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	cudaEventCreate(&found);
	cudaMalloc(&in, sizeof samples);
	cudaMalloc(&peak, sizeof(float));
	cudaMalloc(&out, sizeof samples);
	cudaMemset(peak, 0, sizeof(float));
	cudaMemcpy(in, samples, sizeof samples, cudaMemcpyHostToDevice);
	cudaDeviceSynchronize();
	find_peak<<<1, 128, 0, a>>>(in, peak, N);
	cudaEventRecord(found, a);
	if (argc > 1)
		cudaStreamWaitEvent(b, found, 0); // what was forgotten
	scale<<<N / 128, 128, 0, b>>>(in, peak, out);
	cudaStreamSynchronize(b);
	cudaMemcpy(samples, out, sizeof samples, cudaMemcpyDeviceToHost);
	printf("%s, %g\n", cudaGetErrorString(cudaDeviceSynchronize()), samples[4]);
	return 0;
}

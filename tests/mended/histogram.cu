// examples/04-histogram without its mistake.
#define BINS 128

extern "C" __global__ void histogram(int n, const unsigned char *data, unsigned *bins)
{
	__shared__ unsigned count[BINS];
	int t = threadIdx.x;

	for (int b = t; b < BINS; b += blockDim.x)
		count[b] = 0;
	__syncthreads();

#pragma unroll 1
	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&count[data[i] % BINS], 1u);
	__syncthreads();

#pragma unroll 1
	for (int b = t; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], count[b]);
}

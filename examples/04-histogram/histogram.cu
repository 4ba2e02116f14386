// Counts how often each of the 128 values occurs: every block counts in shared memory and adds its counts at the end.
//
// Host side:  histogram<<<4, 64>>>(n, data, bins);      with n = 1024, bins cleared by cudaMemset
// Symptom:    bins 0 to 63 are right, bins 64 to 127 hold large random numbers on a GPU.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo histogram.cu, then the folders taken out of its .file lines

#define BINS 128

extern "C" __global__ void histogram(int n, const unsigned char *data, unsigned *bins)
{
	__shared__ unsigned count[BINS];
	int t = threadIdx.x;

	if (t < BINS)
		count[t] = 0;
	__syncthreads();

#pragma unroll 1
	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&count[data[i] % BINS], 1u);
	__syncthreads();

#pragma unroll 1
	for (int b = t; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], count[b]);
}

// nvcc -rdc=true -DCUDA_FORCE_CDP1_IF_SUPPORTED -D__CDPRT_SUPPRESS_SYNC_DEPRECATION_WARNING -arch=compute_75 -ptx cdp1.cu
// Sum of a row by halves: each level waits for the two it has launched.
__global__ void sum(const int *in, int n, int *out)
{
	__shared__ int *half;
	if (n == 1) {
		*out = *in;
		return;
	}
	if (threadIdx.x == 0)
		cudaMalloc(&half, 2 * sizeof(int));
	__syncthreads();
	int m = n / 2;
	if (threadIdx.x == 0)
		sum<<<1, 2>>>(in, m, half);
	else
		sum<<<1, 2>>>(in + m, n - m, half + 1);
	cudaDeviceSynchronize();
	__syncthreads();
	if (threadIdx.x == 0) {
		*out = half[0] + half[1];
		cudaFree(half);
	}
}

__global__ void errors(int *out)
{
	out[0] = cudaDeviceSynchronize();
	out[1] = cudaGetLastError();
}

// examples/02-block-sum without its mistake.
__global__ void block_sum(const int *in, int *sums)
{
	__shared__ int tile[128];
	int t = threadIdx.x;

	tile[t] = in[blockIdx.x * 128 + t];
	__syncthreads();

#pragma unroll 1
	for (int half = 64; half > 0; half /= 2) {
		if (t < half)
			tile[t] += tile[t + half];
		__syncthreads();
	}

	if (t == 0)
		sums[blockIdx.x] = tile[0];
}

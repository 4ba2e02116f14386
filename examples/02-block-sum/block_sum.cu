// Adds up 128 numbers per block with a tree in shared memory, one sum per block.
//
// Host side:  block_sum<<<2, 128>>>(in, sums);      with in = 256 ones
// Symptom:    the sums should be 128 and are not; on a GPU they differ from run to run.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo block_sum.cu, then the folders taken out of its .file lines

__global__ void block_sum(const int *in, int *sums)
{
	__shared__ int tile[128];
	int t = threadIdx.x;

	tile[t] = in[blockIdx.x * 128 + t];

#pragma unroll 1
	for (int half = 64; half > 0; half /= 2) {
		if (t < half)
			tile[t] += tile[t + half];
		__syncthreads();
	}

	if (t == 0)
		sums[blockIdx.x] = tile[0];
}

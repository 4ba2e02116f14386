// Each thread puts a number into its own word of shared memory, `stride` words from its neighbour's, and reads its neighbour's.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo banks.cu, then the folders taken out of its .file lines

extern "C" __global__ void banks(int stride, int *out)
{
	__shared__ int tile[32 * 33];
	int t = threadIdx.x;

	tile[t * stride] = t;
	__syncthreads();
	out[t] = tile[(t + 1) % 32 * stride];
}

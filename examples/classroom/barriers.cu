// Turns a block's numbers round. The first warp comes to the barrier later than the others.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo barriers.cu, then the folders taken out of its .file lines

extern "C" __global__ void turn(int *data)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	int v = data[t];

	if (t < 32) {
#pragma unroll 1
		for (int k = 0; k < 8; k++)
			v = 3 * v + 1;
	}
	s[t] = v;
	__syncthreads();
	data[t] = s[blockDim.x - 1 - t];
}

// Two ways through a branch. Bit `bit` of the thread's number chooses: 1 parts neighbours, 32 parts whole warps.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo divergence.cu, then the folders taken out of its .file lines

extern "C" __global__ void ways(int bit, int *out)
{
	int t = threadIdx.x;
	int v = t;

	if (t & bit) {
#pragma unroll 1
		for (int k = 0; k < 4; k++)
			v = 3 * v + 1;
	} else {
#pragma unroll 1
		for (int k = 0; k < 4; k++)
			v = 5 * v + 2;
	}
	out[t] = v;
}

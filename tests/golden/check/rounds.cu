// Kernels of races.cu without line information: copies of one line are findings of their own. nvcc -ptx -arch=sm_75
extern "C" __global__ void buffers(int *out, int good) {
	__shared__ int s[2][64];
	int v = threadIdx.x;
	for (int k = 0; k < 4; k++) {
		int *b = s[good ? k & 1 : 0];
		b[threadIdx.x] = v;
		__syncthreads();
		v += b[threadIdx.x ^ 32];
	}
	out[threadIdx.x] = v;
}
extern "C" __global__ void same(int *out, int good) {
	if (!good || !threadIdx.x)
		out[0] = 1;
}

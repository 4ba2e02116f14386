// The classic races, each with the same kernel mended: good != 0.
extern "C" __global__ void reduce(int *out, int good) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = t;
	for (int d = 32; d > 0; d /= 2) {
		if (good)
			__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (!t)
		out[blockIdx.x] = s[0];
}
extern "C" __global__ void tree(int *out, int good) {
	__shared__ int s[32];
	int t = threadIdx.x;
	s[t] = t;
	for (int d = 16; d > 0; d /= 2) {
		if (good)
			__syncwarp();
		if (t < d)
			s[t] += s[t + d];
	}
	if (!t)
		out[0] = s[0];
}
__device__ unsigned arrived;
__device__ int partial[64];
extern "C" __global__ void last_block(int *out, int good) {
	__shared__ bool last;
	if (!threadIdx.x) {
		partial[blockIdx.x] = blockIdx.x;
		if (good)
			__threadfence();
		last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
	}
	__syncthreads();
	if (last && threadIdx.x < gridDim.x)
		out[threadIdx.x] = partial[threadIdx.x];
}
__device__ volatile int flag;
__device__ int data;
extern "C" __global__ void publish(int *out, int good) {
	if (!blockIdx.x) {
		data = 42;
		if (good)
			__threadfence();
		flag = 1;
	} else {
		while (!flag)
			;
		if (good)
			__threadfence();
		out[0] = data;
		flag = 0;
	}
}
extern "C" __global__ void histogram(int *out, int good) {
	if (good)
		atomicAdd(&out[threadIdx.x % 4], 1);
	else
		out[threadIdx.x % 4]++;
}
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

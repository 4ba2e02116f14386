// A kernel for each kind of finding that `why` explains (nvcc -ptx -lineinfo).
__global__ void halves(const int *in, int *sums)
{
	__shared__ int tile[128];
	int t = threadIdx.x;
	tile[t] = in[t];
	if (t < 64)
		sums[t] = tile[t + 64];
}

__global__ void neighbours(int *data)
{
	__shared__ int tile[32];
	tile[threadIdx.x] = threadIdx.x;
	if (threadIdx.x < 31) // lanes that went different ways
		data[threadIdx.x] = tile[threadIdx.x + 1];
	if (threadIdx.x == 0)
		tile[5] = 7;
}

__global__ void counter(int *data) { *data = blockIdx.x; }

__global__ void histogram(const int *in, int *out)
{
	__shared__ int bins[32];
	atomicAdd(&bins[in[threadIdx.x] & 31], 1);
	__syncthreads();
	out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void end(char *p)
{
	*(int *)(p + 1) = 1;
	p[128] = 1;
}

__global__ void branch(int *out)
{
	if (threadIdx.x < 40)
		__syncthreads();
	out[threadIdx.x] = 1;
}

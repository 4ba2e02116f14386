// Uses of uninitialised memory of a kernel's heap and of results. nvcc -arch=sm_75 -ptx -lineinfo heap.cu
extern "C" __global__ void fill(int *o, int n)
{
	if (threadIdx.x < n)
		o[threadIdx.x] = 1;
}

// each thread allocates; the last writes only the first element
extern "C" __global__ void own(int **kept, int *o)
{
	int *p = (int *)malloc(64);
	p[0] = 1;
	if (threadIdx.x + 1 < blockDim.x)
		p[3] = 2;
	kept[threadIdx.x] = p;
	if (p[3] > 5)
		o[threadIdx.x] = 3;
}

// another launch reads what the last thread has not written
extern "C" __global__ void late(int **kept, int *o)
{
	if (kept[threadIdx.x][7] > 5)
		o[threadIdx.x] = 3;
}

// what is stored comes from shared memory that is not written
extern "C" __global__ void stored(int *o)
{
	__shared__ int s[32];
	if (threadIdx.x)
		s[threadIdx.x] = 1;
	__syncthreads();
	o[threadIdx.x] = s[threadIdx.x];
}

// Small things of C++ that gdb shows: functions that begin with a statement, bit-fields without a name, pointers, barriers.
// PTX: nvcc -G -arch=sm_75 -ptx statements.cu, then the folder taken out of its .file line
__device__ int out;
__global__ void begins()
{
	out = 1;
	out = 2;
}
struct bits {
	int a : 3;
	int : 5;
	int b : 4;
	unsigned : 0;
	int c;
};
__global__ void fields(int *p)
{
	bits x;
	x.a = 1;
	x.b = 3;
	x.c = 7;
	*p = x.a + x.b + x.c;
}
__global__ void waits(int *p)
{
	__shared__ int tile[64];
	tile[threadIdx.x] = threadIdx.x * 10;
	__syncthreads();
	p[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void points(int *p, int n)
{
	__shared__ int tile[32];
	int own[4] = {n, 2, 3, 4}, plain = n + 1;
	int *p2 = p;
	tile[threadIdx.x] = threadIdx.x * 10;
	__syncthreads();
	own[n & 3] += *p2;
	*p2 = own[1] + plain;
	p[threadIdx.x] = own[n & 1] + tile[threadIdx.x ^ 1];
}

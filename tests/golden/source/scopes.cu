// Variables that are called as the spaces of memory are, and locals of a function that is called. PTX: nvcc -arch=sm_75 -ptx -G -g scopes.cu, then the folders taken out of .file
struct S {
	int x;
};
__device__ int global[4] = {5, 6, 7, 8};
__device__ __noinline__ int leaf(int n, int *out)
{
	int inner[2] = {n, n * 2};
	inner[n & 1] += 3;
	n += inner[1];
	out[1] = inner[0] + n;
	return inner[1] + 1;
}
extern "C" __global__ void k(int *out)
{
	int local[4] = {1, 2, 3, 4};
	__shared__ int shared[4];
	S param[2] = {{10}, {11}};
	shared[threadIdx.x & 3] = local[threadIdx.x & 3];
	__syncthreads();
	out[0] = leaf(local[1], out) + shared[0] + param[1].x + global[1];
	out[2] = leaf(local[2], out);
}
extern "C" __global__ void other(int *out)
{
	out[0] = 1;
}

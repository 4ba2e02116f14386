// A function from which threads don't return.
// nvcc -arch=sm_75 -ptx -lineinfo leaves.cu
__device__ __noinline__ int leaves(int *a)
{
	a[threadIdx.x] = 1;
	asm volatile("exit;");
	return a[5];
}
extern "C" __global__ void calls(int *a)
{
	a[threadIdx.x] = 2;
	int v = leaves(a);
	a[0] = v;
}

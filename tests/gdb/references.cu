// C++ references, as a variable and as a parameter. PTX: nvcc -G -arch=sm_75 -ptx references.cu, then the folder taken out of its .file line
__device__ __noinline__ void add(int &sum, int v)
{
	sum += v;
}
extern "C" __global__ void references(int *out)
{
	int sums[2] = {0, (int)threadIdx.x};
	int &odd = sums[threadIdx.x & 1];
	add(odd, 10);
	add(sums[0], 1);
	out[threadIdx.x] = odd;
}

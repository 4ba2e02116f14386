// A variable and a function that the other file has by the same names. PTX: nvcc -G -arch=sm_75 -ptx statics-1.cu, then the folder taken
// out of its .file line
static __device__ int same = 11;
static __device__ __noinline__ int helper(int v)
{
	return v + same;
}
extern "C" __global__ void statics1(int *out)
{
	out[threadIdx.x] = helper(threadIdx.x);
}

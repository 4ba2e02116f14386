// A call in a call (nvcc -ptx -G -arch=sm_75, folders taken out of .file).
__device__ __noinline__ float inner(float x, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		s = s * 0.5f + x;
	return s;
}
__device__ __noinline__ float outer(float x, int n)
{
	float a = inner(x, n);
	a += inner(x + 1, n);
	return a;
}
__global__ void work(float *o, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float v = t;
	v = outer(v, n);
	v += 1;
	v = outer(v, n);
	o[t % 256] = v;
}

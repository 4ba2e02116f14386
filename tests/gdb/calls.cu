// Calls that are not inlined, with nvcc -ptx -G: gdb steps over them with breakpoints of its own.
__device__ __noinline__ int mix(int a, int b)
{
	int c = a * 3 + b;
	for (int k = 0; k < 20; k++)
		c ^= (c >> 3) + k;
	return c + 1;
}

__global__ void work(int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = i;
	v = mix(v, 7);
	v += 5;
	for (int k = 0; k < 10; k++)
		v = mix(v, k);
	v = mix(v, 9);
	if (i < n)
		out[i] = v;
}

// Small functions that the compiler puts into their callers, two levels deep and called from two lines; a static shared tile.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo inlined.cu, then the folders taken out of its .file lines

__device__ static int square(int v)
{
	int w = v * v;
	return w + 3;
}

__device__ static int both(int a, int b)
{
	int x = square(a);
	int y = square(b);
	return x - y;
}

__constant__ int factors[4];

extern "C" __global__ void mixed(int *out, int n)
{
	__shared__ int tile[64];
	int t = threadIdx.x;
	tile[t] = t + n;
	__syncthreads();
	int first = both(tile[63 - t], n);
	out[t] = first;
	if (first > 0)
		out[t] += square(first) * factors[t & 3];
	out[t + 64] = n;
}

__device__ static int low(int v)
{
	int r;
	asm("{ .reg .pred p; setp.gt.s32 p, %1, 5;\n\tselp.s32 %0, 5, %1, p; }" : "=r"(r) : "r"(v));
	return r;
}

extern "C" __global__ void unrolled(int *out)
{
	int sum = 0;
#pragma unroll
	for (int i = 0; i < 3; i++)
		sum += low(out[i]);
	out[3] = sum;
}

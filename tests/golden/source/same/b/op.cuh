// one line more
__device__ __noinline__ int op_b(int v)
{
	int r = v * 2;
	return r;
}

static __device__ __noinline__ int common(int v) { return v; }

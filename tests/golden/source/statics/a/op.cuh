// a's header
__device__ __noinline__ static int op(int x)
{
	return x + 1;
}

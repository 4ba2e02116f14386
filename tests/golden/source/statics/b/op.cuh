// b's header
// with one line more
__device__ __noinline__ static int op(int x)
{
	return x * 2;
}

// Shuffles that read lanes which take no part: their value decides (good == 0), or is not used (good == 1).
// nvcc -arch=sm_75 -ptx -lineinfo absent.cu
#define ALL 0xffffffffu

// the last warp of a block has 12 lanes
extern "C" __global__ void tail(int *out, int good)
{
	const unsigned t = threadIdx.x, live = t < 32 ? ALL : 0xfffu;
	const int o = __shfl_down_sync(live, (int)t, 8);
	if (good && (t & 31) + 8 >= (t < 32 ? 32 : 12))
		return;
	if (o > 40)
		out[t] = o;
}

// lanes from n on have exited
extern "C" __global__ void exited(int *out, int n, int good)
{
	const int t = threadIdx.x;
	if (t >= n)
		return;
	const int o = __shfl_xor_sync(ALL, t, 16);
	out[t] = good && (t ^ 16) >= n ? t : out[o];
}

// the mask names the lower half, some of which read the upper one
extern "C" __global__ void unnamed(int *out, int from)
{
	const int t = threadIdx.x;
	if (t < 16)
		out[t] = __shfl_sync(0xffffu, t, from);
	else
		out[t] = __shfl_sync(0xffff0000u, t, 16);
}

// the sum of a tile of 16 in a block of 16, and of 32 lanes with zeros in those that have no element
extern "C" __global__ void sums(int *out, int n)
{
	const int t = threadIdx.x;
	int v = t, w = t < n ? t : 0;
	for (int d = 8; d; d >>= 1)
		v += __shfl_down_sync(0xffffu, v, d, 16);
	for (int d = 8; d; d >>= 1)
		w += __shfl_xor_sync(0xffffu, w, d);
	if (t == 0)
		out[0] = v + w;
}

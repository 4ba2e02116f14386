/* find-nan in performance mode. PTX: nvcc -arch=sm_75 -ptx -lineinfo nan-order.cu */

/* Between the warps of a block there is a barrier in each round: one order. The infinity is born in round 40, in thread 70 of block 1. */
extern "C" __global__ void ordered(float *x, int rounds)
{
	__shared__ float t[2][130];
	const int i = threadIdx.x;
	float *own = &x[blockIdx.x * blockDim.x + i];
	t[0][i + 1] = *own;
	if (!i)
		t[0][0] = t[0][129] = t[1][0] = t[1][129] = 0;
	__syncthreads();
	int c = 0;
#pragma unroll 1
	for (int r = 0; r < rounds; r++, c ^= 1) {
		float v = 0.25f * t[c][i] + 0.5f * t[c][i + 1] + 0.25f * t[c][i + 2];
		if (r == 40 && i == 70 && blockIdx.x == 1)
			v = 3e38f * (v + 2.0f);
		t[c ^ 1][i + 1] = v;
		__syncthreads();
	}
	*own = t[c][i + 1];
}

/* Four warps write the same elements, warp 0 last: it makes more rounds. In functional mode warp 3 would be last. */
extern "C" __global__ void unordered(float *x, int rounds)
{
	float a = 1.0f;
	const int mine = threadIdx.x < 32 ? rounds + 300 : rounds;
#pragma unroll 1
	for (int r = 0; r < mine; r++)
		a *= 2.0f;
	x[threadIdx.x % 32] = a;
}

/* Values that were made long ago, for who-wrote, why and find-nan. PTX: nvcc -arch=sm_75 -ptx -lineinfo late.cu */

/* a is written once, at the start. */
extern "C" __global__ void late(float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float a = out[t] * 3.0f;
	float b = 1.0f, m = 0.0f;
#pragma unroll 1
	for (int i = 0; i < n; i++) {
		b = b * 1.0001f + 0.5f;
		if ((i & 1048575) == 3)
			m = b * a;
	}
	out[t] = a + b + m;
}

/* b overflows in round 8,900; the difference is no number from then on. */
extern "C" __global__ void grow(float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float a = out[t], b = 1.0f, c = 0.0f;
#pragma unroll 1
	for (int i = 0; i < n; i++) {
		b = b * 1.01f + 0.5f;
		c = c * 0.5f + (b * a - b);
	}
	out[t] = c;
}

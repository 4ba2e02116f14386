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

/* Overflows in round 128; from then on the infinity goes through memory in each round. */
extern "C" __global__ void rounds(volatile float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	out[t] = 1.0f;
#pragma unroll 1
	for (int i = 0; i < n; i++)
		out[t] = out[t] * 2.0f;
}

/* As rounds, by way of the neighbour's element. */
extern "C" __global__ void passed(volatile float *out, volatile float *next, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, other = blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x;
	out[t] = 1.0f;
	__syncthreads();
#pragma unroll 1
	for (int i = 0; i < n; i++) {
		next[t] = out[other] * 2.0f;
		__syncthreads();
		out[t] = next[t];
		__syncthreads();
	}
}

// Accesses that leave the variable their address is computed from, and lie in its neighbour; and some that may not be judged: pointers that
// swap, an address that a function is given.
// nvcc -arch=sm_75 -ptx -lineinfo neighbours.cu
__constant__ float ca[4], cb[4];
extern __shared__ int dyn[];
__shared__ int modsh[8];
extern "C" __global__ void over(const float *in, float *out, int off)
{
	__shared__ float a[32];
	__shared__ float b[32];
	a[threadIdx.x] = in[threadIdx.x];
	b[threadIdx.x] = 2;
	__syncthreads();
	float s = 0;
	for (int k = 0; k < 4; k++)
		s += a[threadIdx.x + k];	// the last threads read b
	out[threadIdx.x] = s + b[31 - threadIdx.x];
}
extern "C" __global__ void under(float *out, int off)
{
	__shared__ float a[32];
	a[threadIdx.x] = 1;
	dyn[threadIdx.x] = 1;
	modsh[threadIdx.x & 7] = 3;
	__syncthreads();
	out[threadIdx.x] = a[threadIdx.x] + dyn[threadIdx.x + off] + modsh[threadIdx.x & 7];
}
extern "C" __global__ void cst(float *out, int off)
{
	out[threadIdx.x] = ca[threadIdx.x + off] + cb[threadIdx.x];
}
extern "C" __global__ void pp(float *out, int n)
{
	__shared__ float a[32], b[32];
	float *p = a, *q = b;
	p[threadIdx.x] = 1; q[threadIdx.x] = 2;
	for (int k = 0; k < n; k++) {
		__syncthreads();
		q[threadIdx.x] += p[threadIdx.x ^ 1];
		float *t = p; p = q; q = t;
	}
	out[threadIdx.x] = p[threadIdx.x];
}
__device__ __noinline__ float sum(const float *v, int n) { float s = 0; for (int k = 0; k < n; k++) s += v[k]; return s; }
extern "C" __global__ void viacall(float *out, int n)
{
	__shared__ float a[32], b[32];
	a[threadIdx.x] = 1; b[threadIdx.x] = 2;
	__syncthreads();
	out[threadIdx.x] = sum(a, n) + sum(b, 32);
}

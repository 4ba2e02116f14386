// One mistake a kernel, for the memory and the sync checker.
extern "C" __global__ void past(float *z, const float *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	z[i] = 2 * x[i];
}
extern "C" __global__ void misaligned(char *p) { *(int *)(p + 4 * threadIdx.x + 2) = 1; }
extern "C" __global__ void freed(int *out) {
	int *p = (int *)malloc(16);
	p[1] = 7;
	free(p);
	out[0] = p[1];
	free(p);
	free(out);
}
extern "C" __global__ void shared_end(int *out, int i) {
	__shared__ int s[8];
	s[threadIdx.x] = 1;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x + i];
}
extern "C" __global__ void divergent(int *out) {
	if (threadIdx.x < 16)
		__syncthreads();
	out[threadIdx.x] = 2;
}
extern "C" __global__ void two_barriers(int *out) {
	if (threadIdx.x < 16)
		__syncthreads();
	else
		__syncthreads();
	out[threadIdx.x] = 2;
}
extern "C" __global__ void missing(int *out) {
	int v = threadIdx.x;
	if (threadIdx.x < 16)
		v += __shfl_sync(0xffffffff, v, 0);
	else
		__syncthreads();
	out[threadIdx.x] = v;
}
extern "C" __global__ void not_in_mask(int *out) { out[threadIdx.x] = __shfl_sync(0xfffffffe, threadIdx.x, 1); }
// none: threads that have nothing to do are gone
extern "C" __global__ void gone(int *out, int n) {
	if (threadIdx.x >= n)
		return;
	__syncthreads();
	out[threadIdx.x] = __shfl_sync(0xffffffff, threadIdx.x, 0);
}

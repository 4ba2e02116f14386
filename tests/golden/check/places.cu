// Places of findings: code of the toolkit, copies of one line, addresses that lie in no allocation.
// nvcc -ptx -arch=sm_75 -lineinfo places.cu -o places.ptx; nvcc -ptx -arch=sm_75 -G places.cu -o places-debug.ptx
extern "C" __global__ void scan(int *out, unsigned mask) {
	int t = threadIdx.x, v = t;
	if (t < 16)
		for (int d = 1; d < 16; d <<= 1) {
			int u = __shfl_up_sync(mask, v, d);
			if (t >= d) v += u;
		}
	__syncthreads();
	out[t] = v;
}
extern "C" __global__ void count(int *bins, int n) {
	if (n)
		bins[threadIdx.x & 1] = 0;
	atomicAdd(&bins[threadIdx.x & 1], 1);
	atomicAdd(&bins[1], 1);
}
extern "C" __global__ void give(int **slot, int shared) {
	__shared__ int s[32];
	int l[8];
	s[threadIdx.x] = 5;
	for (int i = 0; i < 8; i++)
		l[i] = shared + i;
	__syncthreads();
	if (threadIdx.x == 0)
		*slot = shared ? &s[3] : &l[shared];
}
extern "C" __global__ void use_null(int **slot, int *out) { *out = **slot; }
extern "C" __global__ void use_shared(int **slot, int *out) { *out = **slot; }
extern "C" __global__ void use_local(int **slot, int *out) { *out = **slot; }
extern "C" __global__ void write_end(int *p, long i) { p[i] = 1; }
extern "C" __global__ void write_null(int *p, long i) { p[i] = 1; }
extern "C" __global__ void write_far(int *p, long i) { p[i] = 1; }
extern "C" __global__ void use_freed(int n) {
	int *p = (int *)malloc(n);
	free(p);
	p[1] = 7;
}
extern "C" __global__ void unset(int *out) {
	__shared__ int v[4];
	if (out == nullptr)
		v[0] = v[1] = v[2] = v[3] = 1;
	int first = v[1], n = 0;
	for (int i = 0; i < 8; i++)
		if (first > out[i])
			atomicAdd(out + i, ++n);
}

// Parents and children: a launch orders what its thread did before. nvcc -ptx -rdc=true -arch=sm_75 -lineinfo children.cu
extern "C" __global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x + 10; }
extern "C" __global__ void sum(const int *p, int n, int *out) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; *out = s; }
// reads what the child may not have written yet
extern "C" __global__ void reads_early(int *p, int *out) {
	fill<<<1, 32>>>(p);
	*out = p[3];
}
extern "C" __global__ void child_reads(int *p, int *out) {
	p[threadIdx.x] = 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		fill<<<1, 32>>>(p);
		sum<<<1, 1>>>(p, 32, out);
	}
}
// no barrier between the other warp's writes and the launch
extern "C" __global__ void no_barrier(int *p, int *out) {
	p[threadIdx.x] = 1;
	if (threadIdx.x == 0)
		sum<<<1, 1>>>(p, 64, out);
}
// two children in different streams
extern "C" __global__ void siblings(int *p) {
	cudaStream_t a, b;
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	fill<<<1, 32, 0, a>>>(p);
	sum<<<1, 1, 0, b>>>(p, 32, p + 40);
}
// a tail launch comes after the parent and its children
extern "C" __global__ void tail(int *p, int *out) {
	sum<<<1, 1, 0, cudaStreamTailLaunch>>>(p, 32, out);
	fill<<<1, 32>>>(p);
	p[33] = 1;
}

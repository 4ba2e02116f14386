// Lanes of one warp by the letter of the ISA. nvcc -ptx -arch=sm_75 -lineinfo strict.cu
extern "C" __global__ void tail(int *out, int how) {
	__shared__ int s[64];
	int t = threadIdx.x, a = 0;
	s[t] = t;
	if (how == 1) __syncwarp();
	if (how == 2) a = __shfl_xor_sync(~0u, t, 1);
	if (how == 3) a = __ballot_sync(~0u, t > 3);
	if (how == 4) a = __match_any_sync(~0u, t);
	if (how == 5) __syncwarp(t < 16 ? 0xffff : 0xffff0000);
	out[t] = s[31 - t] + a;
}
extern "C" __global__ void is_volatile(int *out) {
	__shared__ volatile int s[64];
	s[threadIdx.x] = threadIdx.x;
	out[threadIdx.x] = s[31 - threadIdx.x];
}

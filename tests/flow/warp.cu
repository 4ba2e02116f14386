/* Warp-level instructions that lanes reach on different ways: through calls on both sides of a branch, after loops of different lengths, in
 * two halves that produce and consume. Built for the device by nvcc -arch=sm_80 -ptx warp.cu; on the host (-x c -fwrapv
 * -DSEED=7) it is what each thread has to get. */
#ifdef __CUDACC__
__device__ __noinline__ int mirrored(int v) { return __shfl_sync(0xffffffffu, v, 31 - (threadIdx.x & 31)); }

extern "C" __global__ void k(int *o, int n)
{
	__shared__ volatile int s[128];
	int t = threadIdx.x, l = t & 31, r, acc = 0;
	if (l % 3 == 0)
		r = mirrored(t * 10) + 1;
	else
		r = mirrored(t * 10 + 5) * 2;
	for (int i = 0; i < l % n; i++)
		acc += i;
	acc += __reduce_add_sync(0xffffffffu, acc);
	if (l < 16) {
		for (int i = 0; i < 5; i++) {
			s[t] = t + i;
			__syncwarp();
			__syncwarp();
			acc += s[t];
		}
	} else {
		for (int i = 0; i < 5; i++) {
			__syncwarp();
			s[t - 16] *= 2;
			acc += s[t - 16];
			__syncwarp();
		}
	}
	o[blockIdx.x * blockDim.x + t] = r * 100000 + acc;
}
#else
#include <stdio.h>

static int given(int t) { return t * 10 + (t % 32 % 3 ? 5 : 0); }

static int counted(int l) { return (l % SEED) * (l % SEED - 1) / 2; }

int main(void)
{
	for (int n = 0; n < 256; n++) {
		int t = n % 128, l = t % 32, m = t - l + 31 - l, acc = counted(l);
		int r = l % 3 ? given(m) * 2 : given(m) + 1;
		for (int k = 0; k < 32; k++)
			acc += counted(k);
		for (int i = 0; i < 5; i++)
			acc += 2 * ((l < 16 ? t : t - 16) + i);
		int v = (int)((unsigned)r * 100000 + (unsigned)acc);
		fwrite(&v, sizeof v, 1, stdout);
	}
}
#endif

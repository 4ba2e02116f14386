// nvcc -arch=sm_75 -ptx runtime.cu
#include <cassert>
#include <cstdio>

extern "C" __global__ void say(int *out)
{
	int t = threadIdx.x;
	char mine[16];
	__shared__ char ours[8];
	for (int k = 0; k < 15; k++)
		mine[k] = 'a' + (k + t) % 26;
	mine[15] = 0;
	if (t == 0) {
		ours[0] = 's';
		ours[1] = 'h';
		ours[2] = 0;
	}
	__syncthreads();
	if (t < 3)
		out[t] = printf("t=%d %s %-4s| %5.2f %lld %c %#x %p %*d%%\n", t, mine, ours, t * 1.5, (long long)t << 40, 'A' + t, t * 17,
				(void *)0, 4, -t);
}

extern "C" __global__ void heap(int *out)
{
	int *p = (int *)malloc(16 * sizeof(int));
	int sum = 0;
	for (int k = 0; k < 16; k++)
		p[k] = k * threadIdx.x;
	for (int k = 0; k < 16; k++)
		sum += p[k];
	out[threadIdx.x] = sum;
	free(p);
}

extern "C" __global__ void check(int n) { assert(threadIdx.x < n); }

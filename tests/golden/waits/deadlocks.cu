/* Waits that nobody ends, and waits with a limit. nvcc -arch=sm_75 -ptx deadlocks.cu; debug.ptx: nvcc -arch=sm_75 -G -ptx -o debug.ptx deadlocks.cu */
/* Two locks taken by each warp in its own order, eight of them by each of a round, one lock twice */
__device__ void take(int *lock)
{
	while (atomicCAS(lock, 0, 1))
		;
}
__device__ void release(int *lock) { atomicExch(lock, 0); }
extern "C" __global__ void lock_twice(int *lock)
{
	if (threadIdx.x % 32)
		return;
	take(lock);
	take(lock);
	release(lock);
}
extern "C" __global__ void lock_round(int *locks)
{
	const int w = (int)threadIdx.x / 32, n = (int)blockDim.x / 32;
	if (threadIdx.x % 32)
		return;
	take(&locks[w]);
	__threadfence();
	for (int k = 0; k < 200; k++)
		atomicAdd(&locks[n + w], 1);
	take(&locks[(w + 1) % n]);
	release(&locks[(w + 1) % n]);
	release(&locks[w]);
}

/* Waits for a block that can't become resident: each waits for the last one */
extern "C" __global__ void wait_for_last(volatile int *flag, int *out)
{
	if (!threadIdx.x) {
		if (blockIdx.x + 1 == gridDim.x)
			*flag = 1;
		unsigned n = 0;
		while (!*flag)
			n++;
		out[blockIdx.x] = (int)n;
	}
}

/* Ends by itself: the wait is limited by a count, and by a clock */
extern "C" __global__ void wait_a_while(volatile int *flag, int *out, int most)
{
	int n = 0;
	while (!*flag && n < most)
		n++;
	const long long from = clock64();
	while (!*flag && clock64() - from < most)
		;
	if (!threadIdx.x)
		out[blockIdx.x] = n;
}

/* Goes round for ever, and counts, and does something else each 1024 rounds */
extern "C" __global__ void wait_counting(volatile int *flag, int *out)
{
	unsigned n = 0;
	while (!*flag)
		if (!(++n & 1023))
			__nanosleep(n);
	out[0] = (int)n;
}

// Lanes of one warp that wait for each other. Each kernel ends on GPUs with independent thread scheduling (Volta and later) and hangs
// on older ones, unless its comment says otherwise.
//
// PTX: nvcc -arch=sm_75 -ptx -lineinfo ways.cu, then the folders taken out of its .file lines; ways-g.ptx: the same with -G;
// ways-sm60.ptx: ways.ptx with `.target sm_60` and without lock_sleep

// A lock that every lane takes; the release stands behind the loop.
extern "C" __global__ void lock_while(int *lock, volatile int *sum, int n)
{
	for (int i = 0; i < n; i++) {
		while (atomicCAS(lock, 0, 1) != 0)
			;
		__threadfence();
		*sum = *sum + (int)threadIdx.x + 1;
		__threadfence();
		atomicExch(lock, 0);
	}
}

// The release stands inside the loop, where the compiler leaves it there.
extern "C" __global__ void lock_if(int *lock, volatile int *sum)
{
	bool done = false;
	while (!done) {
		if (atomicCAS(lock, 0, 1) == 0) {
			*sum = *sum + 1;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
	}
}

// Lanes meet again behind the critical section, and shuffle; out[i] = sum of 0 .. 31.
extern "C" __global__ void lock_then_shuffle(int *lock, volatile int *sum, int *out)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
	*sum = *sum + 1;
	__threadfence();
	atomicExch(lock, 0);
	__syncwarp();
	int v = threadIdx.x & 31;
	for (int k = 16; k; k >>= 1)
		v += __shfl_xor_sync(0xffffffff, v, k);
	out[threadIdx.x] = v;
}

// ... and a barrier of the block, behind which everybody sees what all have added.
extern "C" __global__ void lock_then_barrier(int *lock, volatile int *sum, int *out)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
	*sum = *sum + 1;
	__threadfence();
	atomicExch(lock, 0);
	__syncthreads();
	out[threadIdx.x] = *sum;
}

// Back-off by sleeping, longer and longer. Ends everywhere: who sleeps lets others run.
extern "C" __global__ void lock_sleep(int *lock, volatile int *sum)
{
	unsigned ns = 8;
	while (atomicCAS(lock, 0, 1) != 0) {
		__nanosleep(ns);
		if (ns < 256)
			ns *= 2;
	}
	*sum = *sum + 1;
	__threadfence();
	atomicExch(lock, 0);
}

// Back-off by counting, longer and longer: no state comes twice.
extern "C" __global__ void lock_count(int *lock, volatile int *sum, int *tries)
{
	int n = 0;
	while (atomicCAS(lock, 0, 1) != 0) {
		n++;
		for (int k = 0; k < (n & 7); k++)
			asm volatile("" ::: "memory");
	}
	*sum = *sum + 1;
	__threadfence();
	atomicExch(lock, 0);
	tries[threadIdx.x] = n;
}

// Lane k waits for lane k + 1 in global memory.
extern "C" __global__ void chain_global(volatile int *flag, int *out)
{
	int k = threadIdx.x;
	if (k + 1 < (int)blockDim.x)
		while (flag[k + 1] == 0)
			;
	out[k] = k + 1 < (int)blockDim.x ? flag[k + 1] + 1 : 1;
	__threadfence();
	flag[k] = out[k];
}

// ... the other way round: lane k waits for lane k - 1.
extern "C" __global__ void chain_back(volatile int *flag, int *out)
{
	int k = threadIdx.x;
	if (k)
		while (flag[k - 1] == 0)
			;
	out[k] = k ? flag[k - 1] + 1 : 1;
	__threadfence();
	flag[k] = out[k];
}

// ... in shared memory.
extern "C" __global__ void chain_shared(int *out)
{
	__shared__ volatile int flag[64];
	int k = threadIdx.x;
	flag[k] = 0;
	__syncthreads();
	if (k + 1 < (int)blockDim.x)
		while (flag[k + 1] == 0)
			;
	flag[k] = k + 1 < (int)blockDim.x ? flag[k + 1] + 1 : 1;
	__syncthreads();
	out[k] = flag[k];
}

// ... by atomics in shared memory.
extern "C" __global__ void chain_atomic(int *out)
{
	__shared__ int flag[64];
	int k = threadIdx.x;
	flag[k] = 0;
	__syncthreads();
	int v = 0;
	if (k + 1 < (int)blockDim.x)
		while ((v = atomicAdd(&flag[k + 1], 0)) == 0)
			;
	atomicExch(&flag[k], v + 1);
	out[k] = v + 1;
}

// Two locks, the one inside the other; each lane adds to both sums.
extern "C" __global__ void two_locks(int *locks, volatile int *sums)
{
	while (atomicCAS(&locks[0], 0, 1) != 0)
		;
	sums[0] = sums[0] + 1;
	while (atomicCAS(&locks[1], 0, 1) != 0)
		;
	sums[1] = sums[1] + 2;
	__threadfence();
	atomicExch(&locks[1], 0);
	__threadfence();
	atomicExch(&locks[0], 0);
}

// A ticket each, served in turn.
extern "C" __global__ void ticket(unsigned *next, volatile unsigned *now, volatile int *sum)
{
	unsigned mine = atomicAdd(next, 1);
	while (*now != mine)
		;
	*sum = *sum * 3 + 1;
	__threadfence();
	*now = mine + 1;
}

// Each lane waits until all have come, three times.
extern "C" __global__ void rounds(int *arrived, int *out)
{
	int seen = 0;
	for (int k = 1; k <= 3; k++) {
		atomicAdd(arrived, 1);
		while ((seen = atomicAdd(arrived, 0)) < k * (int)blockDim.x)
			;
		// the word goes on counting while others are still in this round
	}
	out[threadIdx.x] = seen;
}

__device__ __noinline__ void put(volatile int *slot, int v)
{
	while (*slot != 0)
		;
	*slot = v;
}

__device__ __noinline__ int get(volatile int *slot)
{
	int v;
	while ((v = *slot) == 0)
		;
	*slot = 0;
	return v;
}

// Lanes 0 .. 15 produce, 16 .. 31 consume, both inside calls. out[k] = sum of n values.
extern "C" __global__ void pairs(volatile int *slots, int *out, int n)
{
	int k = threadIdx.x & 15, sum = 0;
	for (int i = 1; i <= n; i++) {
		if (threadIdx.x < 16)
			put(&slots[k], i * (k + 1));
		else
			sum += get(&slots[k]);
	}
	if (threadIdx.x >= 16)
		out[k] = sum;
}

// Two lanes take two locks in different order, and each has one: a deadlock everywhere.
extern "C" __global__ void crossed(int *locks, volatile int *has)
{
	int k = threadIdx.x & 1;
	if (threadIdx.x < 2) {
		while (atomicCAS(&locks[k], 0, 1) != 0)
			;
		has[k] = 1;
		while (has[1 - k] == 0)
			;
		while (atomicCAS(&locks[1 - k], 0, 1) != 0)
			;
	}
}

// The lock is taken and never given back: a deadlock everywhere.
extern "C" __global__ void kept(int *lock, int *out)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
	out[threadIdx.x] = 1;
}

// Locks that are never released: by a thread that left, in opposite order, by exchange, and in shared memory.
__device__ int mutex[4];

__device__ void take(int *lock)
{
	while (atomicCAS(lock, 0, 1) != 0)
		;
}

__device__ void give(int *lock)
{
	__threadfence();
	atomicExch(lock, 0);
}

// blocks 0 and 1 take two locks in opposite order, and meet in between
__global__ void opposite(int *a, int *b, int *met, int *sum)
{
	if (threadIdx.x)
		return;
	int *first = blockIdx.x ? b : a, *second = blockIdx.x ? a : b;
	take(first);
	atomicAdd(met, 1);
	while (*(volatile int *)met < 2)
		;
	take(second);
	*sum += 1;
	give(second);
	give(first);
}

// the first thread to come leaves with the lock
__global__ void leaves(int *sum)
{
	if (threadIdx.x % 32)
		return;
	while (atomicExch(&mutex[1], 1))
		;
	if (*sum == 0) {
		*sum = 1;
		return;
	}
	*sum += 1;
	atomicExch(&mutex[1], 0);
}

// a thread waits at the barrier with the lock that the other warp needs
__global__ void in_barrier(int *sum)
{
	__shared__ int lock;
	if (threadIdx.x == 0)
		lock = 0;
	__syncthreads();
	if (threadIdx.x % 32 == 0) {
		take(&lock);
		*sum += 1;
	}
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		give(&lock);
}

// block 0 counts to 1, block 1 waits for 2
__global__ void flag(int *count, int *unused)
{
	if (blockIdx.x == 0 && threadIdx.x == 3)
		atomicAdd(count, 1);
	if (blockIdx.x == 1 && threadIdx.x == 0)
		while (*(volatile int *)count < 2)
			;
}

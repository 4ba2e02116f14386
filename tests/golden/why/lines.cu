/* A deadlock in an inlined function, and one in a block while another block runs. nvcc -arch=sm_75 -lineinfo -ptx, folders taken out of .file */
__device__ __forceinline__ void take(int *lock)
{
	while (atomicCAS(lock, 0, 1))
		;
}
extern "C" __global__ void lock_twice(int *lock)
{
	if (threadIdx.x % 32)
		return;
	take(lock);
	take(lock);
	atomicExch(lock, 0);
}
extern "C" __global__ void barriers(int *sum)
{
	if (blockIdx.x == 0) {
		if (threadIdx.x < 32)
			__syncthreads();
		else
			asm volatile("barrier.sync 1, 64;");
	}
	for (int i = 0; i < 1000; i++)
		atomicAdd(sum, 1);
}

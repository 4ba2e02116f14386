// Launches that wait: nvcc -rdc=true -DCUDA_FORCE_CDP1_IF_SUPPORTED -D__CDPRT_SUPPRESS_SYNC_DEPRECATION_WARNING -arch=compute_75 -ptx waiting-launches.cu
__global__ void child(int *p) { atomicAdd(p, 1); }

// Each thread waits for a child.
__global__ void parent(int *p)
{
	child<<<1, 32>>>(p);
	cudaDeviceSynchronize();
}

// One thread of a block waits for a child, and the others go on.
__global__ void first_waits(int *p, int *out)
{
	if (threadIdx.x == 0) {
		child<<<1, 32>>>(p);
		cudaDeviceSynchronize();
	}
	out[threadIdx.x] = 1;
}

// Waits for what a child writes.
__global__ void polls(int *p)
{
	if (threadIdx.x == 0)
		child<<<1, 32>>>(p);
	while (*(volatile int *)p == 0)
		;
}

// Each kernel waits until n have begun.
__global__ void meet(volatile int *begun, int n)
{
	atomicAdd((int *)begun, 1);
	while (*begun < n)
		;
}

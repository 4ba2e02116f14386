// nvcc -rdc=true -arch=compute_75 -ptx children.cu
#include <cstdio>

__global__ void say(int depth, int thread, int most)
{
	printf("depth %d: thread %d, launched by %d\n", depth, threadIdx.x, thread);
	if (depth < most && threadIdx.x == 1)
		say<<<1, 2>>>(depth + 1, threadIdx.x, most);
}

__global__ void add(int *p, int v) { atomicAdd(p, v); }
__global__ void note(int *order, int *next, int what) { order[atomicAdd(next, 1)] = what; }

// what a stream begins with goes on in order; a tail launch comes last, although it was launched first
__global__ void streams(int *order, int *next)
{
	cudaStream_t s;
	cudaEvent_t e;
	note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, next, 9);
	note<<<1, 1>>>(order, next, 1);
	note<<<1, 1>>>(order, next, 2);
	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
	cudaEventRecord(e, 0);
	cudaStreamWaitEvent(s, e, 0);
	note<<<1, 1, 0, s>>>(order, next, 3);
	note<<<1, 1, 0, s>>>(order, next, 4);
	cudaStreamDestroy(s);
	cudaEventDestroy(e);
	note<<<1, 1, 0, cudaStreamTailLaunch>>>(order, next, 10);
}

// every thread launches
__global__ void many(int *p)
{
	add<<<2, 32>>>(p, threadIdx.x);
	if (threadIdx.x == 0)
		add<<<1, 1, 0, cudaStreamFireAndForget>>>(p + 1, 5);
}

__global__ void errors(int *out)
{
	int v = 0;
	out[0] = cudaGetLastError();
	add<<<1, 2000>>>(out, 1);
	out[1] = cudaPeekAtLastError();
	out[2] = cudaGetLastError();
	out[3] = cudaGetLastError();
	out[4] = cudaGetDevice(&v);
	out[5] = v;
	out[6] = cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0);
	out[7] = v;
	out[8] = cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1);
	out[9] = cudaStreamDestroy((cudaStream_t)0x12340);
	out[10] = cudaStreamCreateWithFlags((cudaStream_t *)out, 0);
	printf("%s, %s\n", cudaGetErrorString(cudaErrorInvalidConfiguration), cudaGetErrorName(cudaErrorLaunchMaxDepthExceeded));
}

// rounds of doubling: memset, copies, memory of the heap
__global__ void copies(int *out)
{
	int *p;
	out[0] = cudaMalloc(&p, 64);
	out[1] = cudaMemsetAsync(p, 1, 64, 0);
	out[2] = cudaMemcpyAsync(out + 8, p, 32, cudaMemcpyDeviceToDevice, 0);
	out[3] = cudaMemset2DAsync(out + 16, 16, 2, 8, 2, 0);
	out[4] = cudaMemcpy2DAsync(out + 24, 8, p, 16, 8, 3, cudaMemcpyDeviceToDevice, 0);
	out[5] = cudaMemcpyAsync(out, p, 1 << 20, cudaMemcpyDeviceToDevice, 0);
	out[6] = cudaFree(p);
	out[7] = cudaFree(p);
}

__global__ void far(int *p) { p[1000] = 1; }
__global__ void wrong(int *p)
{
	if (threadIdx.x == 33)
		far<<<2, 1>>>(p);
}

// no end of it
__global__ void deeper(int *depth, int *error)
{
	*depth += 1;
	deeper<<<1, 1>>>(depth, error);
	int e = cudaGetLastError();
	if (e)
		*error = e;
}

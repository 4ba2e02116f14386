/* A latch that not all threads count down. nvcc -arch=sm_75 -G -ptx; without the sections of debug information, and folders outside of the toolkit
 * taken out of .file; long names are numbered, and labels that only debug information uses left out */
#include <cuda/latch>

extern "C" __global__ void make_latch(cuda::latch<cuda::thread_scope_device> *l, int n) { new (l) cuda::latch<cuda::thread_scope_device>(n); }
extern "C" __global__ void wait_latch(cuda::latch<cuda::thread_scope_device> *l, int *out)
{
	if (!threadIdx.x)
		l->arrive_and_wait();
	__syncthreads();
	atomicAdd(out, 1);
}

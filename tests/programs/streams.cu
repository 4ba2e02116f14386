// Kernels of streams.c and graphs.c.
extern "C" __global__ void work(unsigned *p, unsigned n)
{
	unsigned k = 0;
	for (unsigned i = 0; i < n; i++)
		asm volatile("add.u32 %0, %0, 1;" : "+r"(k));
	p[blockIdx.x] = k;
}

extern "C" __global__ void add(unsigned *p, unsigned n) { p[threadIdx.x] += n; }

extern "C" __global__ void scale(unsigned *p, unsigned n) { p[threadIdx.x] *= n; }

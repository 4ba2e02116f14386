// Kernels of aliases.c: memory with several addresses.
extern "C" __global__ void copy_words(unsigned *to, const unsigned *from) { to[threadIdx.x] = from[threadIdx.x]; }

extern "C" __global__ void count(unsigned *p) { atomicAdd(p, 1u); }

// Lanes use both addresses in one instruction.
extern "C" __global__ void both(unsigned *even, unsigned *odd)
{
	unsigned *p = threadIdx.x & 1 ? odd : even;
	p[threadIdx.x] = 100 + threadIdx.x;
}

// Across the end of a mapping: each thread has four words.
extern "C" __global__ void stream(uint4 *p, unsigned first)
{
	const unsigned n = first + threadIdx.x * 4;
	p[threadIdx.x] = make_uint4(n, n + 1, n + 2, n + 3);
}

// Two blocks write one word, by two addresses.
extern "C" __global__ void race(unsigned *a, unsigned *b)
{
	if (!threadIdx.x)
		*(blockIdx.x ? a : b) = blockIdx.x;
}

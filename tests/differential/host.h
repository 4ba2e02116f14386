/* Enough of CUDA's C to run kernels.cu on the host: one block at a time, each thread a coroutine so that barriers work. */
#ifndef HOST_H
#define HOST_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t u32;
typedef unsigned long long u64;
typedef long long s64;
struct dim { u32 x, y, z; };
extern struct dim threadIdx, blockIdx, blockDim, gridDim;
void __syncthreads(void);

#define KERNEL void
#define DEVICE static
#define NOINLINE __attribute__((noinline))
#define CONSTANT static const
#define SHARED static

static inline float AS_FLOAT(u32 x)
{
	float f;
	memcpy(&f, &x, sizeof f);
	return f;
}
static inline u32 AS_BITS(float f)
{
	u32 x;
	memcpy(&x, &f, sizeof x);
	return x;
}
static inline int POPCOUNT(u32 x) { return __builtin_popcount(x); }
static inline int CLZ(u32 x) { return x ? __builtin_clz(x) : 32; }
static inline u32 REVERSE(u32 x)
{
	u32 r = 0;
	for (int i = 0; i < 32; i++)
		r |= (x >> i & 1) << (31 - i);
	return r;
}

#endif

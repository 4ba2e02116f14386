/* Enough of CUDA's C++ to run programs.cu on the host: one block at a time, each thread a coroutine. Shuffles and votes exchange
 * values between two barriers of the block, so they must stand where all of its threads come along. */
#ifndef HOST_PROGRAMS_H
#define HOST_PROGRAMS_H

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

typedef uint32_t u32;
typedef unsigned long long u64;
typedef long long s64;
struct dim { u32 x, y, z; };
extern dim threadIdx, blockIdx, blockDim, gridDim;
void __syncthreads();

#define KERNEL void
#define __device__
#define __noinline__ __attribute__((noinline))
#define __constant__ static const
#define __shared__ static
#define DYNAMIC_SHARED(name) extern u32 name[4096]

template <class T, class F> T as(F f)
{
	T t;
	static_assert(sizeof t == sizeof f);
	memcpy(&t, &f, sizeof t);
	return t;
}
static inline u32 __float_as_uint(float f) { return as<u32>(f); }
static inline s64 __double_as_longlong(double d) { return as<s64>(d); }

/* ---- between threads ---- */

extern u64 exchanged[1024];

template <class F> u32 in_warp(u32 value, F read)
{
	exchanged[threadIdx.x] = value;
	__syncthreads();
	u32 r = read(exchanged + (threadIdx.x & ~31u));
	__syncthreads();
	return r;
}
static inline u32 shuffle(u32 x, int from, bool keep) { return in_warp(x, [&](u64 *v) { return keep ? x : (u32)v[from]; }); }
static inline int lane() { return threadIdx.x & 31; }
static inline u32 __shfl_sync(u32, u32 x, int l, int w = 32) { return shuffle(x, (lane() & -w) + (l & (w - 1)), false); }
static inline u32 __shfl_up_sync(u32, u32 x, u32 d, int w = 32) { return shuffle(x, lane() - (int)d, lane() % w < (int)d); }
static inline u32 __shfl_down_sync(u32, u32 x, u32 d, int w = 32) { return shuffle(x, lane() + (int)d, lane() % w + (int)d >= w); }
static inline u32 __shfl_xor_sync(u32, u32 x, int d, int w = 32)
{
	int from = lane() ^ d;
	return shuffle(x, from, from >= (lane() & -w) + w);
}
static inline u32 __ballot_sync(u32, int p)
{
	return in_warp(p != 0, [](u64 *v) { u32 r = 0; for (int k = 0; k < 32; k++) r |= (u32)v[k] << k; return r; });
}
static inline int __any_sync(u32 m, int p) { return __ballot_sync(m, p) != 0; }
static inline int __all_sync(u32 m, int p) { return __ballot_sync(m, p) == ~0u; }
static inline int __syncthreads_count(int p)
{
	exchanged[threadIdx.x] = p != 0;
	__syncthreads();
	int r = 0;
	for (u32 k = 0; k < blockDim.x; k++)
		r += (int)exchanged[k];
	__syncthreads();
	return r;
}
static inline int __syncthreads_or(int p) { return __syncthreads_count(p) > 0; }
static inline int __syncthreads_and(int p) { return __syncthreads_count(p) == (int)blockDim.x; }

namespace cg {
template <int N> struct thread_block_tile {
	u32 size() const { return N; }
	u32 thread_rank() const { return threadIdx.x % N; }
	u32 meta_group_rank() const { return threadIdx.x / N; }
	u32 shfl(u32 x, int l) const { return __shfl_sync(~0u, x, l, N); }
	u32 shfl_down(u32 x, u32 d) const { return __shfl_down_sync(~0u, x, d, N); }
	u32 shfl_xor(u32 x, u32 d) const { return __shfl_xor_sync(~0u, x, (int)d, N); }
	u32 ballot(int p) const { return (u32)((u64)__ballot_sync(~0u, p) >> (lane() & -N) & ((1ull << N) - 1)); }
	int any(int p) const { return ballot(p) != 0; }
};
struct thread_block {
	void sync() const { __syncthreads(); }
	u32 thread_rank() const { return threadIdx.x; }
};
static inline thread_block this_thread_block() { return {}; }
template <int N> thread_block_tile<N> tiled_partition(thread_block) { return {}; }
}

/* ---- atomics: threads don't run at once here ---- */

#define ATOMIC(name, update) \
	template <class T, class U> T name(T *p, U u) { T old = *p, x = (T)u; (void)x; *p = update; return old; }
ATOMIC(atomicAdd, (T)(old + x))
ATOMIC(atomicSub, (T)(old - x))
ATOMIC(atomicMax, x > old ? x : old)
ATOMIC(atomicMin, x < old ? x : old)
ATOMIC(atomicAnd, old & x)
ATOMIC(atomicOr, old | x)
ATOMIC(atomicXor, old ^ x)
ATOMIC(atomicInc, old >= x ? 0 : old + 1)
ATOMIC(atomicDec, old == 0 || old > x ? x : old - 1)
static inline u32 atomicCAS(u32 *p, u32 compare, u32 x)
{
	u32 old = *p;
	if (old == compare)
		*p = x;
	return old;
}

/* ---- integers ---- */

static inline int __popc(u32 x) { return __builtin_popcount(x); }
static inline int __popcll(u64 x) { return __builtin_popcountll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __clzll(s64 x) { return x ? __builtin_clzll((u64)x) : 64; }
static inline u64 __brevll(u64 x)
{
	u64 r = 0;
	for (int k = 0; k < 64; k++)
		r |= (x >> k & 1) << (63 - k);
	return r;
}
static inline u32 __brev(u32 x) { return (u32)(__brevll(x) >> 32); }
static inline u32 __umulhi(u32 x, u32 y) { return (u32)((u64)x * y >> 32); }
static inline int __mulhi(int x, int y) { return (int)((s64)x * y >> 32); }
static inline u64 __umul64hi(u64 x, u64 y) { return (u64)((unsigned __int128)x * y >> 64); }
static inline u32 __umul24(u32 x, u32 y) { return (x & 0xffffff) * (y & 0xffffff); }
static inline u32 __usad(u32 x, u32 y, u32 z) { return (x > y ? x - y : y - x) + z; }
static inline u32 __uhadd(u32 x, u32 y) { return (u32)(((u64)x + y) >> 1); }
static inline u32 __funnelshift_l(u32 lo, u32 hi, u32 s) { return (u32)((((u64)hi << 32 | lo) << (s & 31)) >> 32); }
static inline u32 __funnelshift_r(u32 lo, u32 hi, u32 s) { return (u32)(((u64)hi << 32 | lo) >> (s & 31)); }
static inline u32 byte_of(u64 x, u32 k) { return (u32)(x >> 8 * k) & 255; }
static inline u32 __byte_perm(u32 x, u32 y, u32 s)
{
	u32 r = 0;
	for (int k = 0; k < 4; k++)
		r |= byte_of((u64)y << 32 | x, s >> 4 * k & 7) << 8 * k;
	return r;
}
static inline u32 __dp4a(u32 a, u32 b, u32 c)
{
	for (u32 k = 0; k < 4; k++)
		c += byte_of(a, k) * byte_of(b, k);
	return c;
}
static inline int __dp4a(int a, int b, int c)
{
	for (u32 k = 0; k < 4; k++)
		c += (signed char)byte_of((u32)a, k) * (signed char)byte_of((u32)b, k);
	return c;
}
static inline u32 __vadd4(u32 a, u32 b)
{
	u32 r = 0;
	for (u32 k = 0; k < 4; k++)
		r |= ((byte_of(a, k) + byte_of(b, k)) & 255) << 8 * k;
	return r;
}
static inline u32 __vabsdiffu4(u32 a, u32 b)
{
	u32 r = 0;
	for (u32 k = 0; k < 4; k++)
		r |= (u32)abs((int)byte_of(a, k) - (int)byte_of(b, k)) << 8 * k;
	return r;
}

/* ---- directed rounding: the compiler must not move these ---- */

template <class F> auto rounded(int mode, F f)
{
	int old = fegetround();
	fesetround(mode);
	auto r = f();
	fesetround(old);
	return r;
}
static inline float __fadd_rz(float a, float b) { volatile float x = a, y = b; return rounded(FE_TOWARDZERO, [&] { volatile float r = x + y; return (float)r; }); }
static inline float __fmul_ru(float a, float b) { volatile float x = a, y = b; return rounded(FE_UPWARD, [&] { volatile float r = x * y; return (float)r; }); }
static inline float __fmaf_rd(float a, float b, float c)
{
	volatile float x = a, y = b, z = c;
	return rounded(FE_DOWNWARD, [&] { volatile float r = fmaf(x, y, z); return (float)r; });
}
static inline double __dadd_ru(double a, double b) { volatile double x = a, y = b; return rounded(FE_UPWARD, [&] { volatile double r = x + y; return (double)r; }); }
static inline int __float2int_ru(float f) { return (int)ceilf(f); }
static inline int __float2int_rd(float f) { return (int)floorf(f); }
static inline int __double2int_rn(double d) { return (int)rint(d); }
static inline float __saturatef(float f) { return f < 0 ? 0 : f > 1 ? 1 : f; }

/* ---- half precision: sums and products of halves in single precision round correctly once more ---- */

struct __half { unsigned short bits; };
static inline __half __ushort_as_half(unsigned short b) { return {b}; }
static inline unsigned short __half_as_ushort(__half h) { return h.bits; }
static inline float __half2float(__half h)
{
	int e = h.bits >> 10 & 31, m = h.bits & 1023;
	float f = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf((float)(m + 1024), e - 25) : ldexpf((float)m, -24);
	return h.bits & 0x8000 ? -f : f;
}
static inline __half __float2half_rn(float f)
{
	unsigned short sign = std::signbit(f) ? 0x8000 : 0;
	f = fabsf(f);
	if (f != f)
		return {0x7fff};
	if (f >= 65520.0f)
		return {(unsigned short)(sign | 0x7c00)};
	int e;
	frexpf(f, &e);
	e = e - 11 < -24 ? -24 : e - 11; /* of the last place */
	int m = (int)rintf(ldexpf(f, -e));
	return {(unsigned short)(sign + (f == 0 ? 0 : ((e + 24) << 10) + m))};
}
static inline __half __hadd_rn(__half a, __half b) { return __float2half_rn(__half2float(a) + __half2float(b)); }
static inline __half __hmul_rn(__half a, __half b) { return __float2half_rn(__half2float(a) * __half2float(b)); }
static inline bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
static inline bool __hlt(__half a, __half b) { return __half2float(a) < __half2float(b); }
static inline bool __heq(__half a, __half b) { return __half2float(a) == __half2float(b); }
static inline bool __hge(__half a, __half b) { return __half2float(a) >= __half2float(b); }
static inline int __half2int_rz(__half a) { return (int)__half2float(a); }
static inline __half __int2half_rn(int x) { return __float2half_rn((float)x); }

#endif

// Kernels of the differential test: nvcc makes kernels.ptx of them, gcc builds them for the host (host.h), and both must give
// the same bytes. All take (out, in, n): out and in are arrays of 32-bit words; every thread writes out[i] for its own i only,
// or in ways whose result doesn't depend on order.
// PTX: nvcc -arch=sm_75 -fmad=false -ptx kernels.cu
#ifdef HOST
#include "host.h"
#else
#define KERNEL extern "C" __global__ void
#define DEVICE __device__
#define NOINLINE __noinline__
#define CONSTANT __constant__
#define SHARED __shared__
#define AS_FLOAT(x) __uint_as_float(x)
#define AS_BITS(x) __float_as_uint(x)
#define POPCOUNT(x) __popc(x)
#define CLZ(x) __clz(x)
#define REVERSE(x) __brev(x)
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;
#endif

#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)

KERNEL int_mix(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	u32 x = in[i], y = in[(i + 1) % n];
	for (int k = 0; k < 20; k++) {
		x = x * 1664525u + y;
		y ^= x >> 7;
		x -= y << 3;
		y = (y << 13) | (y >> 19);
		if (x & 1)
			y += x % 1000003u;
		else
			x ^= y / 77u;
	}
	out[i] = x ^ y;
}

KERNEL signed_mix(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	int x = (int)in[i] >> 3, y = (int)(in[(i + 7) % n] | 1) >> 9;
	int q = y ? x / y : 0, r = y ? x % y : 0;
	int m = x < y ? x : y, M = x > y ? x : y;
	int a = x < 0 ? -x : x;
	out[i] = (u32)(q * 31 + r * 17 + m - M + a + (x >> 5) + (y >> 31));
}

KERNEL wide_mix(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	u64 x = ((u64)in[i] << 32) | in[(i + 3) % n];
	s64 y = (s64)(x * 0x9E3779B97F4A7C15ull);
	for (int k = 0; k < 8; k++) {
		x ^= x >> 29;
		x *= 0xBF58476D1CE4E5B9ull;
		y = y / (s64)((x & 0xffff) + 3) - (s64)(x % 1009);
		x += (u64)y;
		y = (y << 17) ^ (y >> 5);
	}
	out[i] = (u32)(x >> 32) ^ (u32)y;
}

KERNEL float_mix(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	float x = (float)(in[i] & 0xffff) / 257.0f - 100.0f, y = (float)(int)in[i] * 1e-5f;
	for (int k = 0; k < 10; k++) {
		x = x * 0.75f + y / (x * x + 1.5f);
		y = sqrtf(fabsf(y - x)) - y * 0.125f;
		if (x > y)
			x = fminf(x, 3.5f) + 1.0f / (fabsf(y) + 0.25f);
		else
			y = fmaxf(y, -2.25f);
	}
	out[i] = AS_BITS(x) ^ (AS_BITS(y) >> 1);
}

KERNEL fused(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	float x = (float)(in[i] & 0xfff) * 0.01f, s = 0;
	for (int k = 0; k < 16; k++)
		s = fmaf(s, x, (float)k - 7.5f);
	out[i] = AS_BITS(s);
}

KERNEL double_mix(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	double x = (double)in[i] / 3.0, y = (double)(int)in[i] * 1e-3;
	for (int k = 0; k < 10; k++) {
		x = sqrt(x * 1.5 + 2.0) - y / (x + 7.0);
		y = y * 0.5 + x;
		x = fabs(x - y);
	}
	out[i] = (u32)(s64)(x * 1e6) ^ (u32)(int)(y * 1e3);
}

KERNEL conversions(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	u32 w = in[i], r = 0;
	float f = (float)(int)w * 1e-4f;
	r += (u32)(int)f;
	r += (u32)(short)(int)f * 3u;
	r += (unsigned char)(w >> 5);
	r ^= (u32)(signed char)(w >> 11);
	r += (u32)(int)floorf(f) + (u32)(int)ceilf(f) * 5u + (u32)(int)truncf(f) * 7u + (u32)(int)rintf(f) * 11u;
	r ^= (u32)(s64)((double)f * 1e5);
	r += AS_BITS((float)((u64)w * w));
	r ^= AS_BITS((float)(s64)((u64)w << 20)) + AS_BITS((float)((double)w * 1.0000001));
	r += (unsigned short)(w * 3u) % 17u;
	out[i] = r;
}

KERNEL bits(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	u32 x = in[i], y = in[(i + 11) % n];
	u32 r = (u32)POPCOUNT(x) + 37u * (u32)CLZ(y) + REVERSE(x ^ y);
	r ^= (x & y) | (~x & (y >> 3));
	r += (x >> (y & 31)) ^ (x << (y & 31));
	r += (u32)((int)x >> (y & 31));
	r ^= (u32)(((u64)x * y) >> 32) + (u32)(((s64)(int)x * (int)y) >> 32);
	out[i] = r;
}

KERNEL narrow(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	unsigned char a = (unsigned char)in[i];
	signed char b = (signed char)(in[i] >> 8);
	short c = (short)(in[i] >> 3);
	unsigned short d = (unsigned short)(in[i] >> 12);
	for (int k = 0; k < 9; k++) {
		a = (unsigned char)(a * 5 + b);
		b = (signed char)(b ^ (c >> 2));
		c = (short)(c * 3 - a);
		d = (unsigned short)(d / ((a & 15) + 1) + (unsigned short)c);
	}
	out[i] = (u32)a | (u32)(unsigned char)b << 8 | (u32)(unsigned short)(c ^ d) << 16;
}

// divergence: every lane goes its own number of rounds
KERNEL collatz(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	u32 x = in[i] % 5000 + 1, steps = 0;
	while (x != 1) {
		if (x & 1)
			x = 3 * x + 1;
		else
			x /= 2;
		steps++;
	}
	out[i] = steps;
}

KERNEL branches(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	u32 r = 1;
	for (int k = 0; k < 6 && i < n; k++) {
		switch ((in[i] >> (4 * k)) & 15) {
		case 0: r += 5; break;
		case 1: r *= 3; // falls through
		case 2: r ^= 0x55; break;
		case 3: continue;
		case 4: r = (r << 5) | (r >> 27); break;
		case 5: for (u32 j = 0; j < (r & 7); j++) r += j * j; break;
		case 6: r -= in[(i + k) % n]; break;
		case 7: if (r & 1) goto out_of_loop; r++; break;
		case 8: r = ~r; break;
		case 9: r += in[i] >> 3; break;
		case 10: r *= 7; break;
		case 11: r ^= r >> 11; break;
		default: r += (u32)k; break;
		}
	}
out_of_loop:
	if (i < n)
		out[i] = r;
}

// local memory: indexed by data
KERNEL local_array(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	u32 a[32];
	for (int k = 0; k < 32; k++)
		a[k] = in[(i + k) % n];
	for (int k = 0; k < 64; k++) {
		u32 from = a[k & 31] & 31, to = (a[(k * 7) & 31] >> 5) & 31;
		a[to] += a[from] ^ (u32)k;
	}
	u32 r = 0;
	for (int k = 0; k < 32; k++)
		r = r * 31 + a[k];
	out[i] = r;
}

DEVICE NOINLINE u32 fibonacci(u32 k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }

KERNEL recursion(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i < n)
		out[i] = fibonacci(in[i] % 11) * 3 + (u32)i;
}

DEVICE NOINLINE u32 op_add(u32 a, u32 b) { return a + b; }
DEVICE NOINLINE u32 op_mul(u32 a, u32 b) { return a * b + 1; }
DEVICE NOINLINE u32 op_mix(u32 a, u32 b) { return (a ^ b) * 2654435761u; }
typedef u32 (*operation)(u32, u32);

KERNEL function_pointers(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	operation ops[3] = {op_add, op_mul, op_mix};
	u32 r = in[i];
	for (u32 k = 0; k < 5; k++)
		r = ops[(r + k) % 3](r, k + 3);
	out[i] = r;
}

struct pair { float a; short b; unsigned char c[6]; double d; };
DEVICE NOINLINE struct pair work_on(struct pair p, int k)
{
	p.a = p.a * 1.5f + (float)k;
	p.b = (short)(p.b + p.c[k % 6]);
	p.c[(k + 1) % 6] ^= (unsigned char)p.b;
	p.d += (double)p.a;
	return p;
}

KERNEL structures(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	struct pair p;
	p.a = (float)(in[i] & 255);
	p.b = (short)in[i];
	for (int k = 0; k < 6; k++)
		p.c[k] = (unsigned char)(in[i] >> k);
	p.d = 0.5;
	for (int k = 0; k < 7; k++)
		p = work_on(p, k);
	out[i] = AS_BITS(p.a) ^ (u32)(unsigned short)p.b ^ ((u32)p.c[3] << 16) ^ (u32)(s64)p.d;
}

CONSTANT u32 table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
CONSTANT float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

KERNEL constants(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	float s = 0;
	for (int k = 0; k < 5; k++)
		s += weights[k] * (float)(in[(i + k) % n] & 1023);
	out[i] = AS_BITS(s) + table[in[i] & 15] * table[(in[i] >> 4) & 15];
}

// shared memory and barriers: prefix sum of each block, then a bitonic sort of it
KERNEL block_scan(u32 *out, const u32 *in, int n)
{
	SHARED u32 a[128];
	u32 t = threadIdx.x, i = GLOBAL_INDEX;
	a[t] = (int)i < n ? in[i] & 0xff : 0;
	__syncthreads();
	for (u32 d = 1; d < blockDim.x; d *= 2) {
		u32 v = t >= d ? a[t - d] : 0;
		__syncthreads();
		a[t] += v;
		__syncthreads();
	}
	if ((int)i < n)
		out[i] = a[t];
}

KERNEL block_sort(u32 *out, const u32 *in, int n)
{
	SHARED u32 a[128];
	u32 t = threadIdx.x, i = GLOBAL_INDEX;
	a[t] = (int)i < n ? in[i] : 0xffffffffu;
	__syncthreads();
	for (u32 k = 2; k <= blockDim.x; k *= 2)
		for (u32 j = k / 2; j > 0; j /= 2) {
			u32 other = t ^ j;
			if (other > t && ((t & k) == 0) == (a[t] > a[other])) {
				u32 v = a[t];
				a[t] = a[other];
				a[other] = v;
			}
			__syncthreads();
		}
	if ((int)i < n)
		out[i] = a[t];
}

KERNEL matrix(u32 *out, const u32 *in, int n)
{
	SHARED float as[8][9], bs[8][9];
	u32 tx = threadIdx.x % 8, ty = threadIdx.x / 8 % 8, half = threadIdx.x / 64;
	float sum = 0;
	for (u32 step = 0; step < 4; step++) {
		if (half == 0)
			as[ty][tx] = (float)(in[(blockIdx.x * 64 + step * 17 + ty * 8 + tx) % (u32)n] & 63);
		else
			bs[ty][tx] = (float)(in[(blockIdx.x * 96 + step * 29 + ty * 8 + tx) % (u32)n] & 31) * 0.5f;
		__syncthreads();
		for (u32 k = 0; k < 8; k++)
			sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	if ((int)GLOBAL_INDEX < n)
		out[GLOBAL_INDEX] = AS_BITS(sum) + half;
}

// bytes at odd addresses
KERNEL byte_walk(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	const unsigned char *p = (const unsigned char *)in;
	u32 h = 2166136261u;
	for (int k = 0; k < 23; k++)
		h = (h ^ p[(i * 3 + k * 5) % (4 * n)]) * 16777619u;
	out[i] = h;
}

KERNEL rare_values(u32 *out, const u32 *in, int n)
{
	int i = (int)GLOBAL_INDEX;
	if (i >= n)
		return;
	float f = AS_FLOAT(in[i]), g = AS_FLOAT(in[(i + 1) % n]);
	u32 r = 0;
	r |= f < g ? 1 : 0;
	r |= f <= g ? 2 : 0;
	r |= f == g ? 4 : 0;
	r |= f != g ? 8 : 0;
	r |= f > g ? 16 : 0;
	r |= !(f >= g) ? 32 : 0;
	r |= f != f ? 64 : 0;
	float m = f + g;
	if (m == m)
		r ^= AS_BITS(m) << 7;
	m = f * g;
	if (m == m)
		r ^= AS_BITS(m) >> 3;
	m = f / g;
	if (m == m)
		r += AS_BITS(m);
	out[i] = r;
}

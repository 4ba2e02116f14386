// Programs of the differential test in C++: nvcc makes programs-*.ptx of them, g++ builds them for the host (host_programs.h), and
// both must give the same bytes. All take (out, in, n) and run as 8 blocks of 128 threads; shuffles, votes and barriers stand
// where all threads of a block come along.
// PTX: nvcc -std=c++17 -fmad=false -ptx -arch=sm_75 programs.cu (sm_100; -G with sm_75), paths cut from .file lines
#ifdef HOST
#include "host_programs.h"
#else
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <new>
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long s64;
namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void
#define DYNAMIC_SHARED(name) extern __shared__ u32 name[]
#endif

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// ---- sorting: odd-even merge network in shared memory ----
KERNEL merge_network(u32 *out, const u32 *in, int n)
{
	__shared__ u32 a[128];
	u32 t = threadIdx.x, i = INDEX;
	a[t] = in[i % n];
	__syncthreads();
	for (u32 p = 1; p < 128; p *= 2)
		for (u32 k = p; k >= 1; k /= 2) {
			u32 lo = 0, hi = 0;
			bool mine = false;
			if (t >= k % p && (t - k % p) % (2 * k) < k && t + k < 128 && t / (2 * p) == (t + k) / (2 * p)) {
				lo = a[t], hi = a[t + k];
				mine = lo > hi;
			}
			__syncthreads();
			if (mine)
				a[t] = hi, a[t + k] = lo;
			__syncthreads();
		}
	if (i < (u32)n)
		out[i] = a[t];
}

// ---- scan with shuffles: warps, then the warps' sums ----
KERNEL shuffle_scan(u32 *out, const u32 *in, int n)
{
	__shared__ u32 sums[4];
	u32 t = threadIdx.x, lane = t & 31, i = INDEX;
	u32 x = in[i % n] & 0xffff;
	for (u32 d = 1; d < 32; d *= 2) {
		u32 y = __shfl_up_sync(0xffffffffu, x, d);
		if (lane >= d)
			x += y;
	}
	if (lane == 31)
		sums[t / 32] = x;
	__syncthreads();
	for (u32 w = 0; w < t / 32; w++)
		x += sums[w];
	if (i < (u32)n)
		out[i] = x;
}

KERNEL shuffles(u32 *out, const u32 *in, int n)
{
	u32 lane = threadIdx.x & 31, i = INDEX, r = in[i % n], x = r;
	r += __shfl_xor_sync(0xffffffffu, x, 5);
	r ^= __shfl_down_sync(0xffffffffu, x, 3) * 3;
	r += __shfl_sync(0xffffffffu, x, (int)(lane * 7 + 1) & 31) >> 1;
	r ^= __shfl_xor_sync(0xffffffffu, x, 2, 8) + __shfl_up_sync(0xffffffffu, x, 2, 16);
	r += __shfl_sync(0xffffffffu, x, (int)lane, 4) * 11;
	r ^= __shfl_down_sync(0xffffffffu, x, 6, 8);
	if (i < (u32)n)
		out[i] = r;
}

KERNEL votes(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, x = in[i % n], r;
	r = __ballot_sync(0xffffffffu, x & 1);
	r += __any_sync(0xffffffffu, (x & 0xff) == 3) ? 1000 : 0;
	r += __all_sync(0xffffffffu, (x & 0xff) != 7) ? 77 : 0;
	r ^= __popc(__ballot_sync(0xffffffffu, x > 0x80000000u)) << 20;
	r += __syncthreads_count(x & 2) * 5 + (__syncthreads_or((x & 0xfff) == 9) ? 1 : 0) + (__syncthreads_and(x != 0) ? 2 : 0);
	if (i < (u32)n)
		out[i] = r;
}

// ---- hash table in shared memory: open addressing with atomicCAS, counts with atomicAdd ----
KERNEL hash_table(u32 *out, const u32 *in, int n)
{
	__shared__ u32 keys[256], counts[256];
	u32 t = threadIdx.x, i = INDEX, key = in[i % n] % 50 + 1;
	keys[t] = keys[t + 128] = counts[t] = counts[t + 128] = 0;
	__syncthreads();
	u32 at = key * 2654435761u >> 24;
	for (;;) {
		u32 old = atomicCAS(&keys[at], 0u, key);
		if (old == 0 || old == key)
			break;
		at = (at + 1) & 255;
	}
	atomicAdd(&counts[at], key + 3);
	__syncthreads();
	at = key * 2654435761u >> 24;
	while (keys[at] != key)
		at = (at + 1) & 255;
	if (i < (u32)n)
		out[i] = counts[at];
}

KERNEL atomics(u32 *out, const u32 *in, int n)
{
	__shared__ u32 a[8];
	__shared__ int s[2];
	__shared__ u64 w[3];
	__shared__ float f;
	u32 t = threadIdx.x, i = INDEX, x = in[i % n];
	if (t < 8)
		a[t] = t == 2 ? 0xffffffffu : t == 1 ? 0xfffffffu : 0;
	if (t == 0)
		s[0] = s[1] = 0, w[0] = w[1] = 0, w[2] = ~0ull, f = 0;
	__syncthreads();
	atomicMax(&a[0], x);
	atomicMin(&a[1], x);
	atomicAnd(&a[2], x | 0xff00ff);
	atomicOr(&a[3], x & 0x111111);
	atomicXor(&a[4], x);
	atomicInc(&a[5], 1000);
	atomicDec(&a[6], 200);
	atomicSub(&a[7], x);
	atomicMin(&s[0], (int)x);
	atomicMax(&s[1], (int)x);
	atomicAdd(&w[0], (u64)x << 20 | 1);
	atomicMax(&w[1], (u64)x * x);
	atomicAnd(&w[2], ~((u64)(x & 15) << 30));
	atomicAdd(&f, (float)(x & 63));
	__syncthreads();
	u32 r = 0;
	for (int k = 0; k < 8; k++)
		r = r * 31 + a[k];
	r ^= (u32)s[0] + (u32)s[1] * 3u + (u32)w[0] + (u32)(w[0] >> 32) * 5u + (u32)(w[1] >> 7) + (u32)(w[2] >> 29) + __float_as_uint(f);
	if (i < (u32)n)
		out[i] = r + t;
}

// ---- transpose through a padded tile; dynamic shared memory ----
DYNAMIC_SHARED(tile);
KERNEL transpose(u32 *out, const u32 *in, int n)
{
	u32 t = threadIdx.x, x = t & 15, y = t / 16, base = blockIdx.x * 128;
	tile[y * 17 + x] = in[(base + t) % n];
	__syncthreads();
	u32 v = tile[(t & 7) * 17 + t / 8];
	if (base + t < (u32)n)
		out[base + t] = v;
}

// ---- FFT of 64 points, decimation in time ----
__constant__ float cosines[32] = {1.0f, 0.995184727f, 0.980785280f, 0.956940336f, 0.923879533f, 0.881921264f, 0.831469612f, 0.773010453f,
	0.707106781f, 0.634393284f, 0.555570233f, 0.471396737f, 0.382683432f, 0.290284677f, 0.195090322f, 0.0980171403f, 0.0f,
	-0.0980171403f, -0.195090322f, -0.290284677f, -0.382683432f, -0.471396737f, -0.555570233f, -0.634393284f, -0.707106781f,
	-0.773010453f, -0.831469612f, -0.881921264f, -0.923879533f, -0.956940336f, -0.980785280f, -0.995184727f};
struct complex { float re, im; };
__device__ complex operator*(complex a, complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
KERNEL fft(u32 *out, const u32 *in, int n)
{
	__shared__ complex a[2][64];
	u32 t = threadIdx.x, half = t / 64, k = t & 63, i = INDEX;
	a[half][__brev(k) >> 26] = {(float)(in[i % n] & 1023) - 512.0f, 0.0f};
	__syncthreads();
	for (u32 m = 1; m < 64; m *= 2) {
		complex sum = {}, difference = {};
		u32 lo = (k / m) * 2 * m + k % m;
		if (k < 32) {
			u32 w = (k % m) * (32 / m);
			complex tw = {cosines[w], w ? -cosines[w < 16 ? 16 - w : w - 16] : 0.0f}, x = a[half][lo], y = a[half][lo + m] * tw;
			sum = x + y;
			difference = x - y;
		}
		__syncthreads();
		if (k < 32) {
			a[half][lo] = sum;
			a[half][lo + m] = difference;
		}
		__syncthreads();
	}
	if (i < (u32)n)
		out[i] = __float_as_uint(a[half][k].re) ^ __float_as_uint(a[half][k].im) >> 1;
}

// ---- LU decomposition with pivoting, in local memory ----
KERNEL lu(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX;
	double a[6][6];
	int order[6];
	for (int r = 0; r < 6; r++) {
		order[r] = r;
		for (int c = 0; c < 6; c++)
			a[r][c] = (double)(in[(i + r * 6 + c) % n] % 1000) - 499.5;
	}
	for (int k = 0; k < 6; k++) {
		int best = k;
		for (int r = k + 1; r < 6; r++)
			if (fabs(a[order[r]][k]) > fabs(a[order[best]][k]))
				best = r;
		int swap = order[k];
		order[k] = order[best];
		order[best] = swap;
		for (int r = k + 1; r < 6; r++) {
			double f = a[order[r]][k] / a[order[k]][k];
			a[order[r]][k] = f;
			for (int c = k + 1; c < 6; c++)
				a[order[r]][c] -= f * a[order[k]][c];
		}
	}
	double det = 1;
	for (int k = 0; k < 6; k++)
		det *= a[order[k]][k];
	s64 bits = __double_as_longlong(det);
	if (i < (u32)n)
		out[i] = (u32)bits ^ (u32)(bits >> 32) ^ (u32)order[2];
}

// ---- string search (Knuth-Morris-Pratt) and edit distance over bytes ----
__constant__ char pattern[] = "abacab";
KERNEL strings(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, found = 0;
	signed char fail[6];
	fail[0] = 0;
	for (int k = 1, l = 0; k < 6; k++) {
		while (l && pattern[k] != pattern[l])
			l = fail[l - 1];
		l += pattern[k] == pattern[l];
		fail[k] = (signed char)l;
	}
	int l = 0;
	for (u32 k = 0; k < 300; k++) {
		char c = (char)('a' + (in[(i + k / 8) % n] >> (k % 8 * 3)) % 3);
		while (l && (l == 6 || c != pattern[l]))
			l = fail[l - 1];
		l += c == pattern[l];
		if (l == 6)
			found = found * 7 + k;
	}
	unsigned char row[17];
	for (int k = 0; k <= 16; k++)
		row[k] = (unsigned char)k;
	for (int y = 1; y <= 12; y++) {
		unsigned char diagonal = row[0];
		row[0] = (unsigned char)y;
		for (int x = 1; x <= 16; x++) {
			unsigned char up = row[x], cost = (unsigned char)(diagonal + (in[(i + y) % n] % 4 != in[(i + 20 + x) % n] % 4));
			diagonal = up;
			if (up + 1 < cost)
				cost = (unsigned char)(up + 1);
			if (row[x - 1] + 1 < cost)
				cost = (unsigned char)(row[x - 1] + 1);
			row[x] = cost;
		}
	}
	if (i < (u32)n)
		out[i] = found * 31 + row[16];
}

// ---- recursion: quicksort, Ackermann, mutual ----
__device__ __noinline__ void quicksort(int *a, int lo, int hi)
{
	if (lo >= hi)
		return;
	int p = a[(lo + hi) / 2], i = lo, j = hi;
	while (i <= j) {
		while (a[i] < p)
			i++;
		while (a[j] > p)
			j--;
		if (i <= j) {
			int v = a[i];
			a[i++] = a[j];
			a[j--] = v;
		}
	}
	quicksort(a, lo, j);
	quicksort(a, i, hi);
}
__device__ __noinline__ u32 ackermann(u32 m, u32 n) { return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ __noinline__ u32 odd(u32 n);
__device__ __noinline__ u32 even(u32 n) { return n ? odd(n - 1) * 3 + 1 : 1; }
__device__ __noinline__ u32 odd(u32 n) { return n ? even(n - 1) * 5 + 2 : 0; }
KERNEL recursions(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX;
	int a[20];
	for (int k = 0; k < 20; k++)
		a[k] = (int)in[(i + k * k) % n] >> 8;
	quicksort(a, 0, 19);
	u32 r = ackermann(2, in[i % n] % 4) + even(in[i % n] % 17);
	for (int k = 0; k < 20; k++)
		r = r * 33 + (u32)a[k];
	if (i < (u32)n)
		out[i] = r;
}

// ---- virtual functions, objects made by new, destructors ----
struct shape {
	__device__ virtual u32 area(u32 k) const = 0;
	__device__ virtual ~shape() {}
	u32 size;
};
struct square : shape {
	__device__ square(u32 s) { size = s; }
	__device__ u32 area(u32 k) const override { return size * size + k; }
};
struct named { __device__ virtual u32 name() const { return 0x6e; } u64 pad = 5; };
struct ring : shape, named {
	u32 inner, *gone;
	__device__ ring(u32 s, u32 i, u32 *g) : inner(i), gone(g) { size = s; }
	__device__ u32 area(u32 k) const override { return 3 * (size * size - inner * inner) ^ k; }
	__device__ u32 name() const override { return (u32)pad + inner; }
	__device__ ~ring() override { *gone += size; }
};
KERNEL virtuals(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, r = 0, gone = 0, x = in[i % n];
	shape *all[3] = {new square(x % 100), new ring(x % 77, x % 13, &gone), new square(x % 7)};
	for (u32 k = 0; k < 9; k++)
		r = r * 17 + all[(x >> k) % 3]->area(k);
	named *second = (ring *)all[1];
	r += second->name();
	for (int k = 0; k < 3; k++)
		delete all[k];
	if (i < (u32)n)
		out[i] = r * 3 + gone;
}

// ---- function pointers in a table initialised at load time; member pointers ----
typedef u32 (*unary)(u32);
__device__ u32 twice(u32 x) { return 2 * x; }
__device__ u32 square_of(u32 x) { return x * x; }
__device__ u32 invert(u32 x) { return ~x; }
__device__ u32 rotate(u32 x) { return x << 9 | x >> 23; }
__device__ unary table[2][2] = {{twice, square_of}, {invert, rotate}};
struct counter {
	u32 c;
	__device__ u32 up(u32 k) { return c += k; }
	__device__ u32 down(u32 k) { return c -= 2 * k; }
};
KERNEL tables(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, x = in[i % n];
	u32 (counter::*step[2])(u32) = {&counter::up, &counter::down};
	counter c = {x};
	for (u32 k = 0; k < 8; k++) {
		x = table[(x >> 3) & 1][(x >> 11) & 1](x + k);
		x ^= (c.*step[x & 1])(x);
	}
	if (i < (u32)n)
		out[i] = x + c.c;
}

// ---- templates, lambdas, variadic folds ----
template <int N> struct power { template <class T> __device__ static T of(T x) { return x * power<N - 1>::of(x); } };
template <> struct power<0> { template <class T> __device__ static T of(T) { return T(1); } };
template <class F> __device__ u32 fold(const u32 *v, int n, u32 start, F f)
{
	for (int k = 0; k < n; k++)
		start = f(start, v[k]);
	return start;
}
template <class... T> __device__ u32 mix(T... t) { u32 r = 0; ((r = r * 7 + (u32)t), ...); return r; }
KERNEL templates(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, v[7], k = in[i % n] % 5;
	for (int j = 0; j < 7; j++)
		v[j] = in[(i + j) % n];
	u32 r = fold(v, 7, 1, [=](u32 a, u32 b) { return a * 31 + (b >> k); });
	auto counter = [r]() mutable { return r += 3; };
	r ^= fold(v, 7, 0, [&](u32 a, u32 b) { return a + b * counter(); });
	r += power<5>::of(v[0]) + (u32)power<3>::of((s64)v[1]) + __float_as_uint(power<4>::of((float)(v[2] & 255)));
	if (i < (u32)n)
		out[i] = mix(r, (unsigned char)v[3], (short)v[4], v[5] > v[6]);
}

// ---- cooperative groups: tiles of a block ----
KERNEL tiles(u32 *out, const u32 *in, int n)
{
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<8> t8 = cg::tiled_partition<8>(block);
	cg::thread_block_tile<32> t32 = cg::tiled_partition<32>(block);
	u32 i = INDEX, x = in[i % n], sum = x & 0xffff;
	for (int d = t8.size() / 2; d > 0; d /= 2)
		sum += t8.shfl_down(sum, d);
	u32 first = t8.shfl(sum, 0), most = x;
	for (int d = 16; d > 0; d /= 2) {
		u32 other = t32.shfl_xor(most, d);
		most = other > most ? other : most;
	}
	u32 r = first + most * 3 + t8.thread_rank() + t8.meta_group_rank() * 100 + (t32.any(x < 0x1000000) ? 7 : 0) + t8.ballot(x & 1) * 13;
	block.sync();
	if (i < (u32)n)
		out[i] = r + block.thread_rank();
}

// ---- half precision ----
KERNEL halves(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, r = 0;
	__half a = __float2half_rn((float)(in[i % n] & 4095) * 0.0625f - 100.0f), b = __ushort_as_half((unsigned short)(in[i % n] >> 7 & 0xbfff));
	for (int k = 0; k < 6; k++) {
		__half sum = __hadd_rn(a, b), product = __hmul_rn(a, b);
		r = r * 5 + __half_as_ushort(__hisnan(sum) ? __ushort_as_half(0x7e00) : sum);
		r = r * 3 + (__hlt(a, b) ? 1 : 0) + (__heq(sum, product) ? 2 : 0) + (__hge(product, a) ? 4 : 0);
		r ^= __half_as_ushort(__hisnan(product) ? __ushort_as_half(0x7e00) : product);
		float f = __half2float(a) * 0.75f + (float)k;
		a = __float2half_rn(f);
		b = __ushort_as_half((unsigned short)(in[(i + k) % n] & 0x3fff));
		r += (u32)(int)__half2float(b) + (u32)__half2int_rz(a) + __half_as_ushort(__int2half_rn((int)(in[i % n] >> (20 + k))));
	}
	if (i < (u32)n)
		out[i] = r;
}

// ---- device malloc: linked list and a binary tree ----
struct node { u32 key; node *left, *right; };
__device__ __noinline__ u32 walk(node *t, u32 depth)
{
	if (!t)
		return depth;
	u32 r = walk(t->left, depth + 1) * 31 + t->key;
	r = r * 31 + walk(t->right, depth + 2);
	free(t);
	return r;
}
KERNEL lists(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX;
	if (i >= (u32)n)
		return;
	node *root = nullptr, *list = nullptr;
	for (u32 k = 0; k < 10; k++) {
		node **at = &root, *item = (node *)malloc(sizeof(node)), *made = (node *)malloc(sizeof(node));
		*made = {in[(i + k * 3) % n] >> 5, nullptr, nullptr};
		while (*at)
			at = made->key < (*at)->key ? &(*at)->left : &(*at)->right;
		*at = made;
		*item = {made->key ^ k, list, nullptr};
		list = item;
	}
	u32 r = walk(root, 1);
	while (list) {
		node *next = list->left;
		r = r * 7 + list->key;
		free(list);
		list = next;
	}
	out[i] = r;
}

// ---- wide integers, bit fields, unions, SHA-256, CRC ----
struct packet { u32 kind : 3, size : 11; int shift : 6; u32 rest : 12; };
union view { u32 w[2]; double d; unsigned char b[8]; unsigned short h[4]; packet p; };
KERNEL wide(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX;
	unsigned __int128 x = ((unsigned __int128)in[i % n] << 90) | in[(i + 1) % n], y = x * 0x123456789abcdef1ull;
	x = y / (in[(i + 2) % n] | 1) + y % 1000000007ull;
	s64 q = (s64)(x >> 17), d = (s64)(in[(i + 3) % n] >> 3) - 0x8000000;
	q = q / (d ? d : 1) ^ q % (d | 1);
	view v = {{in[i % n], in[(i + 4) % n]}};
	v.p.shift = v.p.shift >> 1;
	v.p.size += 77;
	v.b[5] = (unsigned char)(v.b[3] + v.b[0]);
	v.h[3] = (unsigned short)-v.h[1];
	u32 crc = ~0u;
	for (int k = 0; k < 8; k++) {
		crc ^= v.b[k];
		for (int j = 0; j < 8; j++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	if (i < (u32)n)
		out[i] = (u32)x ^ (u32)(x >> 64) ^ (u32)(x >> 32) ^ (u32)q ^ (u32)(q >> 32) ^ crc ^ v.w[0] ^ (u32)v.p.kind << 28;
}

__constant__ u32 sha_k[16] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
			      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174};
__device__ inline u32 ror(u32 x, int k) { return x >> k | x << (32 - k); }
KERNEL sha(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, s[8], w[16];
	for (int k = 0; k < 16; k++)
		w[k] = in[(i + k) % n];
	for (int k = 0; k < 8; k++)
		s[k] = sha_k[15 - k];
	for (int k = 0; k < 64; k++) {
		u32 t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_k[k & 15] + w[k & 15];
		u32 t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		u32 a = w[(k + 1) & 15], b = w[(k + 14) & 15];
		w[k & 15] += w[(k + 9) & 15] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
		for (int j = 7; j > 0; j--)
			s[j] = s[j - 1] + (j == 4 ? t1 : 0);
		s[0] = t1 + t2;
	}
	u32 r = 0;
	for (int k = 0; k < 8; k++)
		r = r * 3 + s[k];
	if (i < (u32)n)
		out[i] = r;
}

// ---- searches: queens by backtracking, sieve, binary search, Game of Life ----
KERNEL searches(u32 *out, const u32 *in, int n)
{
	__shared__ unsigned char cells[2][10][18];
	__shared__ u32 sorted[128];
	u32 t = threadIdx.x, i = INDEX, solutions = 0;
	unsigned stack[8][3];
	u32 start = in[i % n] & 63;
	int row = 0;
	stack[0][0] = start & 63, stack[0][1] = 0, stack[0][2] = 0;
	unsigned free_[8] = {~stack[0][0] & 63};
	while (row >= 0) {
		if (!free_[row]) {
			row--;
			continue;
		}
		unsigned bit = free_[row] & (0u - free_[row]);
		free_[row] ^= bit;
		unsigned cols = stack[row][0] | bit, l = (stack[row][1] | bit) << 1, r = (stack[row][2] | bit) >> 1;
		if (cols == 63 || row == 6) {
			solutions++;
			continue;
		}
		row++;
		stack[row][0] = cols, stack[row][1] = l, stack[row][2] = r;
		free_[row] = ~(cols | l | r) & 63;
	}
	sorted[t] = t * t * 3;
	for (u32 k = t; k < 360; k += 128)
		cells[k / 180][k % 180 / 18][k % 18] = 0;
	__syncthreads();
	cells[0][t / 16 + 1][t % 16 + 1] = in[i % n] >> 9 & 1;
	__syncthreads();
	for (int g = 0; g < 5; g++) {
		auto &c = cells[g & 1];
		int y = t / 16 + 1, x = t % 16 + 1, near = 0;
		for (int dy = -1; dy <= 1; dy++)
			for (int dx = -1; dx <= 1; dx++)
				near += (dx || dy) && c[y + dy][x + dx];
		cells[~g & 1][y][x] = near == 3 || (near == 2 && c[y][x]);
		__syncthreads();
	}
	u32 lo = 0, hi = 127, want = in[i % n] % 50000;
	while (lo < hi) {
		u32 mid = (lo + hi + 1) / 2;
		if (sorted[mid] <= want)
			lo = mid;
		else
			hi = mid - 1;
	}
	if (i < (u32)n)
		out[i] = solutions * 1000003u + lo * 2 + cells[1][t / 16 + 1][t % 16 + 1];
}

// ---- arithmetic the ISA has and C has not ----
KERNEL intrinsics(u32 *out, const u32 *in, int n)
{
	u32 i = INDEX, x = in[i % n], y = in[(i + 1) % n], z = in[(i + 2) % n];
	u32 r = __umulhi(x, y) + (u32)__mulhi((int)x, (int)z) * 3u + __byte_perm(x, y, z & 0x7777) + (u32)__ffs((int)x);
	r ^= __funnelshift_l(x, y, z) + __funnelshift_r(x, y, z) * 5 + __usad(x, y, z) + __umul24(x, y) + (u32)__clzll((s64)((u64)x << (z & 31)));
	r += (u32)__dp4a((int)x, (int)y, (int)z) + __dp4a(x, y, z) + __vadd4(x, y) + __vabsdiffu4(y, z) * 3 + __uhadd(x, y) + (u32)__brevll(x);
	r ^= (u32)__umul64hi((u64)x << 32 | y, (u64)z << 32 | x) + (u32)__popcll((u64)x << 32 | z);
	r += __float_as_uint(__fadd_rz((float)x, 0.3f)) ^ __float_as_uint(__fmul_ru((float)y, 0.7f)) ^ __float_as_uint(__fmaf_rd((float)z, 0.9f, (float)x));
	r += (u32)__float2int_ru((float)(int)x * 1e-3f) + (u32)__float2int_rd((float)(int)y * 1e-3f) + (u32)__double2int_rn((double)(int)z * 1e-3) + (u32)(__double_as_longlong(__dadd_ru((double)x, 1e-9)) >> 3);
	r ^= __float_as_uint(fminf((float)x, -0.0f)) + __float_as_uint(copysignf(1.5f, (float)(int)y)) + __float_as_uint(__saturatef((float)(int)z * 1e-9f));
	if (i < (u32)n)
		out[i] = r;
}

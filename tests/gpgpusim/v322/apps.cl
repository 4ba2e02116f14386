/* Kernels as people write them, for the comparison with GPGPU-Sim 3.2.2: app_NAME.ptx is kernel NAME, renamed to k, as clang 14 compiles it
 * for sm_20 (-x cl --target=nvptx64 -O2 -fno-unroll-loops), with .version 2.3 and without .visible, .pragma and comments. They read zeros or what they wrote. */
#define TX __nvvm_read_ptx_sreg_tid_x()
#define TY __nvvm_read_ptx_sreg_tid_y()
#define BX __nvvm_read_ptx_sreg_ctaid_x()
#define BY __nvvm_read_ptx_sreg_ctaid_y()
#define DX __nvvm_read_ptx_sreg_ntid_x()
#define GX __nvvm_read_ptx_sreg_nctaid_x()
#define INDEX (BX * DX + TX)

typedef unsigned u32;

static inline u32 add_global(__global u32 *p, u32 v)
{
	u32 old;
	__asm__ volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
	return old;
}

static inline u32 add_shared(__local u32 *p, u32 v)
{
	u32 old;
	__asm__ volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"((u32)(unsigned long)p), "r"(v) : "memory");
	return old;
}

static inline u32 hash(u32 x)
{
	x *= 2654435761u;
	x ^= x >> 15;
	x *= 2246822519u;
	return x ^ x >> 13;
}

/* tiles of both factors in shared memory */
__kernel void matmul(__global u32 *p, u32 n)
{
	__local u32 a[16][16], b[16][16];
	u32 row = BY * 16 + TY, column = BX * 16 + TX, sum = 0;
	for (u32 t = 0; t < n / 16; t++) {
		a[TY][TX] = p[row * n + t * 16 + TX] + TX;
		b[TY][TX] = p[n * n + (t * 16 + TY) * n + column] + TY;
		__syncthreads();
		for (u32 k = 0; k < 16; k++)
			sum += a[TY][k] * b[k][TX];
		__syncthreads();
	}
	p[2 * n * n + row * n + column] = sum;
}

/* 256 numbers in shared memory, half of the lanes swap */
__kernel void bitonic(__global u32 *p, u32 n)
{
	__local u32 t[256];
	u32 i = TX;
	t[i] = hash(BX * 256 + i) + p[BX * 256 + i];
	__syncthreads();
	for (u32 k = 2; k <= 256; k *= 2)
		for (u32 j = k / 2; j > 0; j /= 2) {
			u32 x = i ^ j;
			if (x > i) {
				u32 a = t[i], b = t[x];
				if (((i & k) == 0) == (a > b)) {
					t[i] = b;
					t[x] = a;
				}
			}
			__syncthreads();
		}
	p[n + BX * 256 + i] = t[i];
}

/* rows of 0 to 15 elements at scattered columns */
__kernel void spmv(__global u32 *p, u32 n)
{
	u32 row = INDEX, length = hash(row) & 15, sum = 0;
	if (row >= n)
		return;
	for (u32 k = 0; k < length; k++) {
		u32 column = hash(row * 16 + k) & (n - 1);
		sum += p[column] * (k + 1) + p[n + row * 16 + k] + column;
	}
	p[n * 17 + row] = sum;
}

/* atomics in shared memory, then in global memory */
__kernel void histogram(__global u32 *p, u32 n)
{
	__local u32 h[64];
	for (u32 i = TX; i < 64; i += DX)
		h[i] = 0;
	__syncthreads();
	for (u32 i = INDEX; i < n; i += DX * GX)
		add_shared(&h[hash(p[i] + i) & 63], 1);
	__syncthreads();
	for (u32 i = TX; i < 64; i += DX)
		add_global(p + n + i, h[i]);
}

/* an array of its own for each thread, indexed by data */
__kernel void private_array(__global u32 *p, u32 n)
{
	u32 a[16], i = INDEX, sum = 0;
	for (u32 k = 0; k < 16; k++)
		a[k] = hash(i + k);
	for (u32 k = 0; k < n; k++) {
		u32 j = hash(sum + k + i) & 15;
		sum += a[j];
		a[(j + 1) & 15] = sum;
	}
	p[i] = sum;
}

/* a front that goes through a triangle, with a barrier for each step */
__kernel void wavefront(__global u32 *p, u32 n)
{
	__local u32 t[65];
	u32 i = TX;
	t[i] = 0;
	if (i == 0)
		t[64] = 0;
	__syncthreads();
	for (u32 d = 0; d < 2 * DX - 1; d++) {
		if (i <= d && d - i < DX) {
			u32 best = t[i + 1] > t[i] ? t[i + 1] : t[i];
			t[i] = best + (hash(i * 64 + d + BX) & 3);
		}
		__syncthreads();
	}
	p[BX * DX + i] = t[i];
}

/* a counter that half of the threads add to, and an element of their own of a list */
__kernel void queue(__global u32 *p, u32 n)
{
	u32 i = INDEX;
	if ((hash(i) & 3) > 1) {
		u32 at = add_global(p, 1);
		p[64 + (at & (n - 1))] = at;
	}
}

__attribute__((noinline)) u32 inner(u32 a, u32 b)
{
	u32 s = a;
	for (u32 i = 0; i < (b & 3); i++)
		s = s * 3 + b;
	return s;
}

__attribute__((noinline)) u32 outer(u32 a, __global u32 *q)
{
	u32 x = inner(a, a >> 3);
	if ((x & 3) > 1)
		x += q[x & 255];
	return inner(x, x >> 1);
}

/* calls in calls, under divergence */
__kernel void calls(__global u32 *p, u32 n)
{
	u32 i = INDEX;
	p[n + i] = outer(i, p) + inner(i, 7);
}

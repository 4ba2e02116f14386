/* Early returns in front of barriers: legal CUDA, since nobody waits for threads that have exited. The first kernels are written by hand, the
 * others were drawn at random: branches with loops and returns in them, barriers where all threads that are left come through,
 * functions that return early on both. Built for the device by nvcc -arch=sm_75 -ptx returns.cu; on the host (-x c) each thread is a
 * coroutine, a barrier opens when all that are left have come, and the program prints the session that compares. Usage: returns DIR */
#ifndef __CUDACC__
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define __global__
#define __device__
#define __noinline__
#define __shared__ static
#define KERNEL void
static struct { int x; } threadIdx, blockIdx;
static struct thread {
	ucontext_t at;
	char *stack;
	int done, waits, says;
} thread[128];
static ucontext_t scheduler;
static int counted, left;

static int come(int says)
{
	int me = threadIdx.x;
	thread[me].waits = 1;
	thread[me].says = says != 0;
	swapcontext(&thread[me].at, &scheduler);
	threadIdx.x = me;
	return counted;
}
static void __syncthreads(void) { come(0); }
static int __syncthreads_count(int says) { return come(says); }
static int __syncthreads_or(int says) { return come(says) != 0; }
static int __syncthreads_and(int says) { return come(says) == left; }
#else
#define KERNEL extern "C" __global__ void
#endif

KERNEL third(int *o, int n)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = t;
	if (t % 3 == n % 3) {
		o[t] = -t;
		return;
	}
	__syncthreads();
	o[t] = s[n - 1 - t] + 1000 * __syncthreads_count(t & 1);
}

__device__ __noinline__ int part(int *s, int t, int n)
{
	if (t < n / 8)
		return -1;
	if (t & 1) {
		if (t > 40)
			return -2;
		s[t] += 5;
	}
	__syncthreads();
	return s[n - 1 - t];
}

KERNEL calls(int *o, int n)
{
	__shared__ int s[128], r[128];
	int t = threadIdx.x;
	s[t] = t;
	r[t] = 3;
	__syncthreads();
	int v = part(s, t, n);
	if (v < 0) {
		o[t] = v;
		return;
	}
	r[t] = v;
	__syncthreads();
	o[t] = r[(t ^ 8) % n] + v;
}

KERNEL nested(int *o, int n)
{
	__shared__ int s[128], r[128];
	int t = threadIdx.x;
	s[t] = r[t] = 0;
	__syncthreads();
	if (t & 20) {
		if (t & 3) {
			o[t] = 7;
			return;
		}
		s[t] = 1;
	}
	__syncthreads();
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += s[i];
	r[t] = sum + t;
	__syncthreads();
	o[t] = r[t ^ (t & 16)] + __syncthreads_or(t == n - 1);
}

KERNEL loop(int *o, int n)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = 1;
	for (int i = 0; i < 7; i++) {
		if (t >= n - i * (n / 8)) {
			o[t] = 100 + i;
			return;
		}
		__syncthreads();
		int v = s[t] + s[(t + 1) % 8];
		__syncthreads();
		s[t] = v;
	}
	__syncthreads();
	o[t] = s[t];
}

__device__ __noinline__ int frandom0_0(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	for (int u4 = 0; u4 < 2; u4++) {
		if (((acc >> 2) % 3 == 2)) {
			acc = acc * 3 + t;
			if (t % 5 == 2) {
				s1[t] = acc;
				if (((acc >> 2) % 3 == 1)) {
					acc = acc * 5 + n;
				}
				o[t] = acc * 3 + 3; return -1;
			}
		}
		acc = acc * 5 + 74;
		__syncthreads();
		acc = acc * 7 + s1[(t * 5 + 40) % n];
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 5 + 20) % n];
		acc += __syncthreads_count((t ^ acc) & 16) * 17;
		acc = acc * 7 + s1[(t * 3 + 7) % n];
		s0[t] = acc;
		acc += __syncthreads_and((t ^ acc) & 1) ? 1234 : 77;
		acc = acc * 7 + s0[(t * 3 + 10) % n];
	}
	if ((t ^ acc) & 7) {
		for (int i5 = 0; i5 < (acc & 3) + 1; i5++) {
			acc = acc * 7 + (acc >> 3);
			if ((acc & 5)) {
				o[t] = acc * 3 + 4; return -1;
			}
		}
		o[t] = acc * 3 + 5; return -1;
	}
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 5 + 6) % n];
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 3 + 63) % n];
	*gone = 0;
	return acc;
}
KERNEL random0(int *o, int n)
{
	__shared__ int s0[128], s1[128];
	int t = threadIdx.x, acc = t * 13 + 5, gone = 0;
	s0[t] = s1[t] = t;
	__syncthreads();
	for (int u1 = 0; u1 < 3; u1++) {
		if (t % 11 == 3) {
			acc = acc * 3 + 41;
			if (t < 46) {
				acc = acc * 3 + n;
				acc = acc * 3 + 27;
			}
		} else {
			acc = acc * 7 + 93;
		}
		if ((t & 3)) {
			for (int i2 = 0; i2 < (acc & 3) + 1; i2++) {
				acc = acc * 3 + 28;
			}
			acc = acc * 7 + (acc >> 3);
		}
		if (t >= 10) {
			s0[t] = acc;
			o[t] = acc * 5 + 1; return;
		}
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 5 + 59) % n];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 5 + 5) % n];
	}
	if ((t ^ acc) & 2) {
		s0[t] = acc;
	}
	if (t >= 6) {
		if ((t ^ acc) & 7) {
			for (int i3 = 0; i3 < (acc & 3) + 1; i3++) {
				acc = acc * 5 + 26;
				if ((t & 48)) {
					break;
				}
			}
		}
		o[t] = acc * 5 + 2; return;
	} else {
		acc = acc * 5 + (acc >> 3);
	}
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 5 + 4) % n];
	acc = frandom0_0(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	if (((acc >> 2) % 3 == 2)) {
		acc = acc * 7 + n;
		s1[t] = acc;
		o[t] = acc * 5 + 6; return;
	}
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 3 + 8) % n];
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 1 + 2) % n];
	o[t] = acc;
}

__device__ __noinline__ int frandom1_0(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	acc = acc * 3 + (acc >> 3);
	if (t < 73) {
		acc = acc * 5 + s1[t];
		if ((t ^ acc) & 1) {
			acc = acc * 7 + n;
			if ((t ^ acc) & 7) {
				acc = acc * 3 + n;
				acc = acc * 5 + n;
			} else {
				acc = acc * 5 + 23;
			}
			o[t] = acc * 3 + 1; return -1;
		} else {
			acc = acc * 5 + n;
		}
	} else {
		acc = acc * 7 + n;
	}
	acc += __syncthreads_count((t & 4)) * 17;
	acc = acc * 7 + s0[(t * 5 + 44) % n];
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 45) % n];
	*gone = 0;
	return acc;
}
__device__ __noinline__ int frandom1_1(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	if (t >= 18) {
		acc = acc * 5 + 35;
	}
	if ((t & 4)) {
		acc = acc * 5 + (acc >> 3);
		o[t] = acc * 3 + 2; return -1;
	}
	for (int u1 = 0; u1 < 2; u1++) {
		acc += __syncthreads_count((t & 4)) * 17;
		acc = acc * 7 + s1[(t * 1 + 54) % n];
		acc = acc * 3 + t;
		if ((t ^ acc) & 16) {
			acc = acc * 7 + s1[t];
			if ((t & 31)) {
				acc = acc * 7 + (acc >> 3);
				s0[t] = acc;
			} else {
				acc = acc * 3 + (acc >> 3);
			}
		}
		s0[t] = acc;
		acc += __syncthreads_and(t >= 21) ? 1234 : 77;
		acc = acc * 7 + s0[(t * 1 + 2) % n];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 30) % n];
		s0[t] = acc;
		acc += __syncthreads_and((acc & 5)) ? 1234 : 77;
		acc = acc * 7 + s0[(t * 1 + 35) % n];
	}
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 46) % n];
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 1 + 61) % n];
	*gone = 0;
	return acc;
}
KERNEL random1(int *o, int n)
{
	__shared__ int s0[128], s1[128];
	int t = threadIdx.x, acc = t * 13 + 5, gone = 0;
	s0[t] = s1[t] = t;
	__syncthreads();
	if (t % 7 == 3) {
		acc = acc * 7 + (acc >> 3);
	}
	acc = frandom1_0(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	s0[t] = acc;
	acc += __syncthreads_count((t ^ acc) & 1) * 17;
	acc = acc * 7 + s0[(t * 1 + 25) % n];
	acc = frandom1_1(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	s1[t] = acc;
	acc += __syncthreads_and(t % 2 == 1) ? 1234 : 77;
	acc = acc * 7 + s1[(t * 1 + 23) % n];
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 3 + 59) % n];
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 3 + 2) % n];
	o[t] = acc;
}

__device__ __noinline__ int frandom2_0(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 3 + 39) % n];
	if (n > 40) {
		__syncthreads();
		acc = acc * 7 + s1[(t * 1 + 30) % n];
		acc = acc * 7 + s1[t];
		acc = acc * 7 + t;
		s0[t] = acc;
		acc += __syncthreads_count((acc & 5)) * 17;
		acc = acc * 7 + s0[(t * 3 + 9) % n];
	}
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 18) % n];
	*gone = 0;
	return acc;
}
KERNEL random2(int *o, int n)
{
	__shared__ int s0[128], s1[128];
	int t = threadIdx.x, acc = t * 13 + 5, gone = 0;
	s0[t] = s1[t] = t;
	__syncthreads();
	acc = frandom2_0(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	if (n > 0) {
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 5 + 24) % n];
		if (n > 0) {
			s1[t] = acc;
			__syncthreads();
			acc = acc * 7 + s1[(t * 3 + 50) % n];
			if (((acc >> 3) % 3 == 2)) {
				if ((acc & 8)) {
					s0[t] = acc;
					acc = acc * 5 + 73;
				}
				if ((t & 3)) {
					acc = acc * 3 + (acc >> 3);
					o[t] = acc * 5 + 1; return;
				} else {
					acc = acc * 5 + n;
				}
			} else {
				acc = acc * 3 + n;
				o[t] = acc * 5 + 2; return;
			}
			acc = acc * 5 + s1[t];
			s0[t] = acc;
			acc += __syncthreads_and(t % 2 == 1) ? 1234 : 77;
			acc = acc * 7 + s0[(t * 3 + 9) % n];
		}
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 54) % n];
		if (t >= 1) {
			for (int i1 = 0; i1 < (acc & 3) + 1; i1++) {
				acc = acc * 3 + s1[t];
				if (t % 2 == 1) {
					break;
				}
			}
		} else {
			acc = acc * 3 + t;
			o[t] = acc * 5 + 3; return;
		}
		s0[t] = acc;
		acc += __syncthreads_count(t % 2 == 1) * 17;
		acc = acc * 7 + s0[(t * 3 + 15) % n];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 47) % n];
	}
	if (t < 19) {
		s0[t] = acc;
		if (t % 11 == 5) {
			acc = acc * 5 + s1[t];
		}
	}
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 1 + 42) % n];
	s1[t] = acc;
	acc += __syncthreads_count(t % 2 == 0) * 17;
	acc = acc * 7 + s1[(t * 3 + 25) % n];
	if ((acc & 1)) {
		acc = acc * 3 + (acc >> 3);
	}
	for (int u2 = 0; u2 < 2; u2++) {
		acc = acc * 7 + n;
		if (t >= 43) {
			acc = acc * 7 + (acc >> 3);
			if ((t & 33)) {
				acc = acc * 5 + n;
				o[t] = acc * 5 + 4; return;
			}
			o[t] = acc * 5 + 5; return;
		}
		acc += __syncthreads_and((t ^ acc) & 1) ? 1234 : 77;
		acc = acc * 7 + s0[(t * 1 + 15) % n];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 60) % n];
	}
	s0[t] = acc;
	acc += __syncthreads_count(t >= 33) * 17;
	acc = acc * 7 + s0[(t * 3 + 7) % n];
	acc += __syncthreads_count(t >= 59) * 17;
	acc = acc * 7 + s1[(t * 5 + 47) % n];
	o[t] = acc;
}

KERNEL random3(int *o, int n)
{
	__shared__ int s0[128], s1[128];
	int t = threadIdx.x, acc = t * 13 + 5, gone = 0;
	s0[t] = s1[t] = t;
	__syncthreads();
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 5 + 59) % n];
	if ((t ^ acc) & 16) {
		if ((acc & 1)) {
			if (t < 41) {
				acc = acc * 3 + (acc >> 3);
			} else {
				acc = acc * 5 + n;
			}
			o[t] = acc * 5 + 1; return;
		}
		s1[t] = acc;
		o[t] = acc * 5 + 2; return;
	}
	for (int u1 = 0; u1 < 2; u1++) {
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 1 + 50) % n];
		for (int u2 = 0; u2 < 2; u2++) {
			if (t >= 95) {
				if (((acc >> 4) % 3 == 1)) {
					for (int i3 = 0; i3 < (acc & 3) + 1; i3++) {
						acc = acc * 7 + (acc >> 3);
						if (((acc >> 2) % 3 == 2)) {
							o[t] = acc * 5 + 3; return;
						}
					}
					acc = acc * 5 + 11;
				} else {
					acc = acc * 7 + 42;
				}
			} else {
				acc = acc * 5 + n;
			}
			s0[t] = acc;
			__syncthreads();
			acc = acc * 7 + s0[(t * 3 + 4) % n];
			if (t < 47) {
				for (int i4 = 0; i4 < (acc & 3) + 1; i4++) {
					acc = acc * 7 + (acc >> 3);
				}
				acc = acc * 5 + 56;
			}
			if ((acc & 4)) {
				acc = acc * 5 + 62;
				acc = acc * 3 + n;
			}
			s1[t] = acc;
			__syncthreads();
			acc = acc * 7 + s1[(t * 1 + 15) % n];
			s0[t] = acc;
			__syncthreads();
			acc = acc * 7 + s0[(t * 3 + 23) % n];
			s1[t] = acc;
			acc += __syncthreads_count((acc & 1)) * 17;
			acc = acc * 7 + s1[(t * 1 + 53) % n];
		}
		if ((t ^ acc) & 2) {
			acc = acc * 7 + t;
			o[t] = acc * 5 + 4; return;
		}
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 3 + 42) % n];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 1 + 48) % n];
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 3 + 59) % n];
	}
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 49) % n];
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 3 + 45) % n];
	for (int u5 = 0; u5 < 3; u5++) {
		acc = acc * 5 + n;
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 40) % n];
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 3 + 31) % n];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 46) % n];
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 5 + 50) % n];
	}
	if ((t & 33)) {
		for (int i6 = 0; i6 < (acc & 3) + 1; i6++) {
			acc = acc * 7 + n;
			if ((t & 16)) {
				o[t] = acc * 5 + 5; return;
			}
		}
		o[t] = acc * 5 + 6; return;
	}
	s1[t] = acc;
	acc += __syncthreads_or((t & 1)) ? 1234 : 77;
	acc = acc * 7 + s1[(t * 5 + 18) % n];
	o[t] = acc;
}

__device__ __noinline__ int frandom4_0(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 3 + 1) % n];
	acc = acc * 7 + (acc >> 3);
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 15) % n];
	if (t % 11 == 8) {
		if (t >= 33) {
			acc = acc * 3 + 16;
			if ((t ^ acc) & 7) {
				acc = acc * 7 + s1[t];
				acc = acc * 7 + n;
			} else {
				acc = acc * 7 + n;
				o[t] = acc * 3 + 3; return -1;
			}
		}
		if ((acc & 5)) {
			acc = acc * 5 + t;
			o[t] = acc * 3 + 4; return -1;
		}
		o[t] = acc * 3 + 5; return -1;
	} else {
		acc = acc * 3 + (acc >> 3);
	}
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 1 + 63) % n];
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 5 + 48) % n];
	*gone = 0;
	return acc;
}
KERNEL random4(int *o, int n)
{
	__shared__ int s0[128], s1[128];
	int t = threadIdx.x, acc = t * 13 + 5, gone = 0;
	s0[t] = s1[t] = t;
	__syncthreads();
	if ((acc & 5)) {
		acc = acc * 5 + (acc >> 3);
		s0[t] = acc;
		o[t] = acc * 5 + 1; return;
	} else {
		acc = acc * 3 + 45;
	}
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 5 + 41) % n];
	if ((t & 31)) {
		acc = acc * 7 + 44;
		s1[t] = acc;
		o[t] = acc * 5 + 2; return;
	}
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 3 + 2) % n];
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 5 + 60) % n];
	s1[t] = acc;
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 5) % n];
	acc = frandom4_0(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	s0[t] = acc;
	acc += __syncthreads_or(((acc >> 2) % 3 == 0)) ? 1234 : 77;
	acc = acc * 7 + s0[(t * 3 + 62) % n];
	o[t] = acc;
}

__device__ __noinline__ int frandom5_0(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	__syncthreads();
	acc = acc * 7 + s0[(t * 5 + 10) % n];
	s1[t] = acc;
	acc += __syncthreads_count((t & 33)) * 17;
	acc = acc * 7 + s1[(t * 1 + 47) % n];
	acc += __syncthreads_count((t & 8)) * 17;
	acc = acc * 7 + s0[(t * 5 + 10) % n];
	__syncthreads();
	acc = acc * 7 + s1[(t * 1 + 16) % n];
	*gone = 0;
	return acc;
}
__device__ __noinline__ int frandom5_1(int *o, int *s0, int *s1, int acc, int t, int n, int *gone)
{
	*gone = 1;
	acc = acc * 7 + s1[t];
	acc = acc * 7 + n;
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 5 + 1) % n];
	for (int u2 = 0; u2 < 2; u2++) {
		if ((t ^ acc) & 16) {
			acc = acc * 5 + (acc >> 3);
			if ((acc & 2)) {
				acc = acc * 5 + 74;
				o[t] = acc * 3 + 1; return -1;
			}
			o[t] = acc * 3 + 2; return -1;
		}
		if ((t & 16)) {
			acc = acc * 3 + n;
			acc = acc * 7 + t;
		} else {
			acc = acc * 7 + (acc >> 3);
			o[t] = acc * 3 + 3; return -1;
		}
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 5 + 47) % n];
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 1 + 63) % n];
		s1[t] = acc;
		acc += __syncthreads_count((t & 16)) * 17;
		acc = acc * 7 + s1[(t * 3 + 19) % n];
		s0[t] = acc;
		__syncthreads();
		acc = acc * 7 + s0[(t * 1 + 59) % n];
	}
	acc += __syncthreads_and(((acc >> 1) % 3 == 1)) ? 1234 : 77;
	acc = acc * 7 + s1[(t * 5 + 63) % n];
	*gone = 0;
	return acc;
}
KERNEL random5(int *o, int n)
{
	__shared__ int s0[128], s1[128];
	int t = threadIdx.x, acc = t * 13 + 5, gone = 0;
	s0[t] = s1[t] = t;
	__syncthreads();
	if (t < 17) {
		for (int i1 = 0; i1 < (acc & 3) + 1; i1++) {
			acc = acc * 7 + n;
			if (t >= 14) {
				break;
			}
		}
		acc = acc * 5 + n;
	}
	acc = frandom5_0(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	acc = frandom5_1(o, s0, s1, acc, t, n, &gone);
	if (gone) return;
	s0[t] = acc;
	acc += __syncthreads_and(((acc >> 2) % 3 == 0)) ? 1234 : 77;
	acc = acc * 7 + s0[(t * 1 + 19) % n];
	s1[t] = acc;
	acc += __syncthreads_or(t >= 49) ? 1234 : 77;
	acc = acc * 7 + s1[(t * 3 + 28) % n];
	if (n > 500) {
		__syncthreads();
		acc = acc * 7 + s0[(t * 1 + 12) % n];
		if ((t ^ acc) & 7) {
			if (t % 2 == 0) {
				acc = acc * 7 + s0[t];
			}
			for (int i3 = 0; i3 < (acc & 3) + 1; i3++) {
				acc = acc * 3 + n;
			}
		}
		acc = acc * 7 + s0[t];
		s1[t] = acc;
		__syncthreads();
		acc = acc * 7 + s1[(t * 3 + 54) % n];
	}
	if ((acc & 4)) {
		acc = acc * 7 + 6;
		for (int i4 = 0; i4 < (acc & 3) + 1; i4++) {
			acc = acc * 3 + s1[t];
		}
	}
	s0[t] = acc;
	__syncthreads();
	acc = acc * 7 + s0[(t * 3 + 50) % n];
	o[t] = acc;
}

#ifndef __CUDACC__
static int out[128], n_threads;
static void (*kernel)(int *, int);

static void run_thread(void)
{
	kernel(out, n_threads);
	thread[threadIdx.x].done = 1;
}

static void begin(struct thread *t)
{
	t->done = t->waits = t->says = 0;
	getcontext(&t->at);
	if (!t->stack)
		t->stack = malloc(65536);
	t->at.uc_stack.ss_sp = t->stack;
	t->at.uc_stack.ss_size = 65536;
	t->at.uc_link = &scheduler;
	makecontext(&t->at, run_thread, 0);
}

static void run_block(void)
{
	for (int t = 0; t < n_threads; t++)
		begin(&thread[t]);
	do {
		for (int t = 0; t < n_threads; t++) {
			threadIdx.x = t;
			if (!thread[t].done)
				swapcontext(&scheduler, &thread[t].at);
		}
		counted = left = 0;
		for (int t = 0; t < n_threads; t++) {
			left += !thread[t].done;
			counted += !thread[t].done && thread[t].says;
		}
	} while (left);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(int *, int);
	} kernels[] = {
#define K(name) {#name, name}
		K(third), K(calls), K(nested), K(loop), K(random0), K(random1), K(random2), K(random3), K(random4), K(random5)};
	static const int sizes[] = {128, 75};
	for (int k = 0; argc == 2 && k < 20; k++) {
		char path[4096];
		memset(out, 0, sizeof out);
		kernel = kernels[k / 2].run;
		n_threads = sizes[k % 2];
		run_block();
		snprintf(path, sizeof path, "%s/%d.bin", argv[1], k);
		FILE *f = fopen(path, "wb");
		if (!f || fwrite(out, 4, 128, f) != 128 || fclose(f))
			return 1;
		printf("buffer o%d s32[128] = zero\nrun %s<<<1, %d>>>(o%d, %d)\ncompare o%d %s\n", k, kernels[k / 2].name, n_threads, k, n_threads, k,
		       path);
	}
	return argc != 2;
}
#endif

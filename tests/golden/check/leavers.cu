// Lanes that a mask names and that pass the instruction by, on a way that also holds an early return; and legal early returns.
// nvcc -arch=sm_75 -ptx -lineinfo leavers.cu
#define ALL 0xffffffffu

// lanes 16 to n - 1 pass by, the lanes from n on return early
extern "C" __global__ void above(int *out, int n, int good)
{
	int v = threadIdx.x;
	if (v < 16) {
		v += __shfl_xor_sync(good ? 0xffffu : ALL, v, 1);
	} else {
		if (v >= n)
			return;
		v = out[v] + 1;
	}
	out[threadIdx.x] = v;
}

// the same where the other way comes first: lanes 8 to 15 pass by, lanes 0 to 7 return early
extern "C" __global__ void below(int *out, int n, int good)
{
	int v = threadIdx.x;
	if (v >= 16) {
		v += __shfl_xor_sync(good ? 0xffff0000u : ALL, v, 1);
	} else {
		if (v < n)
			return;
		v = out[v] + 1;
	}
	out[threadIdx.x] = v;
}

__device__ __noinline__ int sum(int v, unsigned mask)
{
	return v + __shfl_xor_sync(mask, v, 1);
}

// in a function that is called
extern "C" __global__ void called(int *out, int n, int good)
{
	int v = threadIdx.x;
	if (v >= 16) {
		v = sum(v, good ? 0xffff0000u : ALL);
	} else {
		if (v < n)
			return;
		v = out[v] + 1;
	}
	out[threadIdx.x] = v;
}

// a vote decides between two stores; the lanes that don't vote go to the second
extern "C" __global__ void vote(int *out, int n, int good)
{
	const int v = threadIdx.x;
	if (v >= n && __any_sync(good ? ALL << n : ALL, v == 20))
		out[v] = 1;
	else
		out[v] = 0;
}

// a match, and a loop of the others behind it
extern "C" __global__ void match(int *out, int n, int good)
{
	const int v = threadIdx.x;
	int r = 0;
	if (v >= 16) {
		r = __match_any_sync(good ? 0xffff0000u : ALL, v & 3);
	} else if (v < n) {
		return;
	}
	for (int k = 0; k < v; k++)
		r = r * 3 + out[(v + k) & 31];
	out[v] = r;
}

// both ways part once more behind the place where they have met
extern "C" __global__ void later(int *out, int n, int good)
{
	int v = threadIdx.x;
	if (v >= 16)
		v += __shfl_xor_sync(good ? 0xffff0000u : ALL, v, 1);
	else if (v < n)
		return;
	if (v & 1) {
		out[threadIdx.x] = v;
		return;
	}
	atomicAdd(out, v);
}

// early returns: in front of all, out of a loop in front of and behind the instruction, after a store
extern "C" __global__ void legal(int *out, int n)
{
	const int t = threadIdx.x;
	int v = t;
	if (t >= n)
		return;
#pragma unroll 1
	for (int k = 0; k < n; k++) {
		if (k == t) {
			out[t] = 7;
			return;
		}
		v += __shfl_down_sync(ALL, v, 1) & 15;
		if (k + 20 == t) {
			out[32 + t] = k;
			return;
		}
	}
	out[t] = v;
}

// lanes that leave a loop after which nothing follows
extern "C" __global__ void loop(int *out)
{
	const int v = threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < v; k++)
		out[v] = __shfl_sync(ALL, k, v);
}

// What the three units share.
#pragma once
#include <cstdio>
__device__ int twice(int v);
template <int N> __device__ __noinline__ int plus(int v) { return v + N; } // weak: in two units
extern __device__ int offset;
extern __constant__ int factor;
__global__ void second(int *p);

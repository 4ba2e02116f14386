// nvcc -arch=compute_75 -ptx printf.cu
#include <cstdio>

// one record of 16 + 8 bytes for each thread
__global__ void count(int from) { printf("%d\n", from + (int)(blockIdx.x * blockDim.x + threadIdx.x)); }

// 16 + 8 + 8 * 8 bytes
__global__ void words() { printf("%s\n", "a string of sixty-three bytes, which the buffer has to hold, too"); }

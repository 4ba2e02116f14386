// Two kernels that use a cache in two ways. The sweep in cache.txt runs each with data caches of 2 to 64 KiB.
// PTX: nvcc -arch=sm_75 -ptx -lineinfo kernels.cu, then the folders taken out of its .file lines

// Sums 32 words of a table of 4096 floats (16 KiB), at places that a generator of random numbers gives: hits once the cache holds the table.
extern "C" __global__ void lookup(const float *table, float *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 2654435761u + 1u;
	float sum = 0;
	for (int k = 0; k < 32; k++) {
		state = state * 1664525u + 1013904223u;
		sum += table[state >> 20];
	}
	out[i] = sum;
}

// Multiplies two matrices of n x n without shared memory: a block's rows and columns are read again by each of its warps.
extern "C" __global__ void multiply(const float *a, const float *b, float *c, int n)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column];
	c[row * n + column] = sum;
}

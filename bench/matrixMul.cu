/* The tiled product of two matrices, as CUDA's samples have it: blocks of 32 by 32 threads, a tile of each matrix in shared memory. */
#define TILE 32

extern "C" __global__ void matrixMul(float *C, const float *A, const float *B, int wA, int wB)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int first = wA * TILE * blockIdx.y, end = first + wA;
	float sum = 0;
	for (int a = first, b = TILE * blockIdx.x; a < end; a += TILE, b += TILE * wB) {
		As[ty][tx] = A[a + wA * ty + tx];
		Bs[ty][tx] = B[b + wB * ty + tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[wB * (TILE * blockIdx.y + ty) + TILE * blockIdx.x + tx] = sum;
}

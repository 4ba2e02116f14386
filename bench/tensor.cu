// nvcc -arch=sm_80 -ptx tensor.cu: C = A * B, 512 x 512 of f16 with sums of f32. A block of 4 warps computes 64 x 64; a warp 32 x 32 with mma.m16n8k16.
#include <cuda_fp16.h>

#define N 512
#define PITCH 24 // halves of a row of A in shared memory, 8 more than k: rows lie in different banks
#define PITCH_B 72

static __device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void gemm_mma(const half *a, const half *b, float *c)
{
	__shared__ __align__(16) half sa[64 * PITCH], sb[16 * PITCH_B];
	const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = warp / 2 * 32, col = warp % 2 * 32;
	float d[2][4][4] = {};
	for (unsigned k = 0; k < N; k += 16) {
		*(uint4 *)&sa[threadIdx.x / 2 * PITCH + threadIdx.x % 2 * 8] =
			*(const uint4 *)&a[(blockIdx.y * 64 + threadIdx.x / 2) * N + k + threadIdx.x % 2 * 8];
		*(uint4 *)&sb[threadIdx.x / 8 * PITCH_B + threadIdx.x % 8 * 8] =
			*(const uint4 *)&b[(k + threadIdx.x / 8) * N + blockIdx.x * 64 + threadIdx.x % 8 * 8];
		__syncthreads();
		unsigned fa[2][4], fb[4][2];
		for (unsigned i = 0; i < 2; i++)
			asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
				     : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
				     : "r"(address(&sa[(row + 16 * i + lane % 16) * PITCH + lane / 16 * 8])));
		for (unsigned j = 0; j < 4; j++)
			asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
				     : "=r"(fb[j][0]), "=r"(fb[j][1])
				     : "r"(address(&sb[lane % 16 * PITCH_B + col + 8 * j])));
		for (unsigned i = 0; i < 2; i++)
			for (unsigned j = 0; j < 4; j++)
				asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
					     "{%0, %1, %2, %3};"
					     : "+f"(d[i][j][0]), "+f"(d[i][j][1]), "+f"(d[i][j][2]), "+f"(d[i][j][3])
					     : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
		__syncthreads();
	}
	for (unsigned i = 0; i < 2; i++)
		for (unsigned j = 0; j < 4; j++)
			for (unsigned e = 0; e < 4; e++)
				c[(blockIdx.y * 64 + row + 16 * i + lane / 4 + e / 2 * 8) * N + blockIdx.x * 64 + col + 8 * j + lane % 4 * 2 + e % 2] = d[i][j][e];
}

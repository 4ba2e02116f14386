// What GPGPU-Sim's options and variables mean for a program: kernels for two targets, copies, a preferred cache (argument 1: cudaFuncCache).
#include <cstdio>
#include <cstdlib>

__global__ void target(int *out)
{
#ifdef __CUDA_ARCH__
	out[threadIdx.x] = threadIdx.x + 100;
	if (threadIdx.x == 0)
		out[32] = __CUDA_ARCH__;
#endif
}

__global__ void strided(const float *a, float *out, int n)
{
	__shared__ float part[1024];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;
	for (int r = 0; r < 4; r++)
		for (int j = 0; j < 32; j++)
			v += a[(i * 32 + j) % n];
	part[threadIdx.x] = v;
	__syncthreads();
	out[i] = part[threadIdx.x ^ 1];
}

int main(int argc, char **argv)
{
	int *out, host[33] = {0};
	float *a, *b;
	const int n = 8192;
	cudaMalloc(&out, sizeof host);
	target<<<1, 32>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	printf("%s: out[5] = %d, arch %d\n", cudaGetErrorString(cudaGetLastError()), host[5], host[32]);
	cudaMalloc(&a, 4 * n);
	cudaMalloc(&b, 4 * 256);
	cudaMemset(a, 0, 4 * n);
	if (argc > 1)
		cudaFuncSetCacheConfig(strided, (cudaFuncCache)atoi(argv[1]));
	strided<<<2, 128>>>(a, b, n);
	return cudaDeviceSynchronize() != cudaSuccess;
}

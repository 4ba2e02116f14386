// Brightens 64 frames, one launch each. What its author saw: it runs for a while, then "an illegal memory access was encountered".
//
// nvcc -arch=sm_75 -lineinfo -g frames.cu -o frames
#include <cstdio>
#include <cuda_runtime.h>

const int WIDTH = 512, FRAMES = 64;

__global__ void brighten(unsigned char *frames, const int *first, int frame, int gain)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int v = frames[first[frame] + x] * gain >> 8;
	frames[first[frame] + x] = v > 255 ? 255 : v;
}

int main()
{
	static int first[FRAMES];
	unsigned char *frames;
	int *d_first;
	for (int k = 0; k < FRAMES; k++)
		first[k] = k * WIDTH;
	first[36] = 36 * WIDTH * WIDTH; // an index that was meant for pictures, not for lines
	cudaMalloc(&frames, FRAMES * WIDTH);
	cudaMemset(frames, 100, FRAMES * WIDTH);
	cudaMalloc(&d_first, sizeof first);
	cudaMemcpy(d_first, first, sizeof first, cudaMemcpyHostToDevice);
	for (int k = 0; k < FRAMES; k++)
		brighten<<<WIDTH / 128, 128>>>(frames, d_first, k, 300);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error;
}

/* frames.cu's host in C, for machines without nvcc: it is built with the PTX of frames.cu. */
#include "fixture.h"

FIXTURE("frames.ptx")
KERNEL(brighten, "_Z8brightenPhPKiii")

enum { WIDTH = 512, FRAMES = 64 };

/* Line by line as there, so that the debugger names those lines. */
#line 16 "frames.cu"
int main(void)
{
	static int first[FRAMES];
	unsigned char *frames;
	int *d_first, gain = 300;
	for (int k = 0; k < FRAMES; k++)
		first[k] = k * WIDTH;
	first[36] = 36 * WIDTH * WIDTH; /* an index that was meant for pictures, not for lines */
	cudaMalloc((void **)&frames, FRAMES * WIDTH);
	cudaMemset(frames, 100, FRAMES * WIDTH);
	cudaMalloc((void **)&d_first, sizeof first);
	cudaMemcpy(d_first, first, sizeof first, cudaMemcpyHostToDevice);
	for (int k = 0; k < FRAMES; k++)
		cudaLaunchKernel(brighten, (dim3){WIDTH / 128, 1, 1}, (dim3){128, 1, 1}, (void *[]){&frames, &d_first, &k, &gain}, 0, NULL);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error;
}

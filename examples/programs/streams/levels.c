/* levels.cu's host in C, for machines without nvcc: it is built with the PTX of levels.cu. */
#include "fixture.h"

FIXTURE("levels.ptx")
typedef struct CUevent_st *cudaEvent_t;
RUNTIME(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags))
RUNTIME(cudaError_t, cudaStreamSynchronize, (cudaStream_t s))
RUNTIME(cudaError_t, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags))
RUNTIME(cudaError_t, cudaEventCreate, (cudaEvent_t *e))
RUNTIME(cudaError_t, cudaEventRecord, (cudaEvent_t e, cudaStream_t s))
enum { cudaStreamNonBlocking = 1 };
KERNEL(find_peak, "_Z9find_peakPKfPfi")
KERNEL(scale, "_Z5scalePKfS0_Pf")

enum { N = 1024 };

static int n = N;

/* Line by line as there, so that the debugger names those lines. */
#line 32 "levels.cu"
int main(int argc, char **argv)
{
	static float samples[N];
	float *in, *peak, *out;
	cudaStream_t a, b;
	cudaEvent_t found;
	for (int i = 0; i < N; i++)
		samples[i] = (float)(i % 9);
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	cudaEventCreate(&found);
	cudaMalloc((void **)&in, sizeof samples);
	cudaMalloc((void **)&peak, sizeof(float));
	cudaMalloc((void **)&out, sizeof samples);
	cudaMemset(peak, 0, sizeof(float));
	cudaMemcpy(in, samples, sizeof samples, cudaMemcpyHostToDevice);
	cudaDeviceSynchronize();
	cudaLaunchKernel(find_peak, (dim3){1, 1, 1}, (dim3){128, 1, 1}, (void *[]){&in, &peak, &n}, 0, a);
	cudaEventRecord(found, a);
	if (argc > 1)
		cudaStreamWaitEvent(b, found, 0); /* what was forgotten */
	cudaLaunchKernel(scale, (dim3){N / 128, 1, 1}, (dim3){128, 1, 1}, (void *[]){&in, &peak, &out}, 0, b);
	cudaStreamSynchronize(b);
	cudaMemcpy(samples, out, sizeof samples, cudaMemcpyDeviceToHost);
	printf("%s, %g\n", cudaGetErrorString(cudaDeviceSynchronize()), (double)samples[4]);
	return 0;
}

/* How long copies take on the modelled device, and what goes on beside them. Each line: microseconds between two events. The sizes are such that a
 * copy between host and device takes 100 us at 6 GB/s. */
#include "fixture.h"

FIXTURE("streams.ptx")
KERNEL(work, "work")

typedef struct CUevent_st *cudaEvent_t;
RUNTIME(cudaError_t, cudaStreamCreate, (cudaStream_t *s))
RUNTIME(cudaError_t, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags))
RUNTIME(cudaError_t, cudaEventCreate, (cudaEvent_t *e))
RUNTIME(cudaError_t, cudaEventRecord, (cudaEvent_t e, cudaStream_t s))
RUNTIME(cudaError_t, cudaEventElapsedTime, (float *ms, cudaEvent_t a, cudaEvent_t b))
RUNTIME(cudaError_t, cudaMemcpyAsync, (void *to, const void *from, size_t n, int kind, cudaStream_t s))
RUNTIME(cudaError_t, cudaMallocHost, (void **p, size_t n))

enum { BYTES = 600000 };
static char *in, *out, *a, *b;
static unsigned *counted;
static cudaStream_t s, t;
static cudaEvent_t begin, other, end;

/* Both streams have come to here, and the end is that of the later one. */
static void fork_streams(void)
{
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventRecord(begin, s));
	CHECK(cudaStreamWaitEvent(t, begin, 0));
}

static void join_streams(const char *what)
{
	float ms;
	CHECK(cudaEventRecord(other, t));
	CHECK(cudaStreamWaitEvent(s, other, 0));
	CHECK(cudaEventRecord(end, s));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventElapsedTime(&ms, begin, end));
	printf("%s %.1f\n", what, (double)ms * 1000);
}

static void copy(void *to, const void *from, int kind, cudaStream_t stream)
{
	CHECK(cudaMemcpyAsync(to, from, BYTES, kind, stream));
}

static void kernel(cudaStream_t stream)
{
	unsigned n = 100;
	CHECK(cudaLaunchKernel(work, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&counted, &n}, 0, stream));
}

#define TIME(what, ...) \
	fork_streams(); \
	__VA_ARGS__; \
	join_streams(what);

int main(void)
{
	CHECK(cudaMallocHost((void **)&in, BYTES));
	CHECK(cudaMallocHost((void **)&out, BYTES));
	CHECK(cudaMalloc((void **)&a, BYTES));
	CHECK(cudaMalloc((void **)&b, BYTES));
	CHECK(cudaMalloc((void **)&counted, 128));
	CHECK(cudaStreamCreate(&s));
	CHECK(cudaStreamCreate(&t));
	CHECK(cudaEventCreate(&begin));
	CHECK(cudaEventCreate(&other));
	CHECK(cudaEventCreate(&end));
	memset(in, 5, BYTES);
	kernel(s); /* what comes later finds its instructions in the caches */
	TIME("nothing")
	TIME("to", copy(a, in, cudaMemcpyHostToDevice, s))
	TIME("from", copy(out, a, cudaMemcpyDeviceToHost, s))
	TIME("waited for", CHECK(cudaMemcpy(a, in, BYTES, cudaMemcpyHostToDevice)))
	TIME("within", copy(b, a, cudaMemcpyDeviceToDevice, s))
	TIME("both ways", copy(a, in, cudaMemcpyHostToDevice, s); copy(out, b, cudaMemcpyDeviceToHost, t))
	TIME("one way", copy(a, in, cudaMemcpyHostToDevice, s); copy(b, in, cudaMemcpyHostToDevice, t))
	TIME("kernel", kernel(s))
	TIME("beside a kernel", kernel(s); copy(a, in, cudaMemcpyHostToDevice, t))
	TIME("after a kernel", kernel(s); copy(a, in, cudaMemcpyHostToDevice, s))
	printf("%d\n", out[0] + out[BYTES - 1]);
	return 0;
}

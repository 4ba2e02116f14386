/* Streams and events: order, waiting, asking, times. */
#include "checks.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")

int cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags);
int cudaStreamQuery(cudaStream_t s);
int cudaStreamWaitEvent(cudaStream_t s, event_t e, unsigned flags);
int cudaStreamGetFlags(cudaStream_t s, unsigned *flags);
int cudaEventCreateWithFlags(event_t *e, unsigned flags);
int cudaEventQuery(event_t e);
int cudaEventElapsedTime(float *ms, event_t from, event_t to);
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t s);
int cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s);
int cudaLaunchHostFunc(cudaStream_t s, void (*fn)(void *), void *data);

enum { N = 20000 };
static float h[N];

static void count(void *p) { ++*(int *)p; }

int main(void)
{
	cudaStream_t s, t;
	event_t begin, end, between, silent;
	float *a, *b, *c, ms = -1;
	int n = N, polls = 0, error, called = 0;
	unsigned flags = 7;
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaStreamCreateWithFlags(&t, 1));
	RETURNS(0, cudaStreamGetFlags(t, &flags));
	EXPECT(flags == 1);
	RETURNS(0, cudaEventCreate(&begin));
	RETURNS(0, cudaEventCreate(&end));
	RETURNS(0, cudaEventCreate(&between));
	RETURNS(0, cudaEventCreateWithFlags(&silent, 2));
	RETURNS(0, cudaMalloc((void **)&a, sizeof h));
	RETURNS(0, cudaMalloc((void **)&b, sizeof h));
	RETURNS(0, cudaMalloc((void **)&c, sizeof h));
	for (int k = 0; k < N; k++)
		h[k] = 1;
	RETURNS(0, cudaMemcpyAsync(a, h, sizeof h, cudaMemcpyHostToDevice, s));
	RETURNS(0, cudaMemcpyAsync(b, h, sizeof h, cudaMemcpyHostToDevice, s));
	RETURNS(0, cudaEventRecord(begin, s));
	RETURNS(0, launch(vecadd, 79, 256, 0, s, ARGUMENTS(&a, &b, &c, &n)));
	RETURNS(0, cudaEventRecord(between, s));
	RETURNS(0, cudaStreamWaitEvent(t, between, 0));
	RETURNS(0, launch(vecadd, 79, 256, 0, t, ARGUMENTS(&c, &b, &a, &n)));
	RETURNS(0, cudaEventRecord(end, t));
	while ((error = cudaStreamQuery(t)) == 600)
		polls++;
	RETURNS(0, error);
	EXPECT(polls > 0);
	RETURNS(0, cudaEventQuery(end));
	RETURNS(0, cudaEventElapsedTime(&ms, begin, end));
	EXPECT(ms > 0 && ms < 1000);
	RETURNS(400, cudaEventElapsedTime(&ms, begin, silent));
	RETURNS(0, cudaMemcpyAsync(h, a, sizeof h, cudaMemcpyDeviceToHost, t));
	RETURNS(0, cudaStreamSynchronize(t));
	EXPECT(h[0] == 3 && h[N - 1] == 3);
	RETURNS(0, cudaLaunchHostFunc(s, count, &called));
	RETURNS(0, cudaStreamSynchronize(s));
	EXPECT(called == 1);
	RETURNS(0, cudaStreamDestroy(s));
	RETURNS(400, cudaStreamDestroy(s));
	RETURNS(400, cudaStreamSynchronize(s));
	RETURNS(400, launch(vecadd, 1, 32, 0, s, ARGUMENTS(&a, &b, &c, &n)));
	RETURNS(0, cudaEventDestroy(begin));
	RETURNS(400, cudaEventRecord(begin, NULL));
	RETURNS(0, cudaStreamDestroy(t));
	RETURNS(0, cudaDeviceSynchronize());
	return verdict();
}

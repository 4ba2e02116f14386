/* Streams, events, functions that streams call, in the order CUDA gives them. `streams WHAT`: one of them, whose lines tell what happened. */
#include <pthread.h>
#include <time.h>

#include "fixture.h"

FIXTURE("streams.ptx")
KERNEL(work, "work")
KERNEL(add, "add")
KERNEL(scale, "scale")

typedef struct CUevent_st *cudaEvent_t;
RUNTIME(cudaError_t, cudaStreamCreate, (cudaStream_t *s))
RUNTIME(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t *s, unsigned flags))
RUNTIME(cudaError_t, cudaStreamCreateWithPriority, (cudaStream_t *s, unsigned flags, int priority))
RUNTIME(cudaError_t, cudaStreamGetFlags, (cudaStream_t s, unsigned *flags))
RUNTIME(cudaError_t, cudaStreamGetPriority, (cudaStream_t s, int *priority))
RUNTIME(cudaError_t, cudaStreamDestroy, (cudaStream_t s))
RUNTIME(cudaError_t, cudaStreamSynchronize, (cudaStream_t s))
RUNTIME(cudaError_t, cudaStreamQuery, (cudaStream_t s))
RUNTIME(cudaError_t, cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags))
RUNTIME(cudaError_t, cudaStreamAddCallback, (cudaStream_t s, void (*f)(cudaStream_t, cudaError_t, void *), void *argument, unsigned flags))
RUNTIME(cudaError_t, cudaLaunchHostFunc, (cudaStream_t s, void (*f)(void *), void *argument))
RUNTIME(cudaError_t, cudaEventCreate, (cudaEvent_t *e))
RUNTIME(cudaError_t, cudaEventCreateWithFlags, (cudaEvent_t *e, unsigned flags))
RUNTIME(cudaError_t, cudaEventDestroy, (cudaEvent_t e))
RUNTIME(cudaError_t, cudaEventRecord, (cudaEvent_t e, cudaStream_t s))
RUNTIME(cudaError_t, cudaEventQuery, (cudaEvent_t e))
RUNTIME(cudaError_t, cudaEventSynchronize, (cudaEvent_t e))
RUNTIME(cudaError_t, cudaEventElapsedTime, (float *ms, cudaEvent_t a, cudaEvent_t b))
RUNTIME(cudaError_t, cudaMemcpyAsync, (void *to, const void *from, size_t n, int kind, cudaStream_t s))
RUNTIME(cudaError_t, cudaMemsetAsync, (void *p, int value, size_t n, cudaStream_t s))
RUNTIME(cudaError_t, cudaMallocAsync, (void **p, size_t n, cudaStream_t s))
RUNTIME(cudaError_t, cudaFreeAsync, (void *p, cudaStream_t s))
typedef struct CUmemPool_st *cudaMemPool_t;
RUNTIME(cudaError_t, cudaDeviceGetDefaultMemPool, (cudaMemPool_t *pool, int device))
RUNTIME(cudaError_t, cudaMemPoolSetAttribute, (cudaMemPool_t pool, int attribute, void *value))
RUNTIME(cudaError_t, cudaMemPoolGetAttribute, (cudaMemPool_t pool, int attribute, void *value))
RUNTIME(cudaError_t, cudaMallocFromPoolAsync, (void **p, size_t n, cudaMemPool_t pool, cudaStream_t s))
RUNTIME(cudaError_t, cudaMemsetAsync_ptsz, (void *p, int value, size_t n, cudaStream_t s))
RUNTIME(cudaError_t, cudaStreamSynchronize_ptsz, (cudaStream_t s))

static unsigned *device, host[32];

static void launch(const void *kernel, unsigned blocks, unsigned threads, unsigned n, cudaStream_t s)
{
	CHECK(cudaLaunchKernel(kernel, (dim3){blocks, 1, 1}, (dim3){threads, 1, 1}, (void *[]){&device, &n}, 0, s));
}

static void say(void *what)
{
	printf("%s\n", (const char *)what);
	fflush(stdout);
}

static void called(cudaStream_t s, cudaError_t error, void *what) { printf("%s %d %d\n", (const char *)what, s != NULL, error); }

/* 1 + 2, times 3, in one stream; then a copy back, all asynchronous */
static void order(void)
{
	unsigned one[32];
	cudaStream_t s;
	for (int i = 0; i < 32; i++)
		one[i] = 1;
	CHECK(cudaStreamCreate(&s));
	launch(work, 1, 32, 2000, s);
	CHECK(cudaMemcpyAsync(device, one, sizeof one, cudaMemcpyHostToDevice, s));
	memset(one, 7, sizeof one); /* it has been taken */
	launch(add, 1, 32, 2, s);
	launch(scale, 1, 32, 3, s);
	CHECK(cudaLaunchHostFunc(s, say, "function"));
	CHECK(cudaStreamAddCallback(s, called, "callback", 0));
	CHECK(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost, s));
	CHECK(cudaStreamSynchronize(s));
	printf("%u %u\n", host[0], host[31]);
	CHECK(cudaMemsetAsync(device, 0x11, sizeof host, s));
	launch(add, 1, 32, 1, s);
	CHECK(cudaStreamDestroy(s)); /* what is in it is still done */
	CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	printf("%x\n", host[5]);
	printf("destroyed twice: %d\n", cudaStreamDestroy(s));
	printf("no stream: %d\n", cudaStreamSynchronize((cudaStream_t)0x123450));
}

/* Another stream waits for an event in the first */
static void events(void)
{
	cudaStream_t a, b;
	cudaEvent_t e, f, untimed;
	unsigned flags;
	int priority;
	float ms = -1;
	CHECK(cudaStreamCreateWithFlags(&a, 1));
	CHECK(cudaStreamCreateWithPriority(&b, 1, -2));
	CHECK(cudaStreamGetFlags(b, &flags));
	CHECK(cudaStreamGetPriority(b, &priority));
	printf("flags %u, priority %d\n", flags, priority);
	CHECK(cudaEventCreate(&e));
	CHECK(cudaEventCreate(&f));
	CHECK(cudaEventCreateWithFlags(&untimed, 2));
	printf("never recorded: %d, time %d\n", cudaEventQuery(e), cudaEventElapsedTime(&ms, e, f));
	CHECK(cudaEventRecord(e, a));
	CHECK(cudaMemsetAsync(device, 0, sizeof host, a));
	launch(work, 1, 32, 60000, a);
	launch(add, 1, 32, 5, a);
	CHECK(cudaEventRecord(f, a));
	printf("not ready: %d %d\n", cudaEventQuery(f), cudaStreamQuery(a));
	CHECK(cudaStreamWaitEvent(b, f, 0));
	launch(scale, 1, 32, 2, b);
	CHECK(cudaLaunchHostFunc(b, say, "after the event"));
	CHECK(cudaStreamSynchronize(b));
	printf("ready: %d %d\n", cudaEventQuery(f), cudaStreamQuery(a));
	CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	printf("%u\n", host[7]);
	CHECK(cudaEventElapsedTime(&ms, e, f));
	printf("time %s\n", ms > 0 ? "passed" : "stood still");
	CHECK(cudaEventRecord(untimed, a));
	CHECK(cudaEventSynchronize(untimed));
	printf("untimed: %d\n", cudaEventElapsedTime(&ms, e, untimed));
	while (cudaStreamQuery(a))
		;
	CHECK(cudaEventDestroy(f));
	printf("destroyed: %d\n", cudaEventRecord(f, a));
	cudaGetLastError();
}

/* Half a machine's blocks in two streams, and in one: how much longer does that take? */
static void overlap(void)
{
	cudaStream_t s[2];
	cudaEvent_t e[3];
	float apart, together;
	for (int k = 0; k < 2; k++)
		CHECK(cudaStreamCreate(&s[k]));
	for (int k = 0; k < 3; k++)
		CHECK(cudaEventCreate(&e[k]));
	launch(work, 7, 32, 500, NULL);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventRecord(e[0], NULL));
	launch(work, 7, 32, 500, s[0]);
	launch(work, 7, 32, 500, s[0]);
	CHECK(cudaEventRecord(e[1], NULL));
	launch(work, 7, 32, 500, s[0]);
	launch(work, 7, 32, 500, s[1]);
	CHECK(cudaEventRecord(e[2], NULL));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventElapsedTime(&apart, e[0], e[1]));
	CHECK(cudaEventElapsedTime(&together, e[1], e[2]));
	printf("one after the other takes %.0f times as long\n", (double)(apart / together));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void locks(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	printf("locked\n");
	pthread_mutex_unlock(&lock);
}

/* A function waits for what a thread holds that makes calls meanwhile; calls in functions are refused */
static void calls(void *result) { *(int *)result = cudaMalloc((void **)&(void *){0}, 16); }

static void functions(void)
{
	cudaStream_t s;
	int result = 0;
	void *p;
	CHECK(cudaStreamCreate(&s));
	pthread_mutex_lock(&lock);
	CHECK(cudaLaunchHostFunc(s, locks, NULL));
	CHECK(cudaLaunchHostFunc(s, calls, &result));
	for (int k = 0; k < 20; k++) {
		CHECK(cudaMalloc(&p, 1000));
		cudaStreamQuery(s);
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	printf("unlocking\n");
	pthread_mutex_unlock(&lock);
	CHECK(cudaStreamSynchronize(s));
	printf("a call in a function: %d\n", result);
	CHECK(cudaMallocAsync(&p, 4000, s));
	CHECK(cudaMemsetAsync(p, 1, 4000, s));
	CHECK(cudaFreeAsync(p, s));
	CHECK(cudaStreamSynchronize(s));
	printf("freed: %d\n", cudaFree(p));
	cudaMemPool_t pool;
	uint64_t threshold = 12345, got = 0;
	CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
	CHECK(cudaMemPoolSetAttribute(pool, 4, &threshold)); /* cudaMemPoolAttrReleaseThreshold */
	CHECK(cudaMemPoolGetAttribute(pool, 4, &got));
	CHECK(cudaMallocFromPoolAsync(&p, 64, pool, s));
	CHECK(cudaFreeAsync(p, s));
	printf("pool keeps %d\n", (int)got);
}

/* Each thread's own default stream */
static void *in_thread(void *unused)
{
	(void)unused;
	CHECK(cudaMemsetAsync_ptsz(device, 1, 4, NULL));
	CHECK(cudaMemsetAsync(device, 2, 4, (cudaStream_t)2)); /* cudaStreamPerThread */
	CHECK(cudaStreamSynchronize_ptsz(NULL));
	CHECK(cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
	printf("%x\n", host[0]);
	return NULL;
}

static void threads(void)
{
	pthread_t t;
	for (int k = 0; k < 3; k++) {
		pthread_create(&t, NULL, in_thread, NULL);
		pthread_join(t, NULL);
	}
	CHECK(cudaDeviceReset());
	CHECK(cudaMalloc((void **)&device, 64));
	in_thread(NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {{"order", order}, {"events", events}, {"overlap", overlap}, {"functions", functions}, {"threads", threads}};
	CHECK(cudaMalloc((void **)&device, sizeof host));
	for (unsigned k = 0; k < sizeof parts / sizeof *parts; k++)
		if (argc > 1 && !strcmp(argv[1], parts[k].name))
			parts[k].run();
	return 0;
}

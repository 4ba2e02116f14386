/* How fast calls are: `speed SECONDS` prints a figure a line. SECONDS: when the program was asked for (date +%s.%N). */
#include <pthread.h>
#include <time.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(empty, "empty")

int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t s);

static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double since(double begin) { return now(CLOCK_MONOTONIC) - begin; }

enum { LAUNCHES = 10000, CALLS = 20000, BURST = 200, COPY = 64 << 20, COPIES = 8, THREADS = 8 };

static void *call(void *p)
{
	for (int k = 0; k < CALLS / THREADS; k++)
		RETURNS(0, cudaDeviceSynchronize());
	return p;
}

int main(int argc, char **argv)
{
	double t, launches = 0;
	char *host = malloc(COPY), *device;
	pthread_t thread[THREADS];
	RETURNS(0, launch(empty, 1, 32, 0, NULL, NULL));
	RETURNS(0, cudaDeviceSynchronize());
	printf("start to the end of the first launch: %.1f ms\n", argc > 1 ? (now(CLOCK_REALTIME) - atof(argv[1])) * 1e3 : 0);

	t = now(CLOCK_MONOTONIC);
	for (int k = 0; k < LAUNCHES; k++)
		RETURNS(0, launch(empty, 1, 32, 0, NULL, NULL));
	RETURNS(0, cudaDeviceSynchronize());
	printf("%d empty launches: %.3f s\n", LAUNCHES, since(t));

	for (int k = 0; k < CALLS / BURST; k++) {
		t = now(CLOCK_MONOTONIC);
		for (int i = 0; i < BURST; i++)
			RETURNS(0, launch(empty, 1, 32, 0, NULL, NULL));
		launches += since(t);
		RETURNS(0, cudaDeviceSynchronize());
	}
	printf("a call that needs no answer: %.2f us\n", launches / CALLS * 1e6);

	t = now(CLOCK_MONOTONIC);
	for (int k = 0; k < CALLS; k++)
		RETURNS(0, cudaDeviceSynchronize());
	printf("a call that needs one: %.2f us\n", since(t) / CALLS * 1e6);

	t = now(CLOCK_MONOTONIC);
	for (int k = 0; k < THREADS; k++)
		pthread_create(&thread[k], NULL, call, NULL);
	for (int k = 0; k < THREADS; k++)
		pthread_join(thread[k], NULL);
	printf("the same by %d threads: %.2f us\n", THREADS, since(t) / CALLS * 1e6);

	memset(host, 1, COPY);
	RETURNS(0, cudaMalloc((void **)&device, COPY));
	RETURNS(0, cudaMemcpy(device, host, COPY, cudaMemcpyHostToDevice));
	t = now(CLOCK_MONOTONIC);
	for (int k = 0; k < COPIES; k++)
		RETURNS(0, cudaMemcpy(device, host, COPY, cudaMemcpyHostToDevice));
	printf("copies to the device: %.2f GB/s\n", (double)COPY * COPIES / since(t) / 1e9);
	t = now(CLOCK_MONOTONIC);
	for (int k = 0; k < COPIES; k++)
		RETURNS(0, cudaMemcpy(host, device, COPY, cudaMemcpyDeviceToHost));
	printf("copies from the device: %.2f GB/s\n", (double)COPY * COPIES / since(t) / 1e9);
	return failures;
}

/* atomics N: atomics of system scope on managed memory, N of each kind by each thread of a kernel, and of a host thread at the same time: none is lost. */
#include <pthread.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(tally, "tally")

int cudaMallocManaged(void **p, size_t n, unsigned flags);

enum { THREADS = 64 };

struct sums {
	uint32_t added, incremented;
	uint64_t wide;
	float real;
};

static struct sums *sums;
static int over;
static uint32_t own;

static void add_real(float *to)
{
	uint32_t before = __atomic_load_n((uint32_t *)to, __ATOMIC_SEQ_CST), after;
	do {
		float f;
		memcpy(&f, &before, 4);
		f++;
		memcpy(&after, &f, 4);
	} while (!__atomic_compare_exchange_n((uint32_t *)to, &before, after, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* as long as the kernel runs, but no further than a float counts */
static void *add(void *unused)
{
	while (!__atomic_load_n(&over, __ATOMIC_SEQ_CST) && own < 1 << 23) {
		__atomic_fetch_add(&sums->added, 1, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&sums->incremented, 1, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&sums->wide, 1, __ATOMIC_SEQ_CST);
		add_real(&sums->real);
		own++;
	}
	return unused;
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 0;
	const uint32_t kernel = THREADS * (unsigned)rounds;
	pthread_t thread;
	RETURNS(0, cudaMallocManaged((void **)&sums, sizeof *sums, 1));
	memset(sums, 0, sizeof *sums);
	pthread_create(&thread, NULL, add, NULL);
	RETURNS(0, launch(tally, 2, THREADS / 2, 0, NULL, ARGUMENTS(&sums, (void *)&rounds)));
	RETURNS(0, cudaDeviceSynchronize());
	__atomic_store_n(&over, 1, __ATOMIC_SEQ_CST);
	pthread_join(thread, NULL);
	EXPECT(own > 0 && sums->added == own + kernel && sums->incremented == own + kernel);
	EXPECT(sums->wide == own + ((uint64_t)kernel << 20));
	EXPECT(sums->real == (float)(own + kernel));
	return verdict();
}

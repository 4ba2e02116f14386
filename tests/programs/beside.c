/* A process comes and uses the device while a kernel of another one runs, which its process waits for: it is served meanwhile. The kernel ends only when
 * that process is done; it counts, so that nothing it does repeats. */
#include <pthread.h>
#include <sys/mman.h>

#include "checks.h"
#include "steps.h"
#include "two_processes.h"

FIXTURE("until.ptx")
KERNEL(count_until, "count_until")
KERNEL(set, "set")

int cudaMallocHost(void **p, size_t n);

static volatile int *step;
static int *flag;

static void *end_kernel(void *unused)
{
	await_step(step, 2);
	*(volatile int *)flag = 1;
	return unused;
}

static void parent(void)
{
	pthread_t thread;
	unsigned *count;
	RETURNS(0, cudaMallocHost((void **)&flag, sizeof *flag));
	RETURNS(0, cudaMalloc((void **)&count, sizeof *count));
	*flag = 0;
	pthread_create(&thread, NULL, end_kernel, NULL);
	RETURNS(0, launch(count_until, 1, 1, 0, NULL, ARGUMENTS(&flag, &count)));
	*step = 1;
	RETURNS(0, cudaDeviceSynchronize());
	EXPECT(*step == 2);
	pthread_join(thread, NULL);
}

static void child(void)
{
	int *p, value = 42, got = 0;
	await_step(step, 1);
	RETURNS(0, cudaMalloc((void **)&p, sizeof *p));
	RETURNS(0, launch(set, 1, 1, 0, NULL, ARGUMENTS(&p, &value)));
	RETURNS(0, cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
	EXPECT(got == 42);
	*step = 2;
}

int main(void)
{
	step = mmap(NULL, sizeof *step, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	failures = with_child(child, parent, NULL);
	return verdict();
}

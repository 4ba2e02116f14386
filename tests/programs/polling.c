/* A kernel that polls memory: `polling` has another thread answer it; `polling kill` ends by SIGKILL while it polls. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(forever, "forever")

int cudaMallocManaged(void **p, size_t n, unsigned flags);

static volatile int *flag;
static int kills;

static void *answer(void *unused)
{
	void *p = NULL;
	usleep(200000);
	if (kills)
		kill(getpid(), SIGKILL);
	RETURNS(0, cudaMalloc(&p, 100)); /* while the kernel runs */
	*flag = 1;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	(void)argv;
	kills = argc > 1;
	RETURNS(0, cudaMallocManaged((void **)&flag, 4, 1));
	*flag = 0;
	pthread_create(&thread, NULL, answer, NULL);
	RETURNS(0, launch(forever, 1, 1, 0, NULL, ARGUMENTS((void *)&flag)));
	RETURNS(0, cudaDeviceSynchronize());
	pthread_join(thread, NULL);
	if (!failures)
		printf("PASSED\n");
	return failures;
}

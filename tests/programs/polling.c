/* Kernels that poll memory: `polling` has another thread answer, `polling kill` ends by SIGKILL while it polls. What answers else, in memory that only
 * the device has: `streams`: another stream's kernel, `copy`: a copy in another stream, `late`: a kernel that is launched when the host has computed for a
 * while, `thread`: by another thread, `function`: one that a stream calls writes memory of both. `legacy`: nothing, since the default stream waits
 * for the one that polls; CUDA hangs there, too. `never`: nobody, and no deadlock is seen, since the host could. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(forever, "forever")
KERNEL(fill, "fill")

int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t s);
int cudaLaunchHostFunc(cudaStream_t s, void (*function)(void *), void *argument);

static volatile int *flag;
static int kills;
static int *word, one = 1, n = 1;
static cudaStream_t polls, answers;

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

static void by_the_host(void)
{
	pthread_t thread;
	RETURNS(0, cudaMallocManaged((void **)&flag, 4, 1));
	*flag = 0;
	pthread_create(&thread, NULL, answer, NULL);
	RETURNS(0, launch(forever, 1, 1, 0, NULL, ARGUMENTS((void *)&flag)));
	RETURNS(0, cudaDeviceSynchronize());
	pthread_join(thread, NULL);
}

static void by_nobody(void)
{
	RETURNS(0, cudaMallocManaged((void **)&flag, 4, 1));
	*flag = 0;
	RETURNS(0, launch(forever, 1, 1, 0, NULL, ARGUMENTS((void *)&flag)));
	puts("polling");
	fflush(stdout);
	RETURNS(0, cudaDeviceSynchronize());
}

static void *launch_late(void *unused)
{
	usleep(300000);
	RETURNS(0, launch(fill, 1, 32, 0, answers, ARGUMENTS(&word, &one, &n)));
	return unused;
}

static void compute(void)
{
	struct timespec t = {0};
	while (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), t.tv_sec == 0 && t.tv_nsec < 300000000)
		;
}

static void set(void *p) { *(volatile int *)p = 1; }

static void on_the_device(const char *how)
{
	pthread_t thread;
	int value = 0, function = !strcmp(how, "function");
	RETURNS(0, cudaStreamCreate(&polls));
	RETURNS(0, cudaStreamCreate(&answers));
	RETURNS(0, function ? cudaMallocManaged((void **)&word, 4, 1) : cudaMalloc((void **)&word, 4));
	RETURNS(0, cudaMemset(word, 0, 4));
	RETURNS(0, launch(forever, 3, 40, 0, polls, ARGUMENTS(&word)));
	if (!strcmp(how, "thread"))
		pthread_create(&thread, NULL, launch_late, NULL);
	else if (!strcmp(how, "copy"))
		RETURNS(0, cudaMemcpyAsync(word, &one, 4, cudaMemcpyHostToDevice, answers));
	else if (function)
		RETURNS(0, cudaLaunchHostFunc(answers, set, word));
	else {
		if (!strcmp(how, "late"))
			compute();
		RETURNS(0, launch(fill, 1, 32, 0, strcmp(how, "legacy") ? answers : NULL, ARGUMENTS(&word, &one, &n)));
	}
	RETURNS(0, cudaDeviceSynchronize());
	if (!strcmp(how, "thread"))
		pthread_join(thread, NULL);
	RETURNS(0, cudaMemcpy(&value, word, 4, cudaMemcpyDeviceToHost));
	EXPECT(value == 1);
}

int main(int argc, char **argv)
{
	kills = argc > 1 && !strcmp(argv[1], "kill");
	if (argc > 1 && !strcmp(argv[1], "never"))
		by_nobody();
	else if (argc > 1 && !kills)
		on_the_device(argv[1]);
	else
		by_the_host();
	return verdict();
}

/* Two processes that use the device at the same time, started by one that doesn't: each has a context of its own. `processes WHAT`, WHAT is one of
 * the names in `tests` below; `say` takes two files for the processes' output. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"
#include "steps.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
KERNEL(poke, "poke")
KERNEL(forever, "forever")
KERNEL(say, "say")

int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaHostAlloc(void **p, size_t n, unsigned flags);
int cudaMemGetInfo(size_t *free, size_t *total);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaDeviceGetLimit(size_t *value, int limit);
int cudaEventQuery(event_t e);
int cudaStreamQuery(cudaStream_t s);
int cudaPointerGetAttributes(void *attributes, const void *p);

enum { INVALID_VALUE = 1, INVALID_HANDLE = 400, ILLEGAL_ADDRESS = 700, MALLOC_HEAP = 2 };

/* What both have. */
static struct {
	volatile int step;
	int *volatile pointer, *volatile managed;
	event_t volatile event;
	cudaStream_t volatile stream;
} * both;

static void await(int step) { await_step(&both->step, step); }
static void go(int step) { both->step = step; }

static int *filled(int value)
{
	int *a, n = 64;
	RETURNS(0, cudaMalloc((void **)&a, 256));
	RETURNS(0, launch(fill, 1, 64, 0, NULL, ARGUMENTS(&a, &value, &n)));
	return a;
}

static int first_of(const int *a)
{
	int v = -1;
	RETURNS(0, cudaMemcpy(&v, a, sizeof v, cudaMemcpyDeviceToHost));
	return v;
}

/* ---- a failure is the process' own ---- */

static void fault_a(void)
{
	void *nowhere = (void *)16, *p;
	RETURNS(0, use_kernel(fill));
	await(1);
	RETURNS(0, launch(poke, 1, 1, 0, NULL, ARGUMENTS(&nowhere)));
	RETURNS(ILLEGAL_ADDRESS, cudaDeviceSynchronize());
	RETURNS(ILLEGAL_ADDRESS, cudaMalloc(&p, 4));
	go(2);
}

static void fault_b(void)
{
	cudaStream_t s;
	event_t e;
	int *const a = filled(5);
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaEventCreate(&e));
	RETURNS(0, cudaEventRecord(e, s));
	go(1);
	await(2);
	EXPECT(first_of(a) == 5);
	RETURNS(0, cudaGetLastError());
	RETURNS(0, use_kernel(fill));
	RETURNS(0, cudaEventSynchronize(e));
	RETURNS(0, cudaStreamSynchronize(s));
}

/* ---- pointers and handles of the other one ---- */

static void pointers_a(void)
{
	void *managed;
	cudaStream_t s;
	event_t e;
	both->pointer = filled(7);
	RETURNS(0, cudaMallocManaged(&managed, 256, 1));
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaEventCreate(&e));
	both->managed = managed;
	both->stream = s;
	both->event = e;
	go(1);
	await(2);
	EXPECT(first_of(both->pointer) == 7);
	RETURNS(0, cudaStreamDestroy(s));
	RETURNS(0, cudaEventDestroy(e));
	RETURNS(0, cudaFree(managed));
}

static void pointers_b(void)
{
	int *p, value = 1;
	struct {
		int type, device;
		void *host, *of_device;
		long reserved[8];
	} attributes = {.type = -1};
	RETURNS(0, use_kernel(fill));
	await(1);
	p = both->pointer;
	RETURNS(INVALID_VALUE, cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice));
	RETURNS(INVALID_VALUE, cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
	RETURNS(INVALID_VALUE, cudaMemset(p, 0, 4));
	RETURNS(INVALID_VALUE, cudaFree(p));
	RETURNS(INVALID_VALUE, cudaFree(both->managed));
	RETURNS(0, cudaPointerGetAttributes(&attributes, p));
	EXPECT(attributes.type == 0);
	RETURNS(INVALID_HANDLE, cudaStreamSynchronize(both->stream));
	RETURNS(INVALID_HANDLE, cudaEventSynchronize(both->event));
	RETURNS(INVALID_HANDLE, cudaEventRecord(both->event, NULL));
	RETURNS(0, launch(poke, 1, 1, 0, NULL, ARGUMENTS(&p)));
	RETURNS(ILLEGAL_ADDRESS, cudaDeviceSynchronize());
	go(2);
}

/* ---- the end of one ---- */

static void end_a(void)
{
	void *p;
	int *hosts;
	await(1);
	RETURNS(0, cudaMalloc(&p, 100 << 20));
	RETURNS(0, cudaMallocManaged(&p, 50 << 20, 1));
	RETURNS(0, cudaHostAlloc((void **)&hosts, 4, 0));
	*hosts = 0;
	RETURNS(0, launch(forever, 1, 1, 0, NULL, ARGUMENTS(&hosts)));
	RETURNS(600, cudaStreamQuery(NULL));
	go(2);
	await(3);
	_exit(failures); /* in the middle of its kernel */
}

static void end_b(void)
{
	size_t before, after, total;
	int *const mine = filled(3);
	RETURNS(0, cudaDeviceSynchronize());
	RETURNS(0, cudaMemGetInfo(&before, &total));
	go(1);
	await(2);
	RETURNS(0, cudaMemGetInfo(&after, &total));
	EXPECT(before - after >= 150u << 20);
	go(3);
	for (int k = 0; k < 4000 && after < before; k++) {
		usleep(1000);
		RETURNS(0, cudaMemGetInfo(&after, &total));
	}
	EXPECT(after == before);
	EXPECT(first_of(mine) == 3);
	RETURNS(0, use_kernel(fill));
}

static void reset_a(void)
{
	cudaStream_t s;
	int *const a = filled(9), value = 11, n = 64;
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, launch(fill, 1, 64, 0, s, ARGUMENTS((void *)&a, (void *)&value, (void *)&n)));
	go(1);
	await(2);
	RETURNS(0, cudaStreamSynchronize(s));
	EXPECT(first_of(a) == 11);
	RETURNS(0, cudaStreamDestroy(s));
	RETURNS(0, use_kernel(fill));
}

static void reset_b(void)
{
	int *const mine = filled(1);
	await(1);
	RETURNS(0, cudaDeviceReset());
	RETURNS(INVALID_VALUE, cudaFree(mine));
	go(2);
	RETURNS(0, use_kernel(fill));
}

/* ---- default streams: nobody waits for the other's ---- */

static void streams_a(void)
{
	int *flag;
	RETURNS(0, cudaHostAlloc((void **)&flag, 4, 0));
	*flag = 0;
	RETURNS(0, launch(forever, 1, 1, 0, NULL, ARGUMENTS(&flag)));
	RETURNS(600, cudaStreamQuery(NULL));
	go(1);
	await(2);
	*(volatile int *)flag = 1;
	RETURNS(0, cudaDeviceSynchronize());
}

static void streams_b(void)
{
	await(1);
	RETURNS(0, use_kernel(fill));
	RETURNS(0, cudaStreamQuery(NULL));
	RETURNS(0, cudaDeviceSynchronize());
	go(2);
}

/* ---- limits, output ---- */

static void limits_a(void)
{
	size_t heap = 0;
	RETURNS(0, cudaDeviceSetLimit(MALLOC_HEAP, 4096));
	go(1);
	await(2);
	RETURNS(0, cudaDeviceGetLimit(&heap, MALLOC_HEAP));
	EXPECT(heap == 4096);
}

static void limits_b(void)
{
	size_t heap = 0;
	RETURNS(0, use_kernel(fill));
	await(1);
	RETURNS(0, cudaDeviceGetLimit(&heap, MALLOC_HEAP));
	EXPECT(heap == 8 << 20);
	RETURNS(0, cudaDeviceSetLimit(MALLOC_HEAP, 1 << 20));
	go(2);
}

static void say_one(int n) { RETURNS(0, launch(say, 1, 1, 0, NULL, ARGUMENTS(&n))); }

static void say_a(void)
{
	say_one(1);
	go(1);
	await(2);
	RETURNS(0, cudaDeviceSynchronize());
}

static void say_b(void)
{
	await(1);
	say_one(2);
	RETURNS(0, cudaDeviceSynchronize());
	go(2);
}

/* ---- */

static const struct {
	const char *name;
	void (*a)(void), (*b)(void);
} tests[] = {{"fault", fault_a, fault_b}, {"pointers", pointers_a, pointers_b}, {"end", end_a, end_b},
	     {"reset", reset_a, reset_b}, {"streams", streams_a, streams_b},	{"limits", limits_a, limits_b},
	     {"say", say_a, say_b}};

static pid_t start(void (*does)(void), const char *output)
{
	fflush(stdout);
	const pid_t pid = fork();
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (output && !freopen(output, "w", stdout))
		_exit(98);
	does();
	fflush(stdout);
	_exit(failures);
}

int main(int argc, char **argv)
{
	both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned k = 0; argc > 1 && k < sizeof tests / sizeof *tests; k++) {
		int status;
		if (strcmp(argv[1], tests[k].name) != 0)
			continue;
		start(tests[k].a, argc > 3 ? argv[2] : NULL);
		start(tests[k].b, argc > 3 ? argv[3] : NULL);
		while (wait(&status) > 0)
			failures += status != 0;
		return failures;
	}
	return 97;
}

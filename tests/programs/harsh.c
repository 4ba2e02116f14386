/* What the surroundings do to a program. `harsh WHAT`: handler (calls from a signal handler), everywhere (from one that comes at every instruction), callback (exit in a function that a stream calls),
 * exit (a call in an atexit handler), many N (launches in a loop; prints what memory the debugger uses), storm (threads that come and go),
 * handles (used after they were given back), reset (while another thread waits for what fails), use, locked (page-locked memory), kill (until the debugger is killed). */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/time.h>
#include <unistd.h>

#include "checks.h"

int cudaLaunchHostFunc(cudaStream_t s, void (*function)(void *), void *argument);
int cudaMallocHost(void **p, size_t n);
int cudaFreeHost(void *p);
int cudaEventQuery(event_t e);
int cudaStreamQuery(cudaStream_t s);
int cudaGraphCreate(void **g, unsigned flags), cudaGraphDestroy(void *g),
	cudaMallocArray(void **a, const int *channels, size_t w, size_t h, unsigned flags), cudaFreeArray(void *a);
int cudaMallocAsync(void **p, size_t n, cudaStream_t s), cudaFreeAsync(void *p, cudaStream_t s);
int cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags), cudaStreamBeginCapture(cudaStream_t s, int mode),
	cudaStreamEndCapture(cudaStream_t s, void **graph);
int cudaFuncGetAttributes(void *to, const void *function);
int cudaStreamWaitEvent(cudaStream_t s, event_t e, unsigned flags);

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
KERNEL(empty, "empty")
KERNEL(poke, "poke")

enum { KINDS = 8, invalid_handle = 400, illegal_address = 700 };

static int use(void) { return use_kernel(fill); }

static volatile sig_atomic_t calls, served, strange;

/* An error is that the call came in the middle of another one, or what follows from that. */
static int is_fine(int error) { return !error || error == 800 || error == invalid_handle || error == 1; }

/* A graph of one node, from a stream that waits for no other. */
static int capture_one(void)
{
	cudaStream_t s;
	void *graph = NULL;
	int error = cudaStreamCreateWithFlags(&s, 1);
	if (error)
		return error;
	error = cudaStreamBeginCapture(s, 2);
	if (!error) {
		error = launch(empty, 1, 32, 0, s, ARGUMENTS(NULL));
		const int end = cudaStreamEndCapture(s, &graph);
		error = error ? error : end;
	}
	if (graph)
		cudaGraphDestroy(graph);
	cudaStreamDestroy(s);
	return error;
}

/* One call of those that take locks of the library's, in turn, and what undoes it. */
static int call_some(int which)
{
	static const int channels[5] = {32, 0, 0, 0, 0};
	char attributes[512];
	void *p = NULL;
	int error;
	switch (which % KINDS) {
	case 0: error = cudaMalloc(&p, 16); return error ? error : cudaFree(p);
	case 1: return launch(empty, 1, 32, 0, NULL, ARGUMENTS(NULL));
	case 2: error = cudaGraphCreate(&p, 0); return error ? error : cudaGraphDestroy(p);
	case 3: error = cudaStreamCreate((cudaStream_t *)&p); return error ? error : cudaStreamDestroy(p);
	case 4: error = cudaMallocArray(&p, channels, 4, 4, 0); return error ? error : cudaFreeArray(p);
	case 5: return cudaFuncGetAttributes(attributes, empty);
	case 6: error = cudaMallocAsync(&p, 16, NULL); return error ? error : cudaFreeAsync(p, NULL);
	default: return capture_one();
	}
}

static void on_alarm(int signal)
{
	(void)signal;
	const int error = call_some(calls++);
	served += !error;
	strange += !is_fine(error);
}

static void handler(void)
{
	const struct itimerval every = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
	struct sigaction how = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &how, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int k = 0; k < 200000 && calls < 600; k++)
		RETURNS(0, k % 2 ? call_some(k / 2) : use());
	setitimer(ITIMER_REAL, &off, NULL);
	EXPECT(calls >= 600 && served && !strange);
}

#ifdef __x86_64__
static void trap_each_instruction(bool on)
{
	if (on)
		__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
	else
		__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

/* A signal in front of each instruction of each call, its handler's calls being of one kind after the other. */
static void everywhere(void)
{
	struct sigaction how = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	RETURNS(0, use());
	for (int k = 0; k < KINDS; k++)
		RETURNS(0, call_some(k)); /* what it needs is loaded */
	sigaction(SIGTRAP, &how, NULL);
	for (int k = 0; k < KINDS; k++) {
		trap_each_instruction(true);
		const int error = call_some(k);
		trap_each_instruction(false);
		RETURNS(0, error);
	}
	EXPECT(calls > 1000 && served && !strange);
}
#else
static void everywhere(void) {}
#endif

static void leave(void *status) { exit((int)(intptr_t)status); }
static void at_end(void) { printf("at the end %d\n", use()); }

static void *come_and_go(void *self)
{
	return (void *)(intptr_t)(use() + (launch(empty, 1, 32, 0, NULL, ARGUMENTS(NULL)) ? (self ? 1 : 2) : 0));
}

static void storm(void)
{
	pthread_t thread[64];
	for (int round = 0; round < 4; round++) {
		for (int k = 0; k < 64; k++)
			EXPECT(!pthread_create(&thread[k], NULL, come_and_go, NULL));
		for (int k = 0; k < 64; k++) {
			void *error;
			pthread_join(thread[k], &error);
			EXPECT(!error);
		}
	}
}

static long debugger_kb(void)
{
	char path[64], line[256];
	long kb = 0;
	snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "VmRSS: %ld", &kb);
	if (f)
		fclose(f);
	return kb;
}

static void many(int n)
{
	long before = 0;
	for (int k = 0; k < 2 * n; k++) {
		if (k == n) {
			cudaDeviceSynchronize();
			before = debugger_kb();
		}
		RETURNS(0, launch(empty, 1, 32, 0, NULL, ARGUMENTS(NULL)));
	}
	RETURNS(0, cudaDeviceSynchronize());
	printf("%ld\n", (debugger_kb() - before) * 1024 / n);
}

static void handles(void)
{
	cudaStream_t s, t;
	event_t e;
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaStreamCreate(&t));
	RETURNS(0, cudaEventCreate(&e));
	RETURNS(0, cudaStreamDestroy(s));
	RETURNS(0, cudaEventDestroy(e));
	RETURNS(invalid_handle, cudaStreamDestroy(s));
	RETURNS(invalid_handle, cudaStreamSynchronize(s));
	RETURNS(invalid_handle, cudaStreamQuery(s));
	RETURNS(invalid_handle, launch(empty, 1, 32, 0, s, ARGUMENTS(NULL)));
	RETURNS(invalid_handle, cudaEventRecord(e, t));
	RETURNS(invalid_handle, cudaEventQuery(e));
	RETURNS(invalid_handle, cudaEventDestroy(e));
	RETURNS(invalid_handle, cudaStreamWaitEvent(t, e, 0));
	RETURNS(invalid_handle, cudaStreamSynchronize((cudaStream_t)(uintptr_t)0x1234567890));
	RETURNS(0, cudaStreamDestroy(t));
	RETURNS(0, use());
}

static atomic_bool waits, resets;

/* Until the program is in cudaDeviceReset, or nearly so. */
static void hold(void *nothing)
{
	(void)nothing;
	while (!resets)
		usleep(1000);
	usleep(50000);
}

/* Its copy waits behind a kernel that fails. */
static void *wait_for_failure(void *nothing)
{
	int *p, *nowhere = NULL, h;
	RETURNS(0, cudaMalloc((void **)&p, sizeof h));
	RETURNS(0, cudaLaunchHostFunc(NULL, hold, NULL));
	RETURNS(0, launch(poke, 1, 1, 0, NULL, ARGUMENTS(&nowhere)));
	waits = 1;
	RETURNS(illegal_address, cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost));
	return nothing;
}

static void reset(void)
{
	pthread_t thread;
	RETURNS(0, use()); /* so its calls are looked at before the other thread's */
	pthread_create(&thread, NULL, wait_for_failure, NULL);
	while (!waits)
		usleep(1000);
	usleep(20000);
	resets = 1;
	RETURNS(0, cudaDeviceReset());
	pthread_join(thread, NULL);
	RETURNS(0, use());
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "handler"))
		handler();
	else if (!strcmp(what, "everywhere"))
		everywhere();
	else if (!strcmp(what, "callback")) {
		RETURNS(0, cudaLaunchHostFunc(NULL, leave, (void *)6));
		cudaDeviceSynchronize();
		pause();
	} else if (!strcmp(what, "exit")) {
		atexit(at_end);
		RETURNS(0, use());
	} else if (!strcmp(what, "storm"))
		storm();
	else if (!strcmp(what, "many"))
		many(atoi(argv[2]));
	else if (!strcmp(what, "handles"))
		handles();
	else if (!strcmp(what, "reset"))
		reset();
	else if (!strcmp(what, "locked")) {
		int *p = NULL, error = cudaMallocHost((void **)&p, 4096);
		printf("locked %d\n", error ? error : (p[5] = 7, cudaFreeHost(p)));
	} else if (!strcmp(what, "use"))
		printf("use %d\n", use());
	else if (!strcmp(what, "kill")) { /* whoever started it does that, by path alone */
		printf("before %d\n", use());
		fflush(stdout);
		for (int k = 0; k < 6000 && !use(); k++)
			usleep(1000);
		printf("after %d\n", use());
	}
	printf(failures ? "FAILED\n" : "PASSED\n");
	return failures != 0;
}

/* Memory and events that go from one process to another (cudaIpc...). `ipc pass`: both use them; `ipc wrong`: what isn't possible. The child is
 * started before its parent uses CUDA. */
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

struct handle {
	char reserved[64];
};
int cudaIpcGetMemHandle(struct handle *h, void *p);
int cudaIpcOpenMemHandle(void **p, struct handle h, unsigned flags);
int cudaIpcCloseMemHandle(void *p);
int cudaIpcGetEventHandle(struct handle *h, event_t e);
int cudaIpcOpenEventHandle(event_t *e, struct handle h);
int cudaEventCreateWithFlags(event_t *e, unsigned flags);
int cudaStreamWaitEvent(cudaStream_t s, event_t e, unsigned flags);
int cudaMallocManaged(void **p, size_t n, unsigned flags);

enum { INVALID_VALUE = 1, INVALID_CONTEXT = 201, MAP_FAILED_ = 205, INVALID_HANDLE = 400, ILLEGAL_ADDRESS = 700 };
enum { LAZY = 1, DISABLE_TIMING = 2, INTERPROCESS = 4, N = 64 };

static struct {
	volatile int step;
	struct handle memory, event;
} * both;

static void await(int step) { await_step(&both->step, step); }
static void go(int step) { both->step = step; }

static void filled(int *a, int value, cudaStream_t s)
{
	int n = N;
	RETURNS(0, launch(fill, 1, N, 0, s, ARGUMENTS(&a, &value, &n)));
}

static int last_of(const int *a)
{
	int v = -1;
	RETURNS(0, cudaMemcpy(&v, a + N - 1, sizeof v, cudaMemcpyDeviceToHost));
	return v;
}

/* Each fills it after the other, who is waited for by the event alone. */
static void pass_child(void)
{
	int *a, *again;
	event_t e;
	cudaStream_t s;
	await(1);
	RETURNS(0, cudaIpcOpenMemHandle((void **)&a, both->memory, LAZY));
	RETURNS(0, cudaIpcOpenMemHandle((void **)&again, both->memory, LAZY));
	EXPECT(a == again);
	RETURNS(0, cudaIpcOpenEventHandle(&e, both->event));
	RETURNS(0, cudaStreamCreate(&s));
	RETURNS(0, cudaStreamWaitEvent(s, e, 0));
	filled(a, 20, s);
	RETURNS(0, cudaEventRecord(e, s));
	go(2);
	await(3);
	EXPECT(last_of(a) == 30 + N - 1);
	RETURNS(0, cudaIpcCloseMemHandle(again));
	EXPECT(last_of(a) == 30 + N - 1);
	RETURNS(INVALID_VALUE, cudaFree(a));
	RETURNS(0, cudaIpcCloseMemHandle(a));
	RETURNS(INVALID_VALUE, cudaIpcCloseMemHandle(a));
	RETURNS(0, cudaEventDestroy(e));
	RETURNS(INVALID_HANDLE, cudaEventRecord(e, s));
	RETURNS(0, launch(poke, 1, 1, 0, NULL, ARGUMENTS(&a)));
	RETURNS(ILLEGAL_ADDRESS, cudaDeviceSynchronize());
	go(4);
}

static void pass_parent(void)
{
	int *a;
	event_t e;
	RETURNS(0, cudaMalloc((void **)&a, N * sizeof *a));
	RETURNS(0, cudaEventCreateWithFlags(&e, DISABLE_TIMING | INTERPROCESS));
	RETURNS(0, cudaIpcGetMemHandle(&both->memory, a + 5));
	RETURNS(0, cudaIpcGetEventHandle(&both->event, e));
	filled(a, 10, NULL);
	RETURNS(0, cudaEventRecord(e, NULL));
	go(1);
	await(2);
	RETURNS(0, cudaStreamWaitEvent(NULL, e, 0));
	EXPECT(last_of(a) == 20 + N - 1);
	filled(a, 30, NULL);
	RETURNS(0, cudaDeviceSynchronize());
	go(3);
	await(4);
	EXPECT(last_of(a) == 30 + N - 1);
	RETURNS(0, cudaEventDestroy(e));
	RETURNS(0, cudaFree(a));
}

static void wrong_child(void)
{
	void *p;
	event_t e;
	struct handle none = {"nothing"};
	await(1);
	RETURNS(MAP_FAILED_, cudaIpcOpenMemHandle(&p, none, LAZY));
	RETURNS(MAP_FAILED_, cudaIpcOpenEventHandle(&e, none));
	RETURNS(INVALID_VALUE, cudaIpcOpenMemHandle(&p, both->event, LAZY));
	RETURNS(INVALID_VALUE, cudaIpcOpenEventHandle(&e, both->memory));
	RETURNS(INVALID_VALUE, cudaIpcOpenMemHandle(&p, both->memory, 2));
	RETURNS(INVALID_VALUE, cudaIpcOpenMemHandle(NULL, both->memory, LAZY));
	RETURNS(INVALID_VALUE, cudaIpcCloseMemHandle(NULL));
	RETURNS(0, cudaIpcOpenMemHandle(&p, both->memory, LAZY));
	go(2);
	await(3);
	/* it was freed: nobody has it any more */
	RETURNS(INVALID_VALUE, cudaMemset(p, 0, 4));
	RETURNS(INVALID_VALUE, cudaIpcOpenMemHandle(&p, both->memory, LAZY));
	go(4);
}

static void wrong_parent(void)
{
	int *a, *managed;
	event_t e, plain;
	struct handle h;
	RETURNS(0, cudaMalloc((void **)&a, N * sizeof *a));
	RETURNS(0, cudaMallocManaged((void **)&managed, N * sizeof *a, 1));
	RETURNS(0, cudaEventCreate(&plain));
	RETURNS(INVALID_VALUE, cudaEventCreateWithFlags(&e, INTERPROCESS));
	RETURNS(0, cudaEventCreateWithFlags(&e, DISABLE_TIMING | INTERPROCESS));
	RETURNS(INVALID_HANDLE, cudaIpcGetEventHandle(&h, plain));
	RETURNS(INVALID_VALUE, cudaIpcGetMemHandle(&h, &h));
	RETURNS(INVALID_VALUE, cudaIpcGetMemHandle(&h, managed));
	RETURNS(INVALID_VALUE, cudaIpcGetMemHandle(NULL, a));
	RETURNS(0, cudaIpcGetMemHandle(&both->memory, a));
	RETURNS(0, cudaIpcGetEventHandle(&both->event, e));
	void *p;
	RETURNS(INVALID_CONTEXT, cudaIpcOpenMemHandle(&p, both->memory, LAZY));
	RETURNS(INVALID_CONTEXT, cudaIpcOpenEventHandle(&p, both->event));
	RETURNS(INVALID_VALUE, cudaIpcCloseMemHandle(a));
	go(1);
	await(2);
	RETURNS(0, cudaFree(a));
	go(3);
	await(4);
}

int main(int argc, char **argv)
{
	int status;
	const int wrong = argc > 1 && !strcmp(argv[1], "wrong");
	both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const pid_t child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		(wrong ? wrong_child : pass_child)();
		fflush(stdout);
		_exit(failures);
	}
	(wrong ? wrong_parent : pass_parent)();
	waitpid(child, &status, 0);
	return failures + (status != 0);
}

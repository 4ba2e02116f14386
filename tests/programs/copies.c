/* Copies, fills and kernels of different streams, ordered and not: `copies CASE...`. What the race checker is to find: tests/scripts/test_program_copies.sh. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")
KERNEL(forever, "forever")

int cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags);
int cudaStreamWaitEvent(cudaStream_t s, event_t e, unsigned flags);
int cudaStreamQuery(cudaStream_t s);
int cudaEventQuery(event_t e);
int cudaMallocHost(void **p, size_t n);
int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t s);
int cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s);
int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
		      int kind, cudaStream_t s);
int cudaStreamBeginCapture(cudaStream_t s, int mode);
int cudaStreamEndCapture(cudaStream_t s, void **graph);
int cudaGraphInstantiate(void **exec, void *graph, unsigned long long flags);
int cudaGraphLaunch(void *exec, cudaStream_t s);

enum {
	N = 256,
	BYTES = N * sizeof(int),
	UP = cudaMemcpyHostToDevice,
	DOWN = cudaMemcpyDeviceToHost,
	WITHIN = cudaMemcpyDeviceToDevice
};
static int *x, *y, *pinned, *managed, pageable[N];
static cudaStream_t a, b, blocking, blocking_too, other; /* the others are non-blocking */
static event_t e;
#define PER_THREAD ((cudaStream_t)2)

static void kernel(int *p, int n, cudaStream_t s)
{
	int value = 3;
	RETURNS(0, launch(fill, (unsigned)(n + 63) / 64, 64, 0, s, ARGUMENTS(&p, &value, &n)));
}
static void copy(void *to, const void *from, int kind, cudaStream_t s)
{
	RETURNS(0, cudaMemcpyAsync(to, from, BYTES, kind, s));
}
static void wait(cudaStream_t waits, cudaStream_t on)
{
	RETURNS(0, cudaEventRecord(e, on));
	RETURNS(0, cudaStreamWaitEvent(waits, e, 0));
}

/* ---- races ---- */
static void kernel_down(void) { kernel(x, N, a), copy(pinned, x, DOWN, b); }
static void down_kernel(void) { copy(pinned, x, DOWN, a), kernel(x, N, b); }
static void up_kernel(void) { copy(x, pinned, UP, a), kernel(x, N, b); }
static void kernel_fill(void) { kernel(x, N, a), cudaMemsetAsync(x, 0, BYTES, b); }
static void kernel_within(void) { kernel(x, N, a), copy(y, x, WITHIN, b); }
static void up_up(void) { copy(x, pageable, UP, a), copy(x, pinned, UP, b); }
static void default_fill(void) { cudaMemset(x, 0, BYTES), kernel(x, N, a); } /* the host doesn't wait for it */
static void early_event(void)
{
	RETURNS(0, cudaEventRecord(e, a));
	kernel(x, N, a);
	RETURNS(0, cudaStreamWaitEvent(b, e, 0));
	copy(pinned, x, DOWN, b);
}
static void other_event(void) { kernel(x, N, a), wait(b, other), kernel(x, N, b); }
static void rows(void)
{
	kernel(x, N, a);
	RETURNS(0, cudaMemcpy2DAsync(pinned, 64, x, 64, 16, 16, DOWN, b));
}
static void graph(void)
{
	void *g, *exec;
	RETURNS(0, cudaStreamBeginCapture(blocking, 2));
	wait(b, blocking);
	copy(pinned, x, DOWN, b);
	kernel(x, N, blocking);
	wait(blocking, b);
	RETURNS(0, cudaStreamEndCapture(blocking, &g));
	RETURNS(0, cudaGraphInstantiate(&exec, g, 0));
	RETURNS(0, cudaGraphLaunch(exec, a));
}
static void graph_default(void)
{
	void *g, *exec;
	RETURNS(0, cudaStreamBeginCapture(a, 2));
	copy(pinned, x, DOWN, a);
	RETURNS(0, cudaStreamEndCapture(a, &g));
	RETURNS(0, cudaGraphInstantiate(&exec, g, 0));
	kernel(x, N, b);
	RETURNS(0, cudaGraphLaunch(exec, a));
}

static void mapped_up(void) { kernel(pinned, N, a), copy(x, pinned, UP, b); }

/* ---- in order ---- */
static void mapped_same(void) { kernel(pinned, N, a), copy(x, pinned, UP, a), kernel(pinned, N, a); }
/* the host waits for fills of memory that it can read */
static void managed_fill(void) { cudaMemset(managed, 0, BYTES), kernel(managed, N, a); }
static void pinned_fill(void) { cudaMemset(pinned, 0, BYTES), kernel(pinned, N, a); }
static void managed_copy(void) { cudaMemcpy(managed, x, BYTES, cudaMemcpyDefault), kernel(managed, N, a); }
/* the default stream waits for the one blocking stream, the host for the default stream */
static void host_between(void)
{
	kernel(pinned, N, blocking);
	RETURNS(0, cudaMemcpy(pageable, pageable + N / 2, 64, cudaMemcpyHostToHost));
	kernel(pinned, N, blocking_too);
}
static void pinned_between(void)
{
	kernel(managed, N, blocking);
	RETURNS(0, cudaMemcpy(pinned, managed, BYTES, cudaMemcpyHostToHost));
	kernel(managed, N, blocking_too), kernel(pinned, N, a);
}
static void event(void) { kernel(x, N, a), wait(b, a), copy(pinned, x, DOWN, b); }
static void chain(void)
{
	copy(x, pinned, UP, a), wait(b, a), kernel(x, N, b), wait(other, b), cudaMemsetAsync(x, 0, BYTES, other);
}
static void same(void)
{
	copy(x, pinned, UP, a), kernel(x, N, a), copy(pinned, x, DOWN, a), cudaMemsetAsync(x, 0, BYTES, a);
}
static void stream_wait(void) { kernel(x, N, a), cudaStreamSynchronize(a), copy(pinned, x, DOWN, b); }
static void event_wait(void)
{
	kernel(x, N, a), cudaEventRecord(e, a), cudaEventSynchronize(e), cudaMemsetAsync(x, 0, BYTES, b);
}
static void device_wait(void) { kernel(x, N, a), cudaDeviceSynchronize(), copy(pinned, x, DOWN, b); }
static void asked(void)
{
	kernel(x, N, a);
	while (cudaStreamQuery(a))
		;
	kernel(x, N, b), cudaEventRecord(e, b);
	while (cudaEventQuery(e))
		;
	copy(pinned, x, DOWN, a);
}
static void freed(void) { kernel(x, N, a), cudaFree(y), copy(pinned, x, DOWN, b); }
static void default_waits(void) { kernel(x, N, blocking), cudaMemcpy(pageable, x, BYTES, DOWN); }
static void blocking_waits(void)
{
	cudaMemset(x, 0, BYTES), kernel(x, N, blocking), kernel(x, N, 0), kernel(x, N, PER_THREAD);
}
static void up_waits(void) { cudaMemcpy(x, pageable, BYTES, UP), kernel(x, N, a); }
static void down_waits(void)
{
	copy(pageable, x, DOWN, a), kernel(x, N, b);
} /* to memory that isn't pinned: CUDA waits */
static void apart(void)
{
	kernel(x, N / 2, a), cudaMemsetAsync(x + N / 2, 0, BYTES / 2, b),
		cudaMemcpyAsync(pinned, x + N / 2, 64, DOWN, b);
}
static void readers(void) { copy(pinned, x, DOWN, a), copy(pinned + N, x, DOWN, b), copy(y, x, WITHIN, other); }
static void flag(void) /* the kernel asks by volatile reads */
{
	RETURNS(0, cudaMemset(x, 0, BYTES));
	RETURNS(0, cudaDeviceSynchronize());
	RETURNS(0, launch(forever, 1, 1, 0, a, ARGUMENTS(&x)));
	RETURNS(0, cudaMemsetAsync(x, 1, sizeof *x, b));
}
static void fresh(void) /* memory that is another one's now */
{
	kernel(x, N, a);
	RETURNS(0, cudaFree(x));
	RETURNS(0, cudaMalloc((void **)&x, BYTES));
	cudaMemsetAsync(x, 0, BYTES, b);
}

#define CASE(name) \
	{ \
#name, name \
	}
static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {CASE(kernel_down),	  CASE(down_kernel),	CASE(up_kernel),   CASE(kernel_fill), CASE(kernel_within),
	     CASE(up_up),	  CASE(default_fill),	CASE(early_event), CASE(other_event), CASE(rows),
	     CASE(graph),	  CASE(graph_default),	CASE(event),	   CASE(chain),	      CASE(same),
	     CASE(stream_wait),	  CASE(event_wait),	CASE(device_wait), CASE(asked),	      CASE(freed),
	     CASE(default_waits), CASE(blocking_waits), CASE(up_waits),	   CASE(down_waits),  CASE(apart),
	     CASE(readers),	  CASE(flag),		CASE(fresh),
	     CASE(mapped_up),	  CASE(mapped_same),	CASE(managed_fill), CASE(pinned_fill), CASE(managed_copy),
	     CASE(host_between),  CASE(pinned_between)};

int main(int argc, char **argv)
{
	cudaStreamCreateWithFlags(&a, 1);
	cudaStreamCreateWithFlags(&b, 1);
	cudaStreamCreateWithFlags(&other, 1);
	cudaStreamCreate(&blocking);
	cudaStreamCreate(&blocking_too);
	cudaEventCreate(&e);
	cudaMallocHost((void **)&pinned, 2 * BYTES);
	cudaMallocManaged((void **)&managed, BYTES, 1);
	for (int k = 1; k < argc; k++)
		for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
			if (strcmp(argv[k], cases[i].name))
				continue;
			cudaMalloc((void **)&x, BYTES);
			cudaMalloc((void **)&y, BYTES);
			cases[i].run();
			RETURNS(0, cudaDeviceSynchronize());
		}
	puts("done");
	return failures;
}

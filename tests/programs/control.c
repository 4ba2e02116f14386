/* What is debugged by test_program_control.sh: `control N [how]` adds N times into a buffer of 1000 with vecadd, then ends as it is told: with
 * the status N, by a signal, as one that waits for ever on the host, without waiting for what its kernels print; it can
 * give a kernel memory of the host's, or ask for a launch that the device can't take. */
#include <signal.h>
#include <unistd.h>

#include "fixture.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")
KERNEL(hello, "_Z5helloi")

/* as cuda_runtime.h's template is where it isn't inlined: cudaMalloc<float>(float **, size_t), with a frame pointer */
__attribute__((noipa)) static int typed_malloc(float **p, size_t n) __asm__("_Z10cudaMallocIfE9cudaErrorPPT_m");
static int typed_malloc(float **p, size_t n)
{
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	const int error = cudaMalloc((void **)p, n);
	__asm__ volatile("" : : : "memory");
	return error;
}

static float variable[1000] = {1};

static void add(float *a, float *b, float *c, int n)
{
	CHECK(cudaLaunchKernel(vecadd, (dim3){4, 1, 1}, (dim3){256, 1, 1}, (void *[]){&a, &b, &c, &n}, 0, NULL));
}

/* More than the device takes: the error, and nothing runs. */
static void refuse(const char *how)
{
	void *arguments[] = {&(float *){NULL}, &(float *){NULL}, &(float *){NULL}, &(int){0}};
	printf("%d\n", cudaLaunchKernel(vecadd, (dim3){strcmp(how, "none") != 0, 1, 1},
					(dim3){!strcmp(how, "large") ? 2048 : 32, 1, 1}, arguments,
					!strcmp(how, "shared") ? 65536 : 0, NULL));
}

static int is_refused(const char *how)
{
	return !strcmp(how, "large") || !strcmp(how, "shared") || !strcmp(how, "none");
}

/* The memory of the host's that a kernel gets by mistake, or `right`. */
static float *wrong(const char *how, float *right)
{
	return !strcmp(how, "stack")	   ? __builtin_frame_address(0)
	       : !strcmp(how, "heap")	   ? malloc(4000)
	       : !strcmp(how, "variables") ? variable
					   : right;
}

static volatile float *device; /* what it must not use by itself */

static void end(const char *how, int n)
{
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "reads"))
		printf("%g\n", (double)*device);
	if (!strcmp(how, "sleep"))
		for (;;)
			pause();
	exit(n);
}

int main(int argc, char **argv)
{
	float *a, *b, *c;
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	const char *how = argc > 2 ? argv[2] : "";
	CHECK(cudaMalloc((void **)&a, 4000));
	CHECK(typed_malloc(&b, 4000));
	CHECK(cudaMalloc((void **)&c, 4000));
	device = c + 3;
	CHECK(cudaMemset(a, 0, 4000));
	CHECK(cudaMemset(b, 0, 4000));
	if (!strcmp(how, "prints"))
		CHECK(cudaLaunchKernel(hello, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&(int){2}}, 0, NULL));
	for (int k = 0; k < n && is_refused(how); k++)
		refuse(how);
	for (int k = 0; k < n && !is_refused(how); k++)
		add(wrong(how, a), b, c, strcmp(how, "fails") ? 1000 : 1024);
	if (!strcmp(how, "prints"))
		end(how, n);
	const int error = cudaDeviceSynchronize();
	printf("%d %s\n", error, cudaGetErrorString(error));
	if (error)
		printf("again: %d\n", cudaMalloc((void **)&a, 4));
	fflush(stdout);
	end(how, n);
}

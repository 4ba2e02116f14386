/* The runtime's context is the driver API's primary one: what makes it current, what it outlives. As the CUDA driver API's pages on contexts and on
 * primary contexts say, and cudaSetDevice's since 12.0. The driver's own functions make none current: without one, or before cuInit, they are errors. */
#include <pthread.h>

#include "checks.h"

FIXTURE("vecadd.ptx")

typedef struct CUctx_st *context_t;
int cudaDeviceReset(void);
int cudaGetDeviceCount(int *n);
int cuInit(unsigned flags);
int cuCtxCreate_v2(context_t *c, unsigned flags, int device);
int cuCtxDestroy_v2(context_t c);
int cuCtxGetCurrent(context_t *c);
int cuCtxGetDevice(int *device);
int cuCtxPopCurrent_v2(context_t *c);
int cuCtxSetCurrent(context_t c);
int cuCtxSynchronize(void);
int cuDevicePrimaryCtxRetain(context_t *c, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);

static context_t current(void)
{
	context_t c = NULL;
	RETURNS(0, cuCtxGetCurrent(&c));
	return c;
}

static int is_active(void)
{
	unsigned flags;
	int active = 2;
	RETURNS(0, cuDevicePrimaryCtxGetState(0, &flags, &active));
	return active;
}

/* What the runtime has allocated isn't the other context's, and stays. */
static void second_context(context_t primary)
{
	context_t other;
	int *p, value = 42, got = 0;
	RETURNS(0, cuCtxSetCurrent(primary));
	RETURNS(0, cudaMalloc((void **)&p, sizeof *p));
	RETURNS(0, cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice));
	RETURNS(0, cuCtxCreate_v2(&other, 0, 0));
	RETURNS(0, cudaFree(NULL));
	EXPECT(current() == other);
	RETURNS(0, cudaSetDevice(0));
	EXPECT(current() == primary);
	RETURNS(0, cuCtxDestroy_v2(other));
	RETURNS(0, cudaMemcpy(&got, p, sizeof got, cudaMemcpyDeviceToHost));
	EXPECT(got == 42);
	RETURNS(0, cudaFree(p));
}

enum { INVALID_VALUE = 1, NOT_INITIALIZED = 3, INVALID_CONTEXT = 201 };
int cuDeviceGetCount(int *n), cuDeviceGet(int *device, int which), cuDeviceTotalMem_v2(size_t *n, int device);
int cuMemAlloc_v2(void **p, size_t n), cuMemFree_v2(void *p), cuMemcpyHtoD_v2(void *to, const void *from, size_t n);
int cuMemsetD32_v2(void *p, unsigned value, size_t n), cuMemAllocHost_v2(void **p, size_t n);
int cuModuleLoadData(void **module, const void *image), cuStreamCreate(void **stream, unsigned flags), cuEventCreate(void **event, unsigned flags);

int cuCtxAttach(context_t *c, unsigned flags), cuCtxDetach(context_t c), cuStreamBeginCapture(void *stream), cuStreamEndCapture(void *stream, void **graph);
int cuStreamDestroy(void *stream), cuEventDestroy(void *event), cuMemHostRegister(void *p, size_t n, unsigned flags), cuMemHostUnregister(void *p);

/* A context lasts until it was detached as often as it was created and attached; it has to be current. */
static void attached(void)
{
	context_t c, again = NULL;
	while (current()) /* so that nothing is below it */
		RETURNS(0, cuCtxPopCurrent_v2(&c));
	RETURNS(0, cuCtxCreate_v2(&c, 0, 0));
	RETURNS(INVALID_VALUE, cuCtxAttach(&again, 1));
	RETURNS(0, cuCtxAttach(&again, 0));
	EXPECT(again == c);
	RETURNS(0, cuCtxDetach(c));
	EXPECT(current() == c);
	RETURNS(0, cuCtxSetCurrent(NULL));
	RETURNS(INVALID_CONTEXT, cuCtxDetach(c));
	RETURNS(INVALID_CONTEXT, cuCtxAttach(&again, 0));
	RETURNS(0, cuCtxSetCurrent(c));
	RETURNS(0, cuCtxDetach(c));
	RETURNS(INVALID_CONTEXT, cuCtxSetCurrent(c));
}

/* Functions as they were before they got another meaning. */
static void first_versions(void)
{
	static _Alignas(4096) char page[4096];
	context_t c;
	void *stream, *event, *graph = NULL;
	RETURNS(0, cuCtxCreate_v2(&c, 0, 0));
	RETURNS(0, cuStreamCreate(&stream, 1));
	RETURNS(0, cuEventCreate(&event, 0));
	RETURNS(0, cuStreamBeginCapture(stream));
	RETURNS(0, cuStreamEndCapture(stream, &graph));
	EXPECT(graph != NULL);
	RETURNS(0, cuStreamDestroy(stream));
	RETURNS(0, cuEventDestroy(event));
	EXPECT(cuEventDestroy(event) != 0);
	RETURNS(0, cuMemHostRegister(page, sizeof page, 0));
	RETURNS(0, cuMemHostUnregister(page));
	RETURNS(0, cuCtxDestroy_v2(c));
}

/* All of them, with what they return where no context can be had. */
static void without(int error)
{
	static char there[8];
	void *p = there;
	size_t n;
	RETURNS(error, cuMemAlloc_v2(&p, 4));
	RETURNS(error, cuMemAllocHost_v2(&p, 4));
	RETURNS(error, cuMemcpyHtoD_v2(p, &error, 4));
	RETURNS(error, cuMemsetD32_v2(p, 0, 1));
	RETURNS(error, cuModuleLoadData(&p, ".version 7.0\n.target sm_70\n.address_size 64\n"));
	RETURNS(error, cuStreamCreate(&p, 0));
	RETURNS(error, cuEventCreate(&p, 0));
	RETURNS(error == NOT_INITIALIZED ? error : 0, cuDeviceTotalMem_v2(&n, 0));
}

static void *another_thread(void *nothing)
{
	without(INVALID_CONTEXT);
	return nothing;
}

static void drivers_own(void)
{
	int n;
	context_t c;
	void *p = NULL;
	pthread_t thread;
	RETURNS(NOT_INITIALIZED, cuDeviceGetCount(&n));
	RETURNS(NOT_INITIALIZED, cuDeviceGet(&n, 0));
	without(NOT_INITIALIZED);
	RETURNS(0, cuInit(0));
	without(INVALID_CONTEXT);
	EXPECT(!current() && !is_active());
	RETURNS(0, cuCtxCreate_v2(&c, 0, 0));
	RETURNS(INVALID_VALUE, cuMemAlloc_v2(&p, 0));
	RETURNS(0, cuMemAlloc_v2(&p, 4));
	pthread_create(&thread, NULL, another_thread, NULL);
	pthread_join(thread, NULL);
	RETURNS(0, cuMemFree_v2(p));
	RETURNS(INVALID_VALUE, cuMemFree_v2(p));
	RETURNS(0, cudaGetLastError()); /* that was the driver's */
	RETURNS(0, cuCtxDestroy_v2(c));
	without(INVALID_CONTEXT);
}

int main(void)
{
	context_t primary, popped;
	int n, device = 7;
	drivers_own();
	RETURNS(0, cudaGetDeviceCount(&n));
	RETURNS(201, cuCtxGetDevice(&device));
	EXPECT(!current() && !is_active());
	RETURNS(0, cudaSetDevice(0));
	RETURNS(0, cuCtxGetDevice(&device));
	EXPECT(device == 0 && is_active());
	RETURNS(0, cuDevicePrimaryCtxRetain(&primary, 0));
	EXPECT(current() == primary);
	RETURNS(0, cuDevicePrimaryCtxRelease_v2(0));
	EXPECT(is_active());
	RETURNS(0, cuCtxPopCurrent_v2(&popped));
	EXPECT(popped == primary && !current());
	RETURNS(201, cuCtxSynchronize());
	RETURNS(0, cudaFree(NULL));
	EXPECT(current() == primary);
	second_context(primary);
	attached();
	first_versions();
	RETURNS(0, cuCtxSetCurrent(primary));
	RETURNS(INVALID_CONTEXT, cuCtxDetach(primary)); /* it was neither created nor attached */
	RETURNS(0, cudaDeviceReset());
	EXPECT(!is_active());
	RETURNS(0, cudaFree(NULL));
	EXPECT(is_active() && current() == primary);
	if (!failures)
		printf("PASSED\n");
	return failures;
}

/* The runtime's context is the driver API's primary one: what makes it current, what it outlives. As the CUDA driver API's pages on contexts and on
 * primary contexts say, and cudaSetDevice's since 12.0. */
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

int main(void)
{
	context_t primary, popped;
	int n, device = 7;
	RETURNS(0, cuInit(0));
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
	RETURNS(0, cudaDeviceReset());
	EXPECT(!is_active());
	RETURNS(0, cudaFree(NULL));
	EXPECT(is_active() && current() == primary);
	if (!failures)
		printf("PASSED\n");
	return failures;
}

/* Pools of a place and who may use them, by the runtime's calls and the driver's: the device's pinned memory is what there is. */
#include "checks.h"

FIXTURE("kernels.ptx")

typedef struct CUmemPool_st *pool_t;
struct place {
	int kind, id;
};
struct access {
	struct place place;
	int flags;
};
enum {
	DEVICE = 1,
	HOST = 2,
	PINNED = 1,
	MANAGED = 2,
	READ = 1,
	READ_WRITE = 3,
	VALUE = 1,
	NO_DEVICE = 101,
	NOT_SUPPORTED = 801
};

int cudaDeviceGetDefaultMemPool(pool_t *pool, int device);
int cudaMemPoolCreate(pool_t *pool, const void *properties), cudaMemPoolDestroy(pool_t pool);
int cuMemAllocFromPoolAsync(void **p, size_t n, pool_t pool, void *stream), cuMemFreeAsync(void *p, void *stream);
int cuStreamGetCtx_v2(void *stream, void **context, void **part), cuCtxGetCurrent(void **context);

#define CALLS(name) \
	int name##MemGetDefaultMemPool(pool_t *pool, struct place *place, int kind); \
	int name##MemGetMemPool(pool_t *pool, struct place *place, int kind); \
	int name##MemSetMemPool(struct place *place, int kind, pool_t pool); \
	int name##MemPoolSetAccess(pool_t pool, const struct access *list, size_t n); \
	int name##MemPoolGetAccess(int *flags, pool_t pool, struct place *place); \
	static void name##_places(pool_t whole, pool_t own) \
	{ \
		struct place device = {DEVICE, 0}, other = {DEVICE, 1}, host = {HOST, 0}; \
		pool_t got = NULL; \
		RETURNS(0, name##MemGetDefaultMemPool(&got, &device, PINNED)); \
		EXPECT(got == whole); \
		RETURNS(VALUE, name##MemGetDefaultMemPool(NULL, &device, PINNED)); \
		RETURNS(VALUE, name##MemGetDefaultMemPool(&got, NULL, PINNED)); \
		RETURNS(VALUE, name##MemGetDefaultMemPool(&got, &device, 0)); \
		RETURNS(NO_DEVICE, name##MemGetDefaultMemPool(&got, &other, PINNED)); \
		RETURNS(NOT_SUPPORTED, name##MemGetDefaultMemPool(&got, &host, PINNED)); \
		RETURNS(NOT_SUPPORTED, name##MemGetDefaultMemPool(&got, &device, MANAGED)); \
		RETURNS(0, name##MemSetMemPool(&device, PINNED, own)); \
		RETURNS(VALUE, name##MemSetMemPool(&device, PINNED, NULL)); \
		RETURNS(0, name##MemGetMemPool(&got, &device, PINNED)); \
		EXPECT(got == own); \
		RETURNS(0, name##MemSetMemPool(&device, PINNED, whole)); \
	} \
	static void name##_access(pool_t own) \
	{ \
		struct access a[2] = {{{DEVICE, 0}, READ_WRITE}, {{DEVICE, 0}, READ_WRITE}}; \
		int flags = -1; \
		RETURNS(0, name##MemPoolSetAccess(own, a, 2)); \
		RETURNS(0, name##MemPoolSetAccess(own, NULL, 0)); \
		RETURNS(VALUE, name##MemPoolSetAccess(own, NULL, 1)); \
		RETURNS(VALUE, name##MemPoolSetAccess(NULL, a, 1)); \
		a[1].place.id = 1; \
		RETURNS(NO_DEVICE, name##MemPoolSetAccess(own, a, 2)); \
		a[1] = (struct access){{DEVICE, 0}, 0}; /* a pool's own device keeps its access */ \
		RETURNS(VALUE, name##MemPoolSetAccess(own, a, 2)); \
		RETURNS(0, name##MemPoolGetAccess(&flags, own, &a[0].place)); \
		EXPECT(flags == READ_WRITE); \
		RETURNS(VALUE, name##MemPoolGetAccess(NULL, own, &a[0].place)); \
	}
CALLS(cuda)
CALLS(cu)

int main(void)
{
	const struct {
		int allocation, handles;
		struct place place;
		char rest[72];
	} properties = {PINNED, 0, {DEVICE, 0}, {0}};
	pool_t whole = NULL, own = NULL;
	void *p = NULL, *context = NULL, *current = NULL, *part = &part;
	RETURNS(0, cudaDeviceGetDefaultMemPool(&whole, 0));
	RETURNS(0, cudaMemPoolCreate(&own, &properties));
	cuda_places(whole, own);
	cu_places(whole, own);
	cuda_access(own);
	cu_access(own);
	RETURNS(0, cuMemAllocFromPoolAsync(&p, 100, own, NULL));
	RETURNS(0, cuMemFreeAsync(p, NULL));
	RETURNS(0, cudaMemPoolDestroy(own));
	RETURNS(0, cuCtxGetCurrent(&current));
	RETURNS(0, cuStreamGetCtx_v2(NULL, &context, &part));
	EXPECT(context && context == current && !part);
	RETURNS(VALUE, cuStreamGetCtx_v2(NULL, &context, NULL));
	if (!failures)
		puts("PASSED");
	return failures != 0;
}

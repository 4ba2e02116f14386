/* Pools of a place and who may use them, by the runtime's calls and the driver's: the device's pinned memory is what there is. What a pool counts, as
 * enum cudaMemPoolAttr says. */
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
	NOT_SUPPORTED = 801,
	IS_LEGACY_IPC = 10,
	POOL_OF = 17
};

int cudaDeviceGetDefaultMemPool(pool_t *pool, int device);
int cudaMemPoolCreate(pool_t *pool, const void *properties), cudaMemPoolDestroy(pool_t pool);
int cuMemAllocFromPoolAsync(void **p, size_t n, pool_t pool, void *stream), cuMemFreeAsync(void *p, void *stream);
int cuPointerGetAttribute(void *value, int which, void *p);
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

struct properties {
	int allocation, handles;
	struct place place;
	void *security;
	size_t most;
	char rest[56];
};
enum { THRESHOLD = 4, RESERVED, RESERVED_HIGH, USED, USED_HIGH, OUT_OF_MEMORY = 2 };
int cudaMemPoolGetAttribute(pool_t pool, int which, void *value), cudaMemPoolSetAttribute(pool_t pool, int which, void *value);
int cudaMemPoolTrimTo(pool_t pool, size_t least), cudaMallocFromPoolAsync(void **p, size_t n, pool_t pool, void *stream);
int cudaMallocAsync(void **p, size_t n, void *stream), cudaFreeAsync(void *p, void *stream), cudaDeviceSetMemPool(int device, pool_t pool);

static size_t count(pool_t pool, int which)
{
	size_t n = 99;
	RETURNS(0, cudaMemPoolGetAttribute(pool, which, &n));
	return n;
}

static int counts(pool_t pool, size_t used, size_t used_high, size_t reserved, size_t reserved_high)
{
	return count(pool, USED) == used && count(pool, USED_HIGH) == used_high && count(pool, RESERVED) == reserved &&
	       count(pool, RESERVED_HIGH) == reserved_high;
}

static void what_is_in_use(pool_t pool)
{
	void *a, *b;
	size_t n = 3000, none = 0;
	EXPECT(counts(pool, 0, 0, 0, 0));
	RETURNS(0, cudaMallocFromPoolAsync(&a, 4096, pool, NULL));
	RETURNS(0, cudaMallocFromPoolAsync(&b, 1024, pool, NULL));
	EXPECT(counts(pool, 5120, 5120, 5120, 5120));
	RETURNS(0, cudaFreeAsync(a, NULL));
	RETURNS(VALUE, cudaFreeAsync(a, NULL));
	EXPECT(counts(pool, 1024, 5120, 1024, 5120));
	RETURNS(0, cudaMemPoolSetAttribute(pool, THRESHOLD, &n)); /* so much is kept */
	RETURNS(0, cudaDeviceSetMemPool(0, pool));
	a = &a;
	RETURNS(0, cudaMallocAsync(&a, 0, NULL));
	EXPECT(!a);
	RETURNS(0, cudaFreeAsync(a, NULL));
	RETURNS(0, cudaMallocAsync(&a, 4096, NULL));
	RETURNS(0, cudaFree(a));
	RETURNS(0, cudaFree(b));
	EXPECT(counts(pool, 0, 5120, 3000, 5120));
	RETURNS(0, cudaMemPoolTrimTo(pool, 1000));
	EXPECT(count(pool, RESERVED) == 1000);
	RETURNS(VALUE, cudaMemPoolSetAttribute(pool, USED, &none));
	RETURNS(VALUE, cudaMemPoolSetAttribute(pool, USED_HIGH, &n));
	RETURNS(0, cudaMemPoolSetAttribute(pool, USED_HIGH, &none));
	RETURNS(0, cudaMemPoolSetAttribute(pool, RESERVED_HIGH, &none));
	EXPECT(counts(pool, 0, 0, 1000, 1000));
}

static void what_there_may_be(void)
{
	struct properties p = {PINNED, 0, {DEVICE, 0}, NULL, 8192, {0}};
	pool_t pool = NULL;
	void *a, *b;
	RETURNS(0, cudaMemPoolCreate(&pool, &p));
	RETURNS(0, cudaMallocFromPoolAsync(&a, 8000, pool, NULL));
	RETURNS(OUT_OF_MEMORY, cudaMallocFromPoolAsync(&b, 500, pool, NULL));
	RETURNS(0, cudaMemPoolDestroy(pool)); /* what is in use stays */
	RETURNS(VALUE, cudaMallocFromPoolAsync(&b, 10, pool, NULL));
	RETURNS(0, cudaMemset(a, 0, 8000));
	RETURNS(0, cudaFreeAsync(a, NULL));
	p.place.id = 1;
	RETURNS(VALUE, cudaMemPoolCreate(&pool, &p));
	p = (struct properties){MANAGED, 0, {DEVICE, 0}, NULL, 0, {0}};
	RETURNS(VALUE, cudaMemPoolCreate(&pool, &p));
}

int main(void)
{
	const struct properties properties = {PINNED, 0, {DEVICE, 0}, NULL, 0, {0}};
	pool_t whole = NULL, own = NULL;
	void *p = NULL, *context = NULL, *current = NULL, *part = &part;
	RETURNS(0, cudaDeviceGetDefaultMemPool(&whole, 0));
	RETURNS(0, cudaMemPoolCreate(&own, &properties));
	cuda_places(whole, own);
	cu_places(whole, own);
	cuda_access(own);
	cu_access(own);
	RETURNS(0, cuMemAllocFromPoolAsync(&p, 100, own, NULL));
	pool_t of = NULL;
	RETURNS(0, cuPointerGetAttribute(&of, POOL_OF, (char *)p + 50));
	EXPECT(of == own);
	/* what cuIpcGetMemHandle takes: what cudaMalloc gives, but no pool's memory */
	char is_legacy = 9, *plain;
	RETURNS(0, cuPointerGetAttribute(&is_legacy, IS_LEGACY_IPC, p));
	EXPECT(!is_legacy);
	RETURNS(0, cudaMalloc((void **)&plain, 64));
	RETURNS(0, cuPointerGetAttribute(&is_legacy, IS_LEGACY_IPC, plain + 10));
	EXPECT(is_legacy == 1);
	RETURNS(0, cudaFree(plain));
	RETURNS(0, cuMemFreeAsync(p, NULL));
	RETURNS(0, cudaMemPoolSetAttribute(own, USED_HIGH, &(size_t){0}));
	RETURNS(0, cudaMemPoolSetAttribute(own, RESERVED_HIGH, &(size_t){0}));
	what_is_in_use(own);
	what_there_may_be();
	RETURNS(0, cudaMemPoolDestroy(own));
	RETURNS(0, cuCtxGetCurrent(&current));
	RETURNS(0, cuStreamGetCtx_v2(NULL, &context, &part));
	EXPECT(context && context == current && !part);
	RETURNS(VALUE, cuStreamGetCtx_v2(NULL, &context, NULL));
	if (!failures)
		puts("PASSED");
	return failures != 0;
}

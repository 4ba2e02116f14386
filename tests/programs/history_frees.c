/* Memory that comes and goes, for test_program_history.sh: launch k of fill writes 100 * k and up to memory that a later call frees, in each
 * of the ways there are. Launches: 0 and 1 with cudaMalloc (alloc_1, alloc_2; alloc_1 is freed in between), 2 with cudaMallocAsync, 3 with a
 * pool's, 4 after cudaDeviceReset. */
#include "checks.h"

typedef void *handle_t;
struct pool_properties {
	int type, handles, location[2];
	char rest[80];
};
int cudaMallocAsync(void **p, size_t n, cudaStream_t s), cudaFreeAsync(void *p, cudaStream_t s);
int cudaMemPoolCreate(handle_t *p, const struct pool_properties *how), cudaMemPoolDestroy(handle_t p);
int cudaMallocFromPoolAsync(void **a, size_t n, handle_t p, cudaStream_t s);

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

static int n = 64;

static void run(int *a, int value)
{
	CHECK(launch(fill, 2, 32, 0, NULL, ARGUMENTS(&a, &value, &n)));
}

int main(void)
{
	int *a, *b, *c;
	handle_t pool;
	struct pool_properties how = {.type = 1, .location = {1, 0}};
	CHECK(cudaMalloc((void **)&a, 256));
	CHECK(cudaMalloc((void **)&b, 256));
	run(a, 0);
	CHECK(cudaFree(a));
	run(b, 100);
	CHECK(cudaFree(b));
	CHECK(cudaMallocAsync((void **)&a, 256, NULL));
	run(a, 200);
	CHECK(cudaFreeAsync(a, NULL));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemPoolCreate(&pool, &how));
	CHECK(cudaMallocFromPoolAsync((void **)&b, 256, pool, NULL));
	run(b, 300);
	CHECK(cudaFreeAsync(b, NULL));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemPoolDestroy(pool));
	CHECK(cudaMalloc((void **)&c, 1024));
	CHECK(cudaDeviceReset());
	CHECK(cudaMalloc((void **)&c, 512));
	run(c, 400);
	CHECK(cudaFree(c));
	puts("done");
	return 0;
}

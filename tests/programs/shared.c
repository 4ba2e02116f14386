/* Memory that program and device share: page-locked, mapped, managed and registered. */
#include "checks.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")
static float offset[4];
VARIABLE(offset, "offset")

int cudaMallocHost(void **p, size_t n);
int cudaHostAlloc(void **p, size_t n, unsigned flags);
int cudaFreeHost(void *p);
int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaHostRegister(void *p, size_t n, unsigned flags);
int cudaHostUnregister(void *p);
int cudaHostGetDevicePointer(void **device, void *p, unsigned flags);
struct attributes {
	int type, device;
	void *device_pointer, *host_pointer;
	long reserved[8];
};
int cudaPointerGetAttributes(struct attributes *a, const void *p);
int cudaMemGetInfo(size_t *free, size_t *total);

enum { N = 3000 };

static void add(float *a, float *b, float *c)
{
	int n = N;
	RETURNS(0, launch(vecadd, 12, 256, 0, NULL, ARGUMENTS(&a, &b, &c, &n)));
}

static int type_of(const void *p)
{
	struct attributes a;
	RETURNS(0, cudaPointerGetAttributes(&a, p));
	return a.type;
}

int main(void)
{
	float *a, *b, *c, *d, *device_c;
	size_t before, left, total;
	RETURNS(0, cudaMemGetInfo(&before, &total));
	EXPECT(total == (size_t)4 << 30 && before <= total);
	RETURNS(0, cudaMallocHost((void **)&a, N * sizeof *a));
	RETURNS(0, cudaMallocManaged((void **)&b, N * sizeof *b, 1));
	RETURNS(0, cudaHostAlloc((void **)&c, N * sizeof *c, 2));
	RETURNS(0, cudaHostGetDevicePointer((void **)&device_c, c, 0));
	EXPECT(device_c == c);
	RETURNS(0, cudaMemGetInfo(&left, &total));
	EXPECT(before - left >= 3 * N * sizeof *a);
	/* the device reads what the host wrote, and the other way, again and again */
	for (int round = 1; round <= 3; round++) {
		for (int k = 0; k < N; k++)
			a[k] = (float)(k * round), b[k] = (float)round;
		add(a, b, c);
		RETURNS(0, cudaDeviceSynchronize());
		for (int k = 0; k < N; k++)
			if (c[k] != (float)(k * round + round))
				return printf("round %d: c[%d] = %g\n", round, k, (double)c[k]);
	}
	EXPECT(type_of(a) == 1 && type_of(b) == 3 && type_of(c) == 1 && type_of(&total) == 0);
	RETURNS(0, cudaMalloc((void **)&d, N * sizeof *d));
	EXPECT(type_of(d) == 2);
	RETURNS(0, cudaMemcpy(d, c, N * sizeof *d, 4));
	RETURNS(0, cudaMemset(b, 0, N * sizeof *b));
	EXPECT(b[7] == 0);
	RETURNS(0, cudaMemcpy(b, d, N * sizeof *d, 4));
	EXPECT(b[7] == 24);

	/* registered memory: beside other things on its pages */
	char *heap = malloc(100000);
	float *registered = (float *)(heap + 400), *there;
	memset(heap, 7, 100000);
	for (int k = 0; k < N; k++)
		registered[k] = 1;
	RETURNS(0, cudaHostRegister(registered, N * sizeof *registered, 0));
	RETURNS(712, cudaHostRegister(registered, N * sizeof *registered, 0));
	RETURNS(0, cudaHostGetDevicePointer((void **)&there, registered, 0));
	EXPECT(there == registered);
	add(there, a, there);
	RETURNS(0, cudaDeviceSynchronize());
	EXPECT(registered[10] == 31 && heap[10] == 7 && heap[99999] == 7);
	const float last = registered[N - 1];
	add(registered, registered, registered); /* by the program's own pointer, too */
	RETURNS(0, cudaDeviceSynchronize());
	EXPECT(registered[10] == 62 && registered[N - 1] == 2 * last && heap[10] == 7);
	/* copies and fills take it as memory of either side */
	RETURNS(0, cudaMemcpy(a, registered, N * sizeof *a, 2));
	RETURNS(0, cudaMemset(registered, 0, sizeof *registered));
	EXPECT(a[10] == 62 && registered[0] == 0 && registered[1] == a[1]);
	registered[10] = 31;
	RETURNS(0, cudaHostUnregister(registered));
	RETURNS(713, cudaHostUnregister(registered));
	EXPECT(registered[10] == 31 && heap[10] == 7);
	free(heap);

	/* wrong pointers */
	RETURNS(1, cudaFreeHost(d));
	RETURNS(1, cudaFree(a));
	RETURNS(0, cudaFreeHost(a));
	RETURNS(1, cudaFreeHost(a));
	RETURNS(0, cudaFree(b));
	RETURNS(0, cudaFreeHost(c));
	RETURNS(0, cudaFree(d));
	RETURNS(0, cudaMemGetInfo(&left, &total));
	EXPECT(left == before);
	return verdict();
}

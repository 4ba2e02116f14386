/* Managed memory that the host touches while a kernel may run: each case is chosen by the argument, and prints what it saw. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

int cudaMallocManaged(void **p, size_t n, unsigned flags);
int cudaEventQuery(event_t e);

int main(int n, char **v)
{
	const char *what = n > 1 ? v[1] : "";
	int *a, *other, *device, value = 3, count = 64, seen = 0;
	event_t e;
	RETURNS(0, cudaMallocManaged((void **)&a, 8192, 1));
	RETURNS(0, cudaMallocManaged((void **)&other, 8192, 1));
	RETURNS(0, cudaMalloc((void **)&device, 256));
	RETURNS(0, cudaEventCreate(&e));
	memset(a, 0, 8192); /* no kernel runs */
	RETURNS(0, launch(fill, 1, 64, 0, NULL, ARGUMENTS(&a, &value, &count)));
	if (!strcmp(what, "read"))
		for (int k = 0; k < 64; k++)
			seen += a[k]; /* early */
	if (!strcmp(what, "write"))
		a[1] = 7; /* too early */
	if (!strcmp(what, "beside")) { /* nothing that the kernel uses */
		other[0] = 1;
		seen = other[0] + a[1024];
	}
	if (!strcmp(what, "event")) {
		RETURNS(0, cudaEventRecord(e, NULL));
		RETURNS(0, cudaEventSynchronize(e));
		seen = a[63];
	}
	if (!strcmp(what, "copy")) { /* waits for the kernel */
		RETURNS(0, cudaMemcpy(other, a, 256, cudaMemcpyDefault));
		seen = other[63] + a[63];
	}
	RETURNS(0, cudaDeviceSynchronize());
	if (!strcmp(what, "later")) {
		seen = a[63];
		RETURNS(0, launch(fill, 1, 64, 0, NULL, ARGUMENTS(&device, &value, &count)));
		a[0] = 1; /* another kernel, which doesn't use it */
		RETURNS(0, cudaDeviceSynchronize());
	}
	printf("%d\n", seen);
	return failures != 0;
}

/* Copies within the device of memory that was written in parts: what was written may be read by the host, the rest is a mistake of the first copy that does. */
#include "checks.h"

FIXTURE("kernels.ptx")
KERNEL(fill, "fill")

int cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
int cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, cudaStream_t stream);

/* Half of it is written by a kernel. */
static void linear(int rest)
{
	int *a, *b, value = 3, n = 32, host[64];
	RETURNS(0, cudaMalloc((void **)&a, sizeof host));
	RETURNS(0, cudaMalloc((void **)&b, sizeof host));
	RETURNS(0, launch(fill, 2, 32, 0, NULL, ARGUMENTS(&a, &value, &n)));
	RETURNS(0, cudaMemcpyAsync(b, a, sizeof host, cudaMemcpyDeviceToDevice, NULL));
	RETURNS(0, cudaMemcpy(b + 1, b, sizeof host / 2, cudaMemcpyDefault)); /* onto itself */
	RETURNS(0, cudaMemcpy(host, b, (rest ? 64 : 33) * sizeof *b, cudaMemcpyDeviceToHost));
	EXPECT(host[32] == 34);
}

/* Rows, with room behind each that nobody writes, set by the host, or copied from there. */
static void rows(int rest)
{
	char *a, *b, host[4][40] = {{0}}, whole[4096];
	size_t pitch;
	RETURNS(0, cudaMallocPitch((void **)&a, &pitch, 40, 4));
	RETURNS(0, cudaMallocPitch((void **)&b, &pitch, 40, 4));
	RETURNS(0, cudaMemset2D(a, pitch, 5, 40, 2));
	RETURNS(0, cudaMemcpy2D(a + 2 * pitch, pitch, host, 40, 40, 2, cudaMemcpyHostToDevice));
	RETURNS(0, cudaMemcpy2D(b, pitch, a, pitch, 40, 4, cudaMemcpyDeviceToDevice));
	RETURNS(0, cudaMemcpy2D(host, 40, b, pitch, 40, 4, cudaMemcpyDeviceToHost));
	EXPECT(host[1][39] == 5 && host[3][39] == 0);
	RETURNS(0, cudaMemcpy(b, a, 4 * pitch, cudaMemcpyDeviceToDevice));
	RETURNS(0, cudaMemcpy2D(host, 40, b, pitch, 40, 4, cudaMemcpyDeviceToHost));
	if (rest)
		RETURNS(0, cudaMemcpy(whole, b, 4 * pitch, cudaMemcpyDeviceToHost));
}

/* The host reads two places that nothing has written. */
static void twice(void)
{
	int *a, value = 3, n = 32, host[64];
	RETURNS(0, cudaMalloc((void **)&a, sizeof host));
	RETURNS(0, launch(fill, 2, 32, 0, NULL, ARGUMENTS(&a, &value, &n)));
	RETURNS(0, cudaMemcpy(host, a, 33 * sizeof *a, cudaMemcpyDeviceToHost));
	RETURNS(0, cudaMemcpy(host, a + 40, 4 * sizeof *a, cudaMemcpyDeviceToHost));
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "twice")) {
		twice();
		return failures ? 1 : 0;
	}
	linear(argc > 1 && !strcmp(argv[1], "linear"));
	rows(argc > 1 && !strcmp(argv[1], "rows"));
	return failures ? 1 : 0;
}

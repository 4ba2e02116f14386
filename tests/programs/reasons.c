/* Whose values are explained by test_program_reasons.sh. What the host does has a remark, which the test finds: c = a + b, with a copied from the host
 * and b filled; d = a copy of c within the device; then c = a + d, where d[40] is an infinity and a[40] has become the other one. */
#include "fixture.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")
static float offset[4];
VARIABLE(offset, "offset")
RUNTIME(cudaError_t, cudaMemcpyAsync, (void *to, const void *from, size_t n, int kind, cudaStream_t s))

#define N 64

static __attribute__((noinline)) void give(float *to, const float *from)
{
	CHECK(cudaMemcpy(to, from, N * sizeof *to, cudaMemcpyHostToDevice)); /* give */
}

int main(void)
{
	float *a, *b, *c, *d, *nobodys, host[N], constants[4] = {0, 0.5f, 0, 0};
	int n = N;
	for (int i = 0; i < N; i++)
		host[i] = (float)i;
	host[40] = 1.0f / 0.0f;
	CHECK(cudaMalloc((void **)&a, sizeof host));
	CHECK(cudaMalloc((void **)&b, sizeof host));
	CHECK(cudaMalloc((void **)&c, sizeof host));
	CHECK(cudaMalloc((void **)&d, sizeof host));
	CHECK(cudaMalloc((void **)&nobodys, sizeof host));
	give(a, host);
	CHECK(cudaMemset(b, 0, sizeof host));				      /* fill */
	CHECK(cudaMemcpyToSymbol(offset, constants, sizeof constants, 0, 1)); /* symbol */
	CHECK(cudaLaunchKernel((void *)vecadd, (dim3){2, 1, 1}, (dim3){32, 1, 1}, (void *[]){&a, &b, &c, &n}, 0, NULL)); /* first */
	CHECK(cudaMemcpyAsync(d, c, sizeof host, cudaMemcpyDeviceToDevice, NULL)); /* within */
	host[40] = -host[40];
	CHECK(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, NULL)); /* again */
	CHECK(cudaLaunchKernel((void *)vecadd, (dim3){2, 1, 1}, (dim3){32, 1, 1}, (void *[]){&a, &d, &c, &n}, 0, NULL)); /* second */
	CHECK(cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost));
	printf("%g %d\n", (double)host[3], host[40] != host[40]);
	return 0;
}

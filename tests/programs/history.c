/* What is gone back through by test_program_history.sh: c = a + b three times, with what came before copied from and to the device in between. So
 * c[3] is 0, then 3, 6, 9; the program prints the last three as it gets them. */
#include "fixture.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")

#define N 64

int main(void)
{
	float *a, *b, *c, host[N] = {0}, three[N];
	int n = N;
	for (int i = 0; i < N; i++)
		three[i] = 3;
	CHECK(cudaMalloc((void **)&a, sizeof host));
	CHECK(cudaMalloc((void **)&b, sizeof host));
	CHECK(cudaMalloc((void **)&c, sizeof host));
	CHECK(cudaMemset(c, 0, sizeof host));
	CHECK(cudaMemcpy(b, three, sizeof host, cudaMemcpyHostToDevice));
	for (int k = 0; k < 3; k++) {
		CHECK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
		CHECK(cudaLaunchKernel(vecadd, (dim3){2, 1, 1}, (dim3){32, 1, 1}, (void *[]){&a, &b, &c, &n}, 0, NULL));
		CHECK(cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost));
		printf("%g\n", (double)host[3]);
		fflush(stdout);
	}
	return host[3] == 9 && host[N - 1] == 9 ? 0 : 1;
}

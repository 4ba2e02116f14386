/* Kernels that launch kernels, and what they print, in a program (the kernels: ../golden/runtime/children.cu). */
#include "fixture.h"

FIXTURE("../golden/runtime/children.ptx")
KERNEL(say, "_Z3sayiii")
KERNEL(many, "_Z4manyPi")

int main(void)
{
	int depth = 0, thread = 0, most = 2, h[2] = {0};
	int *p;
	CHECK(cudaMalloc((void **)&p, sizeof h));
	CHECK(cudaMemset(p, 0, sizeof h));
	CHECK(cudaLaunchKernel(say, (dim3){1, 1, 1}, (dim3){2, 1, 1}, (void *[]){&depth, &thread, &most}, 0, NULL));
	printf("launched\n");
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaLaunchKernel(many, (dim3){3, 1, 1}, (dim3){40, 1, 1}, (void *[]){&p}, 0, NULL));
	CHECK(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
	printf("%d %d\n", h[0], h[1]); /* 3 * 64 * (0 + ... + 39), 3 * 5 */
	return 0;
}

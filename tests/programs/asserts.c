/* A kernel whose assertion fails (../golden/runtime/heap.cu): cudaErrorAssert. */
#include "fixture.h"

FIXTURE("../golden/runtime/heap.ptx")
KERNEL(check, "_Z5checki")

int main(void)
{
	int n = 30;
	CHECK(cudaLaunchKernel(check, (dim3){1, 1, 1}, (dim3){32, 1, 1}, (void *[]){&n}, 0, NULL));
	printf("%d\n", cudaDeviceSynchronize());
	return 0;
}

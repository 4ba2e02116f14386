/* An object with a runtime of its own: go() is 0 if the device adds right. */
#include "fixture.h"

FIXTURE("vecadd.ptx")
KERNEL(vecadd, "_Z6vecaddPKfS0_Pfi")

int go(void);
int go(void)
{
	float h[64], *a;
	int n = 64;
	for (int k = 0; k < n; k++)
		h[k] = (float)k;
	if (cudaMalloc((void **)&a, sizeof h) || cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice))
		return 1;
	if (cudaLaunchKernel(vecadd, (dim3){1, 1, 1}, (dim3){64, 1, 1}, (void *[]){&a, &a, &a, &n}, 0, NULL))
		return 2;
	if (cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost))
		return 3;
	return h[63] == 126 ? 0 : 4;
}

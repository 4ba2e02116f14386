#include "op.cuh"
extern "C" __global__ void kb(int *o)
{
	o[threadIdx.x] += op_b(common(threadIdx.x));
}

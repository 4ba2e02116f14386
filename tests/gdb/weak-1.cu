// A method that two files have. PTX: nvcc -G -arch=sm_75 -ptx weak-1.cu, then the folder taken out of its .file lines
#include "weak.cuh"
extern "C" __global__ void weak1(int *out)
{
	range r = {1, (int)threadIdx.x + 10};
	out[threadIdx.x] = r.size();
}

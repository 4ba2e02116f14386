// Loads of a line by two warps at the same time, of which the second merges with the miss of the first, and again when the line is there.
// nvcc -arch=sm_75 -ptx -lineinfo taken.cu
extern "C" __global__ void taken(const float *a, float *out)
{
	float s = a[threadIdx.x % 32];
	__syncthreads();
	s += a[threadIdx.x % 32 + (s == 0.5f)];
	out[threadIdx.x] = s;
}

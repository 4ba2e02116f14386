// For the gdb scenarios with the program's own debug information. PTX: nvcc -G -arch=sm_75 -ptx c-variables.cu, then the folders
// taken out of its .file lines
struct point {
	float x, y;
	int tag[2];
};

__constant__ int offset = 5;
__device__ int total = 7;

__device__ int twice(int v)
{
	int doubled = v * 2;
	return doubled;
}

extern "C" __global__ void points(int *out, int n)
{
	__shared__ int tile[64];
	int t = threadIdx.x;
	point p = {t * 1.5f, 2.0f, {t, n}};
	tile[t] = t + offset;
	__syncthreads();
	int sum = 0;
	for (int i = 0; i < 3; i++)
		sum += twice(tile[(t + i) % 64]);
	p.tag[1] = sum;
	out[t] = p.tag[1] + total;
}

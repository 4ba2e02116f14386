// Memory that a kernel has freed and gets again: not written, and nobody's of before. Launches by threads: their parameters' memory, too.
__global__ void leaf(int *out, int v) { atomicAdd(out, v); }
extern "C" __global__ void recycled(int *out, int fresh)
{
	int *p = (int *)malloc(64);
	if (!blockIdx.x || fresh)
		for (int k = 0; k < 16; k++)
			p[k] = k;
	if (p[threadIdx.x] > 3)
		atomicAdd(out, 1);
	free(p);
}
extern "C" __global__ void parent(int *out) { leaf<<<1, 1>>>(out, threadIdx.x + 1); }

// Static and shared variables whose block begins behind the function's first instruction. PTX: nvcc -G -arch=sm_75 -ptx statics.cu, folders taken out of .file
struct mark {
	char tag;
	short part[3];
	double weight;
};

__device__ __noinline__ int keep(int v)
{
	__shared__ int slot[4];
	static int calls = 3;
	slot[v & 3] = v;
	calls++;
	return slot[0] + calls;
}

extern "C" __global__ void statics(int *out)
{
	extern __shared__ short dyn[];
	__shared__ float tile[2][3];
	int i = threadIdx.x;
	if (i == 0) {
		__shared__ mark m;
		m.weight = 0.5;
		m.part[2] = 7;
		tile[1][2] = m.weight;
	} else {
		__shared__ int m[2];
		m[1] = i;
		tile[0][0] = m[1];
	}
	dyn[i] = i * 2;
	out[i] = keep(i + 5) + (int)tile[1][2] + dyn[i];
}

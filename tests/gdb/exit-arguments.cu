// Arguments that -G has in registers and on the stack. PTX: nvcc -G -arch=sm_80 -ptx in /src, the folder taken out of its .file line
struct pair {
	int a;
	float b;
};

extern "C" __global__ void scale(int *out, pair p, float f)
{
	out[threadIdx.x] = p.a * f + p.b;
}

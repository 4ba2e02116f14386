// A load, then arithmetic that needs it: what do the other warps do in the meantime?
// PTX: nvcc -arch=sm_75 -ptx -lineinfo latency.cu, then the folders taken out of its .file lines

extern "C" __global__ void poly(const float *in, float *out)
{
	int t = threadIdx.x;
	float x = in[t];

	out[t] = ((x + 1) * x + 2) * x + 3;
}

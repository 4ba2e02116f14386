// examples/06-resample without its mistake.
extern "C" __global__ void resample(int n_out, int step, const short *in, short *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n_out)
		return;

	long long position = (long long)i * step;
	int k = (int)(position >> 16);
	int fraction = (int)(position & 0xffff);
	int a = in[k];
	int b = in[k + 1];

	out[i] = (short)(a + ((b - a) * (fraction >> 1) >> 15));
}

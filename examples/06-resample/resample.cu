// Resamples 16-bit audio with linear interpolation; the position in the input advances by `step`, in 16.16 fixed point.
//
// Host side:  resample<<<(n_out + 127) / 128, 128>>>(n_out, step, in, out);
//             with n_out = 36000 and step = 60211 (44.1 kHz to 48 kHz), in = 33100 samples
// Symptom:    works for short sounds, "an illegal memory access was encountered" for everything above 0.74 seconds.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo resample.cu, then the folders taken out of its .file lines

extern "C" __global__ void resample(int n_out, int step, const short *in, short *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n_out)
		return;

	int position = i * step;
	int k = position >> 16;
	int fraction = position & 0xffff;
	int a = in[k];
	int b = in[k + 1];

	out[i] = (short)(a + ((b - a) * (fraction >> 1) >> 15));
}

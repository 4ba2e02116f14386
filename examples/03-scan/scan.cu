// Inclusive prefix sum of one block (Hillis and Steele): after the pass with distance d every element holds the sum of
// the 2*d elements up to itself.
//
// Host side:  scan<<<1, 64>>>(in, out);      with in = 64 ones
// Symptom:    the program hangs on some GPUs and gives wrong sums on others.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo scan.cu, then the folders taken out of its .file lines

extern "C" __global__ void scan(const int *in, int *out)
{
	__shared__ int s[64];
	int t = threadIdx.x;

	s[t] = in[t];
	__syncthreads();

#pragma unroll 1
	for (int d = 1; d < 64; d *= 2) {
		if (t >= d) {
			int left = s[t - d];

			__syncthreads();
			s[t] += left;
		}
		__syncthreads();
	}

	out[t] = s[t];
}

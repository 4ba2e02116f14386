// z = a*x + y for the first n elements. x and y come padded to whole blocks, z has exactly n elements.
//
// Host side:  saxpy<<<(n + 63) / 64, 64>>>(n, 2.0f, x, y, z);     with n = 200
// Symptom:    cudaDeviceSynchronize() returns "an illegal memory access was encountered".
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo saxpy.cu, then the folders taken out of its .file lines

extern "C" __global__ void saxpy(int n, float a, const float *x, const float *y, float *z)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i <= n)
		z[i] = a * x[i] + y[i];
}

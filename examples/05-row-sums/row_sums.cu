// The sum of each row of a matrix, four columns at a time. A row occupies `pitch` floats, of which `cols` are used.
//
// Host side:  row_sums<<<1, 32>>>(rows, cols, pitch, m, sums);      with rows = 24, cols = 28, pitch = 30
// Symptom:    cudaDeviceSynchronize() returns "misaligned address", but only since the padding of rows was changed.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo row_sums.cu, then the folders taken out of its .file lines

extern "C" __global__ void row_sums(int rows, int cols, int pitch, const float *m, float *sums)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;

	if (row >= rows)
		return;

	const float4 *v = (const float4 *)(m + row * pitch);
	float sum = 0;

#pragma unroll 1
	for (int c = 0; c < cols / 4; c++) {
		float4 q = v[c];

		sum += q.x + q.y + q.z + q.w;
	}
	sums[row] = sum;
}

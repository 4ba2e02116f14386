// Blurs a panorama of 360 degrees, whose right edge continues at its left one: the mean of three pixels, through a texture.
//
// Host side:  cudaTextureDesc with addressMode {cudaAddressModeWrap, cudaAddressModeClamp}, filterMode cudaFilterModePoint, normalizedCoords 0;
//             blur<<<dim3((width + 15) / 16, (height + 3) / 4), dim3(16, 4)>>>(image, 1, 1, width, height, out);
// Symptom:    a vertical seam where the panorama closes; everything else is right.
// PTX:        nvcc -arch=sm_75 -ptx -lineinfo panorama.cu, then the folders taken out of its .file lines

extern "C" __global__ void blur(cudaTextureObject_t image, float scale_x, float scale_y, int width, int height, float *out)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= width || y >= height)
		return;

	float sum = 0;
	for (int k = -1; k <= 1; k++)
		sum += tex2D<float>(image, (x + k + 0.5f) * scale_x, (y + 0.5f) * scale_y);
	out[y * width + x] = sum / 3;
}

// Variables that stay in local memory in debug builds (-G): arrays, one that is never written.
// nvcc -arch=sm_75 -ptx -G local-names.cu
struct pair { float x, y; };
extern "C" __global__ void names(float *out, int n)
{
	float arr[4], brr[4];
	pair p[2];
	for (int i = 0; i < 4; i++)
		arr[i] = i * 2;
	p[n & 1].y = arr[n & 3];
	float sum = 0;
	if (brr[n & 3] > 2)
		sum += 1;
	if (p[n & 1].x > 2)
		sum += 1;
	out[threadIdx.x] = sum + p[n & 1].y;
}

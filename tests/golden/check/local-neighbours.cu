// An array that -G keeps in local memory is overrun into its neighbour (n 4); a loop goes down from the array's end, which is right.
// nvcc -arch=sm_75 -ptx -G local-neighbours.cu
struct pair { float x, y; };
extern "C" __global__ void over(float *out, int n)
{
	float arr[4], brr[4];
	pair p[2];
	for (int i = 0; i < 4; i++)
		brr[i] = 0;
	p[n & 1].y = 1;
	for (int i = 0; i <= n; i++)
		arr[i] = i * 2;
	float *q = arr + 4;
	float s = 0;
	while (q > arr)
		s += *--q;
	out[threadIdx.x] = s + brr[n & 3] + p[n & 1].y;
}

// Loops, a switch, jumps: where lines begin and jumps lead into them. PTX: nvcc -G -arch=sm_75 -ptx flow.cu, folders taken out of .file
__device__ int seek(const int *t, int n, int want)
{
	int lo = 0;
	int hi = n;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (t[mid] == want)
			return mid;
		if (t[mid] < want)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -1;
}
extern "C" __global__ void flow(int *o, const int *t, int n)
{
	int i = threadIdx.x;
	int r = 0;
	switch (i % 4) {
	case 0:
		r = 1;
		break;
	case 1:
		r = 2;
	case 2:
		r += 3;
		break;
	default:
		if (i > 100)
			return;
	}
	do {
		r++;
		if (r == 3)
			continue;
		if (r > 5)
			break;
	} while (r < 8);
	int k = r > 4 && i ? 7 : 9;
	for (;;) {
		if (--k < 5)
			goto out;
	}
out:
	if (t[i] > 3 || r == 2)
		r = 3;
	else
		r = 4;
	o[i] = seek(t, n, i) + r;
}

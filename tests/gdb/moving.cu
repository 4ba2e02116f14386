// A variable that nvcc -G keeps in one register after the other. PTX: nvcc -G -arch=sm_75 -ptx moving.cu, then the folder taken out of
// its .file line
extern "C" __global__ void moving(int *out, int n)
{
	int acc = threadIdx.x + 1;
	acc += 3;
	acc *= n;
	if (acc > 20)
		acc -= 7;
	else
		acc += 100;
	out[threadIdx.x] = acc;
	acc = 0;
	out[n] = acc;
}

// Functions that return references and closures; arrays that lists are assigned to. PTX: nvcc -arch=sm_75 -ptx -G -g returned.cu, then the folders taken out of .file
struct P {
	int x, y;
};
__device__ P table[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
__device__ __noinline__ P &pick(int i) { return table[i]; }
__device__ __noinline__ const int &member(int i) { return table[i].y; }
__device__ __noinline__ auto adder(int k, float f)
{
	return [k, f](int a) { return a * f + k; };
}
__device__ __noinline__ float applied(int n)
{
	auto f = adder(n, 0.5f);
	return f(3);
}
__device__ unsigned char bytes[8];
extern "C" __global__ void k(float *out)
{
	unsigned char a[6] = {9, 9, 9, 9, 9, 9};
	int grid[2][3] = {};
	out[0] = pick(2).x + member(1);
	out[1] = applied(7);
	bytes[threadIdx.x & 7] = a[threadIdx.x & 3] + grid[1][threadIdx.x & 1];
	out[2] = bytes[0];
}

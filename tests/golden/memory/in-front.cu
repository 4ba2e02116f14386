template<class T> __device__ T tab[2] = {1, 2};
extern "C" __global__ void s(int *o, int k) { __shared__ int t[64]; t[threadIdx.x] = 1; __syncthreads(); o[0] = t[threadIdx.x + k] + tab<int>[k & 1]; }
extern "C" __global__ void l(int *o, int k) { volatile int a[4]; a[k] = 3; o[0] = a[k+1]; }
extern "C" __global__ void g(int *o, int k) { o[0] = tab<int>[k]; o[1] = tab<float>[k]; }

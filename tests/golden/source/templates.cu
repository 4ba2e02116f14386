// Names with template arguments. PTX: nvcc -G -arch=sm_75 -ptx -o templates-g.ptx templates.cu, nvcc -lineinfo -arch=sm_75 -ptx templates.cu,
// then the folders taken out of their .file lines
template <typename T> struct B {
	T v;
	__device__ __noinline__ T tget(int i) const { return v * i; }
	template <int K> __device__ __noinline__ T plus() const { return v + K; }
};
template <typename T> __device__ T scale = 3;

namespace lin {
template <typename T> struct mat {
	T at[4];
	__device__ __noinline__ T get(int i) { return at[i & 3]; }
	__device__ __noinline__ T tr() { return get(0) + get(3); }
};
template <unsigned N> __device__ __noinline__ int gemm(int x)
{
	__shared__ int C[N];
	C[threadIdx.x % N] = x + N;
	__syncthreads();
	return C[(threadIdx.x + 1) % N];
}
template <typename T> __global__ void k(T *out, int n)
{
	lin::mat<T> m = {{(T)n, 1, 2, 3}};
	out[threadIdx.x] = m.tr() + (T)gemm<8>(n) + (T)gemm<16>(n);
}
template __global__ void k<float>(float *, int);
template __global__ void k<int>(int *, int);
}

template <int N> __global__ void tmpl(int *out)
{
	__shared__ int A[N];
	B<int> b = {N};
	B<float> f = {0.5f};
	A[threadIdx.x % N] = threadIdx.x;
	out[threadIdx.x] = A[0] + b.tget(2) + (int)f.tget(4) + b.plus<7>() + scale<int> + (int)scale<float>;
}
template __global__ void tmpl<3>(int *);
template __global__ void tmpl<5>(int *);

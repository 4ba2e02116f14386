// Lambdas that have captured an object or its address, one in another (nvcc -std=c++17 -ptx -G -arch=sm_75, folders taken out of .file).
template <typename T> struct Acc {
	T base; int step;
	T *dst;
	__device__ void fill(int n)
	{
		auto outer = [=](int i) {
			T v = base * i;
			auto inner = [this, i, &v](int j) {
				v += step * j;
				if (j == 1)
					dst[i] = v;
			};
			for (int j = 0; j < 2; j++)
				inner(j);
			return n + v;
		};
		if (outer(threadIdx.x) < 0)
			dst[0] = 1;
	}
	__device__ void copy(int n)
	{
		auto self = [*this, n](int i) {
			T v = base + n;
			v += step;
			dst[i] = v;
		};
		self(threadIdx.x);
	}
};
__global__ void k1(Acc<float> a, int n) { a.fill(n); }
__global__ void k2(Acc<double> a, int n) { a.copy(n); }

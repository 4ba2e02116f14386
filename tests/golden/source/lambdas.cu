// Lambdas, also generic and with a captured object, and functions whose return type is a decltype.
// PTX: nvcc -std=c++20 -G -arch=sm_75 -ptx lambdas.cu, folders taken out of .file
namespace lab {
enum class Op : int { add, mul = -3 };
template <Op O, typename A, typename B> __device__ __noinline__ auto join(A a, B b) -> decltype(a + b)
{
	return O == Op::add ? a + b : a * b;
}
template <int N> struct flag {};
template <typename T> __device__ __noinline__ auto less(T a, T b) -> flag<(sizeof(a) > 2)>
{
	return {};
}
}

struct scale {
	float factor;
	short shift;
	int *out;
	__device__ void run(int n)
	{
		auto body = [this, n](int i) {
			float v = factor * i + shift;
			out[i] = (int)v + n;
		};
		auto copied = [*this](int i) {
			out[i] += shift;
		};
		body(threadIdx.x);
		copied(threadIdx.x);
	}
	__device__ int get() const
	{
		return [](int k) { return k + 1; }(shift);
	}
};

extern "C" __global__ void lambdas(int *o)
{
	scale s = {1.5f, -4, o};
	int total = 0;
	s.run(10);
	auto add = [&total]<typename T>(T w) {
		total += (int)(w * 2);
	};
	add(2.5f);
	lab::less(total, 3);
	o[threadIdx.x] += total + lab::join<lab::Op::mul>(1.5f, 2ll) + s.get();
}

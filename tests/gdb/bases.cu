// Base classes: several, nested, empty, of templates. PTX: nvcc -G -arch=sm_75 -ptx bases.cu, then the folder taken out of its .file line
struct first {
	int a;
	__device__ __noinline__ int get() const { return a + 1; }
};
struct second {
	float b;
};
struct none {
};
struct both : first, second {
	double c;
	__device__ __noinline__ double sum() { return a + b + c; }
};
struct outer : public both {
	int d, a;
};
template <typename T> struct box : none, first {
	T value;
};
struct pair : second {
	float right;
};
__device__ __noinline__ pair make(int i)
{
	pair p;
	p.b = i * 0.5f;
	p.right = i * 2.0f;
	return p;
}
extern "C" __global__ void bases(int *out)
{
	outer o;
	o.first::a = threadIdx.x;
	o.b = 2.5f;
	o.c = 3.5;
	o.d = 4;
	o.a = 10;
	box<float> x;
	x.a = 7;
	x.value = 0.25f;
	pair p = make(threadIdx.x);
	both *middle = &o;
	first *inner = &o;
	out[threadIdx.x] = middle->sum() + inner->get() + o.d + x.value + x.a + p.b + p.right;
}

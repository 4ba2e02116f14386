// Variables of every kind that the prompt shows by their C names. PTX: nvcc -G -arch=sm_75 -ptx variables.cu, then the folders taken out
// of its .file lines
namespace app {
enum color { RED, GREEN = 5, BLUE };
enum class mode : unsigned char { off, on = 3 };
struct point {
	int x, y;
};
struct base {
	int b;
	virtual __device__ int f() { return b; }
};
struct derived : base {
	float d;
	__device__ int f() override { return b + 1; }
};
template <class T, int N> struct vec {
	T v[N];
	__device__ T sum() const
	{
		T s = 0;
		for (int i = 0; i < N; i++)
			s += v[i];
		return s;
	}
};
}

enum access { READ = 1, WRITE = 2, EXECUTE = 4 };
struct bits {
	unsigned a : 3;
	int b : 5;
	unsigned c : 24;
	unsigned long long d : 40;
};
union number {
	int i;
	float f;
	char c[4];
};
typedef struct {
	app::point p[2];
	double w;
} pair_t;
struct list {
	list *next;
	int v;
};
struct nested {
	struct {
		int in;
	} named;
	union {
		int one;
		float other;
	};
	const char *text;
};

__constant__ int table[4] = {1, 2, 3, 4};
__device__ app::point origin = {3, 4};
__device__ float matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
static __device__ int hidden = 9;
__device__ int n = 1000; // a parameter has this name, too

__device__ __noinline__ int add(int a, const int &b)
{
	int t = a + b;
	return t;
}

__device__ __noinline__ int scale(pair_t p, int *q, app::color c)
{
	int s = (int)p.w + p.p[1].x + *q + c;
	return s;
}

__device__ int factorial(int k)
{
	if (k < 2)
		return 1;
	int rest = factorial(k - 1);
	return k * rest;
}

extern "C" __global__ void kinds(int *out, int n, app::point start, double w)
{
	__shared__ int tile[32];
	__shared__ app::point shared_point;
	int i = threadIdx.x;
	bool flag = i > 2;
	bool *flag_at = &flag;
	char letter = 'a' + i;
	unsigned char byte = 200;
	short small = -5;
	long long large = 1ll << 40;
	unsigned long mask = ~0ul;
	float f = i * 0.5f;
	double d = w * 2;
	app::color c = i & 1 ? app::GREEN : app::BLUE;
	app::mode m = app::mode::on;
	access rights = (access)(READ | EXECUTE);
	app::point p = start;
	p.x += i;
	pair_t pr = {{{1, 2}, {3, 4}}, 2.5};
	bits bf;
	bf.a = 5;
	bf.b = -3;
	bf.c = 77;
	bf.d = 1234567;
	number un;
	un.f = 1.0f;
	int arr[3] = {i, i + 1, i + 2};
	int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
	char text[12] = "hello";
	char zeros[40] = {0};
	int *ptr = &arr[1];
	int &ref = arr[2];
	const volatile int cv = 12;
	app::derived der;
	der.b = 4;
	der.d = 1.5f;
	app::base *bp = &der;
	app::vec<float, 4> vf = {{1, 2, 3, 4}};
	list l1 = {nullptr, 1}, l2 = {&l1, 2};
	list *head = &l2;
	int (*fp)(int) = factorial;
	nested ne = {{3}, {4}, "in global memory"};
	tile[i] = i;
	shared_point.x = 1;
	shared_point.y = 2;
	__syncthreads();
	for (int j = 0; j < 3; j++) {
		int i = j * 10;
		arr[j] += i;
		ref += j;
	}
	{
		float i = 2.5f;
		f += i;
	}
	out[i] = add(n, i) + scale(pr, ptr, c) + factorial(3) + bp->f() + (int)vf.sum() + table[i & 3];
	out[i] += origin.x + hidden + grid[1][i % 3] + text[0] + *flag_at + letter + byte + small + (int)large;
	out[i] += (int)d + (int)m + p.x + bf.a + bf.b + bf.c + un.i + cv + head->next->v + fp(2) + start.x;
	out[i] += tile[i] + shared_point.y + (int)matrix[1][2] + zeros[i] + rights + (int)mask + (int)f + ne.one + ne.text[0] + ::n;
}

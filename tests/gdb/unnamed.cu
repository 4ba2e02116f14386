// Types without names. PTX: nvcc -G -arch=sm_75 -ptx unnamed.cu, then the folder taken out of its .file line
enum { SMALL = 3, LARGE = 30 };
struct cell {
	enum { EMPTY, FULL } state;
	union {
		int whole;
		struct {
			short low, high;
		};
	};
	struct {
		int row, column;
	} at[2];
};
template <typename T> struct box {
	struct {
		T value;
	} in;
};
typedef struct {
	int id;
} named;
__device__ struct {
	int count;
	struct {
		int most;
	} limits;
} state;
extern "C" __global__ void unnamed(int *out)
{
	struct {
		int l;
	} local = {(int)threadIdx.x};
	enum { ONE, TWO } choice = TWO;
	auto add = [=](int k) { return k + local.l; };
	cell c = {cell::FULL, {0x20001}, {{1, 2}, {3, 4}}};
	box<float> b = {{2.5f}};
	named n = {5};
	state.limits.most = 9;
	out[threadIdx.x] = local.l + choice + add(1) + c.high + b.in.value + n.id + SMALL + state.count;
}

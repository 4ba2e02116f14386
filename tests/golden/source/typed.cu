// Inputs of the source's types: buffers of structures, structures as arguments, data of a module. PTX: nvcc -G -arch=sm_75 -ptx typed.cu, then
// the folders taken out of its .file lines
struct Stats {
	float mean;
	unsigned n;
};
enum kind { EMPTY, USED = 5 };
struct Slot {
	unsigned long long key;
	kind state;
	bool dirty;
	char tag[3];
	Stats stats[2];
};
struct Table {
	Slot *slots;
	int capacity;
	int count;
};

__constant__ float coef[8];
__device__ Stats totals[4];
__device__ int matrix[2][3];
__device__ double scale = 2;
namespace A {
__constant__ int weight[2] = {3, 4};
__device__ Stats best;
}

__global__ void gather(Table t, Stats *out, float factor)
{
	int i = threadIdx.x;
	if (i >= t.count || i >= t.capacity)
		return;
	const Slot s = t.slots[i];
	out[i].mean = s.stats[0].mean * factor + coef[i] + A::weight[0];
	out[i].n = s.stats[1].n + s.state + totals[i & 3].n + matrix[1][2];
	if (i == 0)
		A::best = out[0];
}

// nvcc -arch=compute_75 -ptx cooperative.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// N rounds: each thread takes what its right neighbour had in the round before
__global__ void rotate(int *a, int *b, int n, int rounds)
{
	cg::grid_group grid = cg::this_grid();
	int i = (int)grid.thread_rank();
	for (int r = 0; r < rounds; r++) {
		if (i < n)
			b[i] = a[(i + 1) % n];
		grid.sync();
		int *t = a;
		a = b;
		b = t;
	}
}

__global__ void valid(int *out) { out[threadIdx.x] = cg::this_grid().is_valid(); }

// sums of tiles of 8, the same by cg::reduce, prefix sums within tiles of 4
__global__ void tiles(const int *in, int *sum8, int *red8, int *scan4)
{
	auto block = cg::this_thread_block();
	int i = (int)block.thread_rank(), v = in[i];
	auto t8 = cg::tiled_partition<8>(block);
	int s = v;
	for (int k = t8.size() / 2; k; k /= 2)
		s += t8.shfl_xor(s, k);
	sum8[i] = s;
	red8[i] = cg::reduce(t8, v, cg::plus<int>());
	scan4[i] = cg::inclusive_scan(cg::tiled_partition<4>(block), v, cg::plus<int>());
}

// one atomic for all threads of a warp that have an odd number; the others keep -1
__global__ void coalesced(const int *in, int *count, int *ranks)
{
	int i = threadIdx.x;
	ranks[i] = -1;
	if (in[i] & 1) {
		cg::coalesced_group g = cg::coalesced_threads();
		if (g.thread_rank() == 0)
			atomicAdd(count, g.size());
		ranks[i] = g.thread_rank();
		auto same = cg::labeled_partition(g, in[i] % 3);
		ranks[i] += 100 * cg::reduce(same, 1, cg::plus<int>());
	}
}

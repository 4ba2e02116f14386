#include <cuda_fp16.h>
#include <mma.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using namespace nvcuda;
__global__ void h(const half *a, const half *b, float *c, cudaTextureObject_t tex, cudaSurfaceObject_t s) {
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa; wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc; wmma::fill_fragment(fc, 0.f);
	wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, b, 16); wmma::mma_sync(fc, fa, fb, fc); wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
	float4 t = tex2D<float4>(tex, 0.5f, 1.f); c[threadIdx.x] = t.x + t.y + __half2float(__hadd(a[1], b[2])); surf2Dwrite(t.z, s, 4, 5);
	half2 x = __halves2half2(a[0], a[1]); x = __hfma2(x, x, x); c[3] = __low2float(x);
	auto g = cg::this_thread_block(); g.sync(); auto tile = cg::tiled_partition<16>(g); c[5] = tile.shfl_xor(c[6], 3); c[7] = __dp4a(1, (int)c[8], 3);
}

// nvcc -arch=sm_90a -ptx wgmma.cu: wgmma against plain loops: swizzles, layouts, A in registers. bad[n] counts wrong elements.
#include <cuda_fp16.h>
#include <stdint.h>
template <int W> __device__ unsigned swz(unsigned a) { return W == 16 ? a : a ^ ((a >> 3) & (W == 128 ? 0x70 : W == 64 ? 0x30 : 0x10)); }
// byte address of (mn, k) for 16-bit elements
template <int W, bool MN> __device__ unsigned at(unsigned mn, unsigned k, unsigned lbo, unsigned sbo)
{
	if (!MN) {
		if (W == 16) return mn / 8 * sbo + mn % 8 * 16 + k / 8 * lbo + k % 8 * 2;
		return swz<W>(mn / 8 * sbo + mn % 8 * W + k * 2);
	}
	if (W == 16) return mn / 8 * sbo + mn % 8 * 2 + k % 8 * 16 + k / 8 * lbo;
	return swz<W>(mn * 2 / W * lbo + mn * 2 % W + k % 8 * W + k / 8 * sbo);
}
__device__ uint64_t desc(unsigned addr, unsigned lbo, unsigned sbo, int w)
{
	uint64_t mode = w == 128 ? 1 : w == 64 ? 2 : w == 32 ? 3 : 0;
	return (addr >> 4 & 0x3fff) | (uint64_t)(lbo >> 4) << 16 | (uint64_t)(sbo >> 4) << 32 | mode << 62;
}
template <int W, bool MA, bool MB> __device__ __noinline__ void test(char *sm, unsigned *bad, int n, int scale_d)
{
	char *sa = sm, *sb = sm + 16384;
	// leading and stride offsets that keep tiles apart
	const unsigned la = MA ? (W == 16 ? 2048 : 4096) : 2048, ssa = MA ? (W == 16 ? 256 : 8 * W) : (W == 16 ? 256 : 8 * W);
	const unsigned lb = la, ssb = ssa;
	_Pragma("unroll 1") for (int i = threadIdx.x; i < 64 * 16; i += 128) *(half *)(sa + at<W, MA>(i / 16, i % 16, la, ssa)) = __float2half((float)(i * 7 % 13 - 6));
	_Pragma("unroll 1") for (int i = threadIdx.x; i < 16 * 16; i += 128) *(half *)(sb + at<W, MB>(i / 16, i % 16, lb, ssb)) = __float2half((float)(i * 5 % 11 - 5));
	__syncthreads();
	float d[8];
	for (int e = 0; e < 8; e++) d[e] = (float)(threadIdx.x % 32 + e);
	uint64_t da = desc((unsigned)__cvta_generic_to_shared(sa), la, ssa, W), db = desc((unsigned)__cvta_generic_to_shared(sb), lb, ssb, W);
	asm volatile("wgmma.fence.sync.aligned;");
	asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, %8, %9, p, 1, 1, %11, %12; }"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
		: "l"(da), "l"(db), "r"(scale_d), "n"(MA), "n"(MB));
	asm volatile("wgmma.commit_group.sync.aligned;");
	asm volatile("wgmma.wait_group.sync.aligned 0;");
	const int w = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
	for (int e = 0; e < 8; e++) {
		const int row = 16 * w + g + (e / 2 % 2) * 8, col = e / 4 * 8 + 2 * t + e % 2;
		float sum = scale_d ? (float)(threadIdx.x % 32 + e) : 0.f;
		for (int k = 0; k < 16; k++) sum += (float)((row * 16 + k) * 7 % 13 - 6) * (float)((col * 16 + k) * 5 % 11 - 5);
		if (d[e] != sum) atomicAdd(&bad[n], 1);
	}
	__syncthreads();
}
extern "C" __global__ void wg(unsigned *bad)
{
	__shared__ __align__(1024) char sm[32768];
	test<128, false, false>(sm, bad, 0, 1);
	test<64, false, false>(sm, bad, 1, 0);
	test<32, false, false>(sm, bad, 2, 1);
	test<16, false, false>(sm, bad, 3, 1);
	test<128, true, true>(sm, bad, 4, 1);
	test<64, true, false>(sm, bad, 5, 1);
	test<32, false, true>(sm, bad, 6, 0);
	test<16, true, true>(sm, bad, 7, 1);
}

// nvcc -arch=sm_80 -ptx wmma.cu: each shape and type of <mma.h>, row- and column-major, in global and shared memory, against plain loops. The values are small
// integers, so that every sum is exact. bad[n] counts the wrong elements of test n, and done the tests.
#include <mma.h>
using namespace nvcuda;

template <typename T> __device__ T small(int v) { return T((float)(v % 7 - 3)); }
template <> __device__ signed char small<signed char>(int v) { return (signed char)(v % 200 - 100); }
template <> __device__ unsigned char small<unsigned char>(int v) { return (unsigned char)(v % 251); }
template <typename T> __device__ double number(T v) { return (double)(float)v; }
template <> __device__ double number<double>(double v) { return v; }
template <> __device__ double number<int>(int v) { return v; }

template <bool ROW> struct layout_of { typedef wmma::row_major type; };
template <> struct layout_of<false> { typedef wmma::col_major type; };
template <typename F> struct is_signed { static const bool value = false; };
template <> struct is_signed<wmma::experimental::precision::s4> { static const bool value = true; };

struct result {
	unsigned *bad;
	unsigned n;
};

// One test: ROW_A, ROW_B, ROW_C say how the matrices lie; PAD elements lie between lines.
template <int M, int N, int K, typename F, typename T, typename C, bool ROW_A, bool ROW_B, bool ROW_C, int PAD>
__device__ __noinline__ void test(char *memory, result &r)
{
	typedef typename layout_of<ROW_A>::type LA;
	typedef typename layout_of<ROW_B>::type LB;
	const int lda = (ROW_A ? K : M) + PAD, ldb = (ROW_B ? N : K) + PAD, ldc = (ROW_C ? N : M) + PAD;
	T *a = (T *)memory, *b = (T *)(memory + 8192);
	C *c = (C *)(memory + 16384), *d = (C *)(memory + 24576);
	_Pragma("unroll 1") for (int i = threadIdx.x; i < M * K; i += 32)
		a[ROW_A ? i / K * lda + i % K : i % K * lda + i / K] = small<T>(i * 5 + 1);
	_Pragma("unroll 1") for (int i = threadIdx.x; i < K * N; i += 32)
		b[ROW_B ? i / N * ldb + i % N : i % N * ldb + i / N] = small<T>(i * 3 + 2);
	_Pragma("unroll 1") for (int i = threadIdx.x; i < M * N; i += 32)
		c[ROW_C ? i / N * ldc + i % N : i % N * ldc + i / N] = small<C>(i);
	__syncwarp();
	wmma::fragment<wmma::matrix_a, M, N, K, F, LA> fa;
	wmma::fragment<wmma::matrix_b, M, N, K, F, LB> fb;
	wmma::fragment<wmma::accumulator, M, N, K, C> fc;
	wmma::load_matrix_sync(fa, a, lda);
	wmma::load_matrix_sync(fb, b, ldb);
	wmma::load_matrix_sync(fc, c, ldc, ROW_C ? wmma::mem_row_major : wmma::mem_col_major);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(d, fc, ldc, ROW_C ? wmma::mem_row_major : wmma::mem_col_major);
	__syncwarp();
	_Pragma("unroll 1") for (int i = threadIdx.x; i < M * N; i += 32) {
		const int row = i / N, col = i % N, at = ROW_C ? row * ldc + col : col * ldc + row;
		double sum = number(c[at]);
		_Pragma("unroll 1") for (int k = 0; k < K; k++)
			sum += number(a[ROW_A ? row * lda + k : k * lda + row]) * number(b[ROW_B ? k * ldb + col : col * ldb + k]);
		if (number(d[at]) != sum)
			atomicAdd(&r.bad[r.n], 1);
	}
	__syncwarp();
	r.n++;
}

template <int M, int N, int K, typename F, typename T, typename C, int PAD> __device__ void layouts(char *memory, result &r)
{
	test<M, N, K, F, T, C, true, false, true, PAD>(memory, r);
	test<M, N, K, F, T, C, false, true, false, 0>(memory, r);
}

template <typename F, typename T, typename C, int PAD> __device__ void shapes(char *memory, result &r)
{
	layouts<16, 16, 16, F, T, C, PAD>(memory, r);
	layouts<32, 8, 16, F, T, C, PAD>(memory, r);
	layouts<8, 32, 16, F, T, C, PAD>(memory, r);
}

// Elements of 4 bits and of 1: A by rows, B by columns.
template <int K, typename F> __device__ __noinline__ void packed(char *memory, result &r, int bits)
{
	unsigned *a = (unsigned *)memory, *b = (unsigned *)(memory + 8192);
	int *d = (int *)(memory + 16384);
	const int words = 8 * K * bits / 32;
	_Pragma("unroll 1") for (int i = threadIdx.x; i < words; i += 32) {
		a[i] = 0x9e3779b9u * (i + 1);
		b[i] = 0x85ebca6bu * (i + 3);
	}
	__syncwarp();
	wmma::fragment<wmma::matrix_a, 8, 8, K, F, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 8, 8, K, F, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 8, 8, K, int> fc;
	wmma::fill_fragment(fc, 5);
	wmma::load_matrix_sync(fa, a, K);
	wmma::load_matrix_sync(fb, b, K);
	if constexpr (K == 128)
		wmma::bmma_sync(fc, fa, fb, fc, wmma::experimental::bmmaBitOpAND);
	else
		wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
	__syncwarp();
	_Pragma("unroll 1") for (int i = threadIdx.x; i < 64; i += 32) {
		int sum = 5;
		_Pragma("unroll 1") for (int k = 0; k < K; k++) {
			const int pa = (i / 8 * K + k) * bits, pb = (i % 8 * K + k) * bits;
			int va = a[pa / 32] >> pa % 32 & ((1 << bits) - 1), vb = b[pb / 32] >> pb % 32 & ((1 << bits) - 1);
			if (is_signed<F>::value) {
				va = va << 28 >> 28;
				vb = vb << 28 >> 28;
			}
			sum += va * vb;
		}
		if (d[i] != sum)
			atomicAdd(&r.bad[r.n], 1);
	}
	__syncwarp();
	r.n++;
}

__device__ __noinline__ void all(char *memory, result &r)
{
	shapes<half, half, half, 8>(memory, r);
	shapes<half, half, float, 8>(memory, r);
	shapes<__nv_bfloat16, __nv_bfloat16, float, 8>(memory, r);
	shapes<signed char, signed char, int, 16>(memory, r);
	test<16, 16, 16, unsigned char, unsigned char, int, true, true, false, 16>(memory, r);
	layouts<16, 16, 8, wmma::precision::tf32, float, float, 4>(memory, r);
	layouts<8, 8, 4, double, double, double, 2>(memory, r);
	packed<32, wmma::experimental::precision::s4>(memory, r, 4);
	packed<32, wmma::experimental::precision::u4>(memory, r, 4);
	packed<128, wmma::experimental::precision::b1>(memory, r, 1);
}

extern "C" __global__ void in_global(unsigned *bad, unsigned *done, char *memory)
{
	result r = {bad, 0};
	all(memory, r);
	*done = r.n;
}

extern "C" __global__ void in_shared(unsigned *bad, unsigned *done)
{
	__shared__ __align__(128) char memory[32768];
	result r = {bad, 0};
	all(memory, r);
	*done = r.n;
}

/* Lets clang build kernels.cu without a CUDA toolkit: clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_52 -nocudainc -nocudalib -S
 * -O2 -ffp-contract=off -Xclang -target-feature -Xclang +ptx60 -include clang.h kernels.cu (and sm_70 -O0) */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };
#include <__clang_cuda_builtin_vars.h>
#define D static inline __device__ __attribute__((always_inline))
D float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
D unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
D int __popc(unsigned x) { return __builtin_popcount(x); }
D int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }
D unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
#define sqrtf __builtin_sqrtf
#define fabsf __builtin_fabsf
#define fminf __builtin_fminf
#define fmaxf __builtin_fmaxf
#define fmaf __builtin_fmaf
#define sqrt __builtin_sqrt
#define fabs __builtin_fabs
#define floorf __builtin_floorf
#define ceilf __builtin_ceilf
#define truncf __builtin_truncf
#define rintf __builtin_rintf

/* Which files are headers of the toolkit or the compiler. Names as nvcc 11 to 13 (Linux, Windows, conda, pip), clang with libstdc++ and
 * libc++, and CMake's downloads of CCCL write them into .file; and users' own that look like them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/toolkit.h"

static void headers(void **state)
{
	static const char *const names[] = {
		"/usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp",
		"/usr/local/cuda-13.0/bin/../targets/sbsa-linux/include/cccl/cuda/std/__algorithm/min.h",
		"/usr/local/cuda-11.4/include/cuda_fp16.hpp",
		"/export/users/me/conda/envs/a/targets/x86_64-linux/include/cub/block/block_scan.cuh",
		"/export/users/me/.venv/lib/python3.11/site-packages/nvidia/cuda_runtime/include/sm_32_intrinsics.hpp",
		"/opt/nvidia/hpc_sdk/Linux_x86_64/24.1/cuda/12.3/include/crt/mma.hpp",
		"C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v12.4\\include\\vector_functions.hpp",
		"/usr/lib/cuda/include/math_functions.hpp",
		"/usr/include/cuda_bf16.hpp",
		"/usr/include/c++/12/bits/stl_algobase.h",
		"/usr/lib/gcc/x86_64-linux-gnu/12/include/mm_malloc.h",
		"/usr/lib/llvm-14/lib/clang/14.0.6/include/__clang_cuda_device_functions.h",
		"/opt/llvm/include/c++/v1/__utility/swap.h",
		"/export/users/me/app/build/_deps/cccl-src/libcudacxx/include/cuda/std/detail/libcxx/include/atomic",
		"/export/users/me/app/build/_deps/cccl-src/thrust/thrust/detail/copy.inl",
		"device_atomic_functions.hpp",
		"crt/sm_70_rt.hpp",
	};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!toolkit_is_header(names[i]))
			fail_msg("%s is not taken for a header of the toolkit", names[i]);
}

static void users_own(void **state)
{
	static const char *const names[] = {
		"hash.cu",
		"/export/users/me/hash.cuh",
		"/export/users/me/cuda/include/hash.cuh",
		"/export/users/me/cuda/src/reduce.cuh",
		"/usr/local/cuda/samples/common/inc/helper_math.h",
		"/usr/local/cuda-11.4/samples/6_Advanced/reduction/reduction_kernel.cu",
		"/export/users/me/thrust/engine.cu", /* no header, whatever its folder is called */
		"/usr/local/src/app/kernel.cu",
		"/export/users/me/include/math_helpers.h",
		"/export/users/me/targets/include/mine.h",
		"my_cuda_fp16.hpp",
		"",
	};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (toolkit_is_header(names[i]))
			fail_msg("%s is taken for a header of the toolkit", names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers),
		cmocka_unit_test(users_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which files are headers of the toolkit or the compiler. */
#include "base/toolkit.h"

#include <fnmatch.h>
#include <string.h>

#include "base/text.h"

/* What a user compiles is the user's own, wherever it lies. */
static const char *const sources[] = {"*.cu", "*.c", "*.cc", "*.cpp", "*.cxx", "*.C"};

/* Globs for whole names, which begin with '/' here; '*' may be several folders. */
static const char *const headers[] = {
	/* where toolkits and compilers keep theirs */
	"/usr/include/*",
	"/usr/local/include/c++/*",
	"/usr/local/cuda/*include/*",
	"/usr/local/cuda-[0-9]*/*include/*",
	"/opt/cuda/*include/*",
	"/opt/cuda-[0-9]*/*include/*",
	"*/targets/*-linux*/include/*", /* nvcc's own way of saying it, in packages, too */
	"*/targets/*-qnx*/include/*",
	"*/hpc_sdk/*/include/*",
	"*/NVIDIA GPU Computing Toolkit/*/include/*",
	"*-packages/nvidia/*/include/*",
	"*/lib/cuda/include/*",
	"*/lib/gcc/*/include/*",
	"*/lib*/clang/*/include/*",
	"*/include/c++/*",
	"*/c++/v1/*",
	"*/MSVC/*/include/*",
	/* libraries that are also taken from elsewhere */
	"*/crt/*",
	"*/cub/*",
	"*/thrust/*",
	"*/libcudacxx/*",
	"*/cuda/std/*",
	"*/cuda/__*",
	"*/cooperative_groups/*",
	/* files of the toolkit by their names */
	"*/sm_[0-9][0-9]_*.h*",
	"*/__clang_*.h",
	"*/channel_descriptor.h",
	"*/cooperative_groups.h",
	"*/cuComplex.h",
	"*/cuda_awbarrier*.h",
	"*/cuda_bf16.h*",
	"*/cuda_device_runtime_api.h",
	"*/cuda_fp16.h*",
	"*/cuda_fp[468].h*",
	"*/cuda_pipeline*.h",
	"*/cuda_runtime*.h",
	"*/cuda_surface_types.h",
	"*/cuda_texture_types.h",
	"*/curand_*.h",
	"*/device_atomic_functions.h*",
	"*/device_double_functions.h*",
	"*/device_functions.h*",
	"*/device_launch_parameters.h",
	"*/host_defines.h",
	"*/math_constants.h",
	"*/math_functions*.h*",
	"*/mma.h*",
	"*/surface_functions.h*",
	"*/surface_indirect_functions.h*",
	"*/texture_fetch_functions.h*",
	"*/texture_indirect_functions.h*",
	"*/vector_functions.h*",
	"*/vector_types.h",
};

static bool fits_one(const char *const *globs, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (!fnmatch(globs[i], path, FNM_NOESCAPE))
			return true;
	return false;
}

bool toolkit_is_header(const char *path)
{
	struct text whole = {0};
	text_add(&whole, *path == '/' ? "" : "/");
	text_add(&whole, path);
	for (size_t i = 0; i < whole.n; i++)
		whole.s[i] = whole.s[i] == '\\' ? '/' : whole.s[i];
	bool is = !fits_one(sources, sizeof sources / sizeof *sources, text_str(&whole)) &&
		  fits_one(headers, sizeof headers / sizeof *headers, text_str(&whole));
	text_free(&whole);
	return is;
}

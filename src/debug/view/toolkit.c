/* Which files are headers of the toolkit or the compiler. */
#include "debug/view/toolkit.h"

#include <fnmatch.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/internal.h"
#include "debug/view/inlined.h"
#include "debug/view/room.h"
#include "debug/view/source.h"

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

bool debug_is_toolkit_header(struct debug *d, uint32_t file)
{
	const struct isa_program *p = debug_program(d);
	if (file >= p->n_files || p->files[file].is_ptx)
		return false;
	if (d->view->n_toolkit < p->n_files) {
		d->view->toolkit = xrealloc(d->view->toolkit, p->n_files);
		memset(d->view->toolkit + d->view->n_toolkit, 0, p->n_files - d->view->n_toolkit);
		d->view->n_toolkit = p->n_files;
	}
	if (!d->view->toolkit[file])
		d->view->toolkit[file] = toolkit_is_header(p->files[file].name) ? 'y' : 'n';
	return d->view->toolkit[file] == 'y';
}

uint32_t debug_own_loc(struct debug *d, uint32_t pc)
{
	uint32_t loc = debug_loc_at(d, pc);
	for (uint32_t depth = 0; loc != ISA_NO_LOC && depth <= DEBUG_INLINED_MAX; depth++) {
		if (!debug_is_toolkit_header(d, debug_loc(d, loc)->file))
			return loc;
		loc = debug_loc_outer(d, loc);
	}
	return ISA_NO_LOC;
}

/* Launches as text: KERNEL<<<GRID, BLOCK[, SHARED[, STREAM]]>>>(ARG, ...), kernels by PTX or demangled name. */
#ifndef DEBUG_LAUNCH_H
#define DEBUG_LAUNCH_H

#include "debug/debug.h"

/* Finds a kernel by PTX name, demangled name, or a unique demangled name without parameters, template arguments or scopes. Returns NULL, with an
 * error in `why` that names the nearest kernels, otherwise. */
const struct isa_function *debug_find_kernel(struct debug *d, const char *name, size_t n, struct text *why);

/* Returns true if the name means this kernel as well as any: a name of several templates' instances or files means all of them. */
bool debug_kernel_fits(struct debug *d, const char *name, size_t n, const struct isa_function *f);

/* Finds a function as debug_find_kernel finds kernels, device functions too; scopes may be missing only in a name that has scopes or template
 * arguments. Returns NULL, with an error in `why`, otherwise. */
const struct isa_function *debug_find_function(struct debug *d, const char *name, size_t n, struct text *why);

/* Finds a function as debug_find_kernel finds kernels, device functions too, in any scope. Returns NULL, with an error in `why`, otherwise. */
const struct isa_function *debug_find_function_anywhere(struct debug *d, const char *name, size_t n, struct text *why);

/* The first instruction of every function that the name fits (all instances of a template and, without a scope, those of all scopes, as
 * in gdb), and of each inlined copy. Their number. */
typedef void debug_place_fn(void *self, uint32_t pc);
/* Calls `add` for the first instruction of every function that the name fits (all instances of a template; without a scope those of all scopes, as
 * in gdb) and of each inlined copy. Returns their number. */
uint32_t debug_function_places(struct debug *d, const char *name, size_t n, debug_place_fn *add, void *self);

/* Returns the name shown for a function: demangled without parameters if settings.demangle is set, else PTX's. */
const char *debug_function_name(const struct debug *d, const struct isa_function *f);

struct debug_launch {
	struct gpu_launch_spec spec; /* spec.params points at `params` */
	unsigned char *params;	     /* owned */
};
/* Parses and checks a launch text against the loaded kernels. Returns false, with an error in `why`, if that fails; otherwise the caller frees
 * `out` with debug_launch_free. */
bool debug_launch_parse(struct debug *d, const char *text, struct debug_launch *out, struct text *why);
/* Frees the parameters of a launch and clears it. */
void debug_launch_free(struct debug_launch *l);

/* Returns the text of the last launch, which `run` alone repeats. Returns NULL if there is none. */
const char *debug_last_launch(const struct debug *d);

#endif

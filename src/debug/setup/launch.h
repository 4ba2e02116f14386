/* Launches as text: KERNEL<<<GRID, BLOCK[, SHARED[, STREAM]]>>>(ARG, ...), kernels by PTX or demangled name. */
#ifndef DEBUG_LAUNCH_H
#define DEBUG_LAUNCH_H

#include "debug/debug.h"

/* Kernel by PTX name, by demangled name, or by the demangled name without parameters, template arguments or scopes where that is unique.
 * NULL with a message (names the nearest kernels) otherwise. `n` bytes of `name`. */
const struct isa_function *debug_find_kernel(struct debug *d, const char *name, size_t n, struct text *why);

/* Does the name mean this kernel as well as any? Where several have it, of several templates' instances or files, it means all of them. */
bool debug_kernel_fits(struct debug *d, const char *name, size_t n, const struct isa_function *f);

/* As debug_find_kernel for any function, device functions too; scopes may be missing only in a name that has some, or template arguments. */
const struct isa_function *debug_find_function(struct debug *d, const char *name, size_t n, struct text *why);

/* The same, of any scope. */
const struct isa_function *debug_find_function_anywhere(struct debug *d, const char *name, size_t n, struct text *why);

/* The first instruction of every function that the name fits (all instances of a template and, without a scope, those of all scopes, as
 * in gdb), and of each inlined copy. Their number. */
typedef void debug_place_fn(void *self, uint32_t pc);
uint32_t debug_function_places(struct debug *d, const char *name, size_t n, debug_place_fn *add, void *self);

/* The name shown for a function: demangled, without parameters, if the setting says so. */
const char *debug_function_name(const struct debug *d, const struct isa_function *f);

struct debug_launch {
	struct gpu_launch_spec spec; /* spec.params points at `params` */
	unsigned char *params;	     /* owned */
};
/* Parses and checks a launch text against the loaded kernels. The caller frees with debug_launch_free. */
bool debug_launch_parse(struct debug *d, const char *text, struct debug_launch *out, struct text *why);
void debug_launch_free(struct debug_launch *l);

/* The last launch's text, NULL if none: `run` alone repeats it. */
const char *debug_last_launch(const struct debug *d);

#endif

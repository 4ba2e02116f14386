/* Kernels and functions by the names users give them. */
#ifndef DEBUG_VIEW_FUNCTIONS_H
#define DEBUG_VIEW_FUNCTIONS_H

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

/* Receives an instruction where a function or an inlined copy begins. */
typedef void debug_place_fn(void *self, uint32_t pc);
/* Calls `add` for the first instruction of every function that the name fits (all instances of a template; without a scope those of all scopes, as
 * in gdb) and of each inlined copy. Returns their number. */
uint32_t debug_function_places(struct debug *d, const char *name, size_t n, debug_place_fn *add, void *self);

/* Returns the name shown for a function: demangled without parameters if settings.demangle is set, else PTX's. */
const char *debug_function_name(const struct debug *d, const struct isa_function *f);

#endif

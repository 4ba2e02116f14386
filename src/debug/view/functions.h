/* Kernels and functions by the names users give them. */
#ifndef DEBUG_VIEW_FUNCTIONS_H
#define DEBUG_VIEW_FUNCTIONS_H

#include "debug/debug.h"

/* Finds a kernel by PTX name, demangled name, or demangled name without parameters, template arguments or scopes; 'MODULE':: may be in front. Of
 * equal names the newest of a module counts, or that of the focused kernel's module. Returns NULL, with an error in `why`, if none fits, or several
 * do. */
const struct isa_function *debug_find_kernel(struct debug *d, const char *name, size_t n, struct text *why);

/* Returns true if the name fits this kernel and fits no other kernel better. Several instances of a template, or kernels of several files, may fit
 * equally. */
bool debug_kernel_fits(struct debug *d, const char *name, size_t n, const struct isa_function *f);

/* Finds a function with a body, kernel or device function, by PTX name, demangled name, or demangled name without parameters or template arguments.
 * Scopes may be left out only in front of a name that has scopes or template arguments. Returns NULL, with an error in `why`, if none fits, or
 * several do. */
const struct isa_function *debug_find_function(struct debug *d, const char *name, size_t n, struct text *why);

/* Finds a function with a body, kernel or device function, by PTX name, demangled name, or demangled name without parameters, template arguments or
 * scopes. Returns NULL, with an error in `why`, if none fits, or several do. */
const struct isa_function *debug_find_function_anywhere(struct debug *d, const char *name, size_t n, struct text *why);

/* Receives an instruction where a function or an inlined copy begins. */
typedef void debug_place_fn(void *self, uint32_t pc);
/* Calls `add` for the first instruction of each function that the name fits best, as in gdb: of all instances of a template, of all scopes if it
 * names none. Calls it, too, for each inlined copy of a function that the name fits. Returns the number of calls. */
uint32_t debug_function_places(struct debug *d, const char *name, size_t n, debug_place_fn *add, void *self);

/* Returns the name shown for a function: demangled without parameters if settings.demangle is set and such a name is known, else PTX's. */
const char *debug_function_name(const struct debug *d, const struct isa_function *f);

#endif

/* The names and types that the source gives a function's parameters, where no debug information does (-lineinfo). */
#ifndef DEBUG_VIEW_PARAMETERS_H
#define DEBUG_VIEW_PARAMETERS_H

#include "debug/debug.h"
#include "isa/program.h"

/* Returns the name of parameter `k` in the source that the function's lines name. Returns NULL if the source can't be read or its declaration isn't
 * found. Valid until the next load. */
const char *debug_parameter_name(struct debug *d, const struct isa_function *f, uint32_t k);
/* Returns the type of parameter `k`: that of the demangled name, or if it has none that of the source's declaration. Returns NULL if neither is known.
 * Valid until the next load. */
const char *debug_parameter_type(struct debug *d, const struct isa_function *f, uint32_t k);
/* Returns the PTX type of parameter `k`: signed where PTX declares bits or an unsigned integer, and the source's type is one of C's signed integers. */
enum isa_type debug_parameter_ptx_type(struct debug *d, const struct isa_function *f, uint32_t k);
/* Returns the parameter that the source calls by a name of n bytes. Returns NULL if there is none or the source can't be read. */
const struct isa_variable *debug_parameter_named(struct debug *d, const struct isa_function *f, const char *name, size_t n);

#endif

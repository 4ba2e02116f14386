/* C++ names from mangled ones (Itanium C++ ABI, 5.1). */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>

#include "base/text.h"

/* Appends the name, of a function with its parameters if they are asked for. False: it isn't a mangled one, or what it stands for is
 * longer than anything sensible; then nothing is appended. */
bool demangle_name(const char *mangled, bool parameters, struct text *out);

#endif

/* C++ names from mangled ones (Itanium C++ ABI, 5.1). */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stdbool.h>

#include "base/text.h"

/* Appends the C++ name that `mangled` stands for, with a function's parameter types if `parameters` is true. Appends nothing and returns
 * false if `mangled` is no mangled name, has over 4096 characters, or stands for over 16384. */
bool demangle_name(const char *mangled, bool parameters, struct text *out);

#endif

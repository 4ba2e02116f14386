/* Does a name as users write it mean a demangled C++ name? Scopes and template arguments may be left out, blanks and the suffixes of numbers
 * don't count: gemm<8> is lin::gemm<8u>(int), B::get is B<float>::get(int) const. */
#ifndef DEBUG_NAME_MATCH_H
#define DEBUG_NAME_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Returns a demangled function's name without its template's return type and its parameters: *n bytes inside `demangled`. */
const char *name_bare(const char *demangled, size_t *n);
/* Returns the length, with its ::, of the namespace _INTERNAL_... in which nvcc puts what is static in a file; 0 if the name doesn't begin with
 * one. */
size_t name_file_scope(const char *bare, size_t n);

/* Returns how well a user's name of n bytes fits a demangled function; 0: not at all. 4: with its parameters; 3: without; 2: also without template
 * arguments or suffixes of numbers; 1: also without scopes in front, only if `loose` and without a leading ::. `const` may stand behind a type. */
int name_match(const char *demangled, const char *name, size_t n, bool loose);

/* Returns whether a name has scopes or template arguments. A leading :: is no scope. */
bool name_is_qualified(const char *name, size_t n);

/* Returns what follows the last :: of a name that isn't inside of brackets; the name itself if there is none. */
const char *name_last_part(const char *name, size_t n);

/* Returns the length of <ARGUMENTS> at the beginning of `s`: types, numbers and names. Returns 0 if there are none, or it can only be a
 * comparison. */
size_t name_template_arguments(const char *s);

#endif

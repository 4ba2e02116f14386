/* Does a name as users write it mean a demangled C++ name? Scopes and template arguments may be left out, blanks and the suffixes of numbers
 * don't count: gemm<8> is lin::gemm<8u>(int), B::get is B<float>::get(int) const. */
#ifndef DEBUG_NAME_MATCH_H
#define DEBUG_NAME_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Returns a demangled function's name without its template's return type and its parameters: *n bytes inside `demangled`. */
const char *name_bare(const char *demangled, size_t *n);
/* Returns the length, with its ::, of the namespace _INTERNAL_... in which nvcc puts what is static in a file; 0 if there is none. */
size_t name_file_scope(const char *bare, size_t n);

/* Returns how well a name fits: 0 not at all, 1 without scopes in front (only if `loose`). 2: template arguments or suffixes of numbers are left
 * out. 3: all of them are given. 4: return type and parameters are given. After a leading :: no scope may be missing. `n` bytes of `name`, which
 * has const after its type, as demangled names do. */
int name_match(const char *demangled, const char *name, size_t n, bool loose);

/* Returns true if the name has scopes or template arguments. */
bool name_is_qualified(const char *name, size_t n);

/* Returns what follows the last :: that isn't inside of brackets. */
const char *name_last_part(const char *name, size_t n);

/* Returns the length of <ARGUMENTS> at the beginning of `s`: types, numbers and names; 0 if these are none, at most a comparison. */
size_t name_template_arguments(const char *s);

#endif

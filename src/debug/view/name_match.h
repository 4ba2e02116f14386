/* Does a name as users write it mean a demangled C++ name? Scopes and template arguments may be left out, blanks and the suffixes of numbers
 * don't count: gemm<8> is lin::gemm<8u>(int), B::get is B<float>::get(int) const. */
#ifndef DEBUG_NAME_MATCH_H
#define DEBUG_NAME_MATCH_H

#include <stdbool.h>
#include <stddef.h>

/* A demangled function's name without its template's return type and its parameters; `n` bytes of what comes back. */
const char *name_bare(const char *demangled, size_t *n);
/* nvcc puts what is static in a file into a namespace of its own, _INTERNAL_...: length of that with its ::, 0: there is none. */
size_t name_file_scope(const char *bare, size_t n);

/* How well a name fits: 0 not at all, 1 without scopes in front (only if `loose`), 2 without template arguments or with suffixes of numbers
 * left out, 3 with all of them, 4 with return type and parameters. After a leading :: no scope may be missing. `n` bytes of `name`, which has
 * const after its type, as demangled names do. */
int name_match(const char *demangled, const char *name, size_t n, bool loose);

/* Has it scopes or template arguments? */
bool name_is_qualified(const char *name, size_t n);

/* What follows the last :: that isn't inside of brackets. */
const char *name_last_part(const char *name, size_t n);

/* Length of <ARGUMENTS> at the beginning of `s`: types, numbers and names; 0: these are none, it is a comparison at most. */
size_t name_template_arguments(const char *s);

#endif

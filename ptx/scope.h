/* Names and scopes: declaring and finding symbols.
 *
 * A scope keeps its symbols in declaration order, and a hash table once there are more than a few (most scopes are the braces
 * around a call and hold two or three). A parameterised register `%r<100>` is found by its prefix and number: names are split
 * at every digit of their tail, nothing is scanned. */
#ifndef PTX_SCOPE_H
#define PTX_SCOPE_H

#include "ptx/ast.h"

/* A new scope inside `parent` (NULL: a module's), in the module's pool. */
struct ptx_scope *ptx_scope_new(struct ptx_module *m, struct ptx_scope *parent, struct ptx_function *f);

/* Adds a symbol whose name and count are set; never refuses. Sets its hash and scope. */
void ptx_scope_add(struct ptx_module *m, struct ptx_scope *s, struct ptx_symbol *sym);

/* The plain name (never a register range) in this scope alone, or NULL. */
struct ptx_symbol *ptx_scope_find_here(const struct ptx_scope *s, struct ptx_slice name);
/* The range of this prefix in this scope alone, or NULL. `hash` is that of the prefix. */
struct ptx_symbol *ptx_scope_find_range(const struct ptx_scope *s, struct ptx_slice prefix, uint32_t hash);

/* The name as a reference in this scope alone: a plain name or a number of a range (its number goes to *number, 0 for others). */
struct ptx_symbol *ptx_scope_resolve_here(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number);
/* The same through all enclosing scopes, innermost first; NULL if nobody declares it. */
struct ptx_symbol *ptx_scope_resolve(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number);

/* The number after a prefix of n_prefix bytes; false if it is no number below 2^32. Leading zeros count as zeros, as in ptxas. */
bool ptx_name_number(struct ptx_slice name, uint32_t n_prefix, uint32_t *number);

#endif

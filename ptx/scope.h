/* Names and scopes: declaring and finding symbols.
 *
 * A scope keeps its symbols in declaration order, and a hash table once there are more than a few (most scopes are the braces
 * around a call and hold two or three). A parameterised register `%r<100>` is found by its prefix and number: names are split
 * at every digit of their tail, nothing is scanned. */
#ifndef PTX_SCOPE_H
#define PTX_SCOPE_H

#include "ptx/ast.h"

/* Allocates a scope inside `parent` (NULL for a module's scope) in the module's pool. */
struct ptx_scope *ptx_scope_new(struct ptx_module *m, struct ptx_scope *parent, struct ptx_function *f);

/* Adds a symbol whose name and count are set, and sets its hash and scope. Does not check for duplicates. */
void ptx_scope_add(struct ptx_module *m, struct ptx_scope *s, struct ptx_symbol *sym);

/* Returns the symbol of a plain name (not of a register range) in this scope alone, or NULL. */
struct ptx_symbol *ptx_scope_find_here(const struct ptx_scope *s, struct ptx_slice name);
/* Returns the register range of a prefix with that hash in this scope alone, or NULL. */
struct ptx_symbol *ptx_scope_find_range(const struct ptx_scope *s, struct ptx_slice prefix, uint32_t hash);

/* Returns the symbol that a name refers to in this scope alone, or NULL. Stores a range register's number in *number, 0 for plain names. */
struct ptx_symbol *ptx_scope_resolve_here(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number);
/* Returns the symbol that a name refers to in this or an enclosing scope, the innermost first, or NULL. Stores a range register's number in *number, 0 for
 * plain names. */
struct ptx_symbol *ptx_scope_resolve(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number);

/* Stores the number after a prefix of n_prefix bytes. Returns false if the rest of the name is no number below 2^32. Leading zeros are allowed, as in ptxas. */
bool ptx_name_number(struct ptx_slice name, uint32_t n_prefix, uint32_t *number);

#endif

/* What the library functions share: reading strings as a lane sees them. */
#ifndef EXEC_BUILTINS_H
#define EXEC_BUILTINS_H

#include "base/text.h"
#include "exec/internal.h"

/* Appends the NUL-terminated string at a generic address, at most `limit` bytes of it; false if it leaves mapped memory. */
bool builtin_string(const struct exec *x, unsigned lane, uint64_t address, uint64_t limit, struct text *out);

/* Returns the host address of n bytes as a lane of x->warp sees them at a generic address, or NULL if not all of them are there. */
static inline const void *builtin_peek(const struct exec *x, unsigned lane, uint64_t address, uint64_t n)
{
	return exec_peek(x, x->cta, x->warp->index, lane, address, n);
}

/* Returns argument k of a call whose last n_args arguments follow the return value: a pointer or size of 4 or 8 bytes. Returns 0 if the call has
 * fewer arguments. */
static inline uint64_t builtin_arg(const struct exec *x, const struct isa_insn *i, unsigned k, unsigned n_args,
				   unsigned lane)
{
	uint64_t v = 0;
	const unsigned n = exec_arg_count(x, i);
	if (n >= n_args)
		exec_arg_read(x, i, n - n_args + k, lane, &v, sizeof v);
	return v;
}

/* Raises a fault of one lane for a bad address; the detail is `what`, a blank and the address. */
void builtin_bad_address(struct exec *x, unsigned lane, uint64_t address, const char *what);

#endif

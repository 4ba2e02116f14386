/* What the library functions share: reading strings as a lane sees them. */
#ifndef EXEC_BUILTINS_H
#define EXEC_BUILTINS_H

#include "base/text.h"
#include "exec/internal.h"

/* Appends the NUL-terminated string at a generic address, at most `limit` bytes of it; false if it leaves mapped memory. */
bool builtin_string(const struct exec *x, unsigned lane, uint64_t address, uint64_t limit, struct text *out);

/* The memory a lane sees at a generic address, NULL if not all n bytes are there. */
static inline const void *builtin_peek(const struct exec *x, unsigned lane, uint64_t address, uint64_t n)
{
	return exec_peek(x, x->cta, x->warp->index, lane, address, n);
}

/* Argument k of those after the return value: pointers and sizes of 4 or 8 bytes. */
static inline uint64_t builtin_arg(const struct exec *x, const struct isa_insn *i, unsigned k, unsigned n_args,
				   unsigned lane)
{
	uint64_t v = 0;
	const unsigned n = exec_arg_count(x, i);
	if (n >= n_args)
		exec_arg_read(x, i, n - n_args + k, lane, &v, sizeof v);
	return v;
}

/* The fault of a lane that handed over a bad address. */
void builtin_bad_address(struct exec *x, unsigned lane, uint64_t address, const char *what);

#endif

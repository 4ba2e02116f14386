/* Scopes of the source, as the debug information has them: functions, what is inlined into them, blocks. */
#ifndef DEBUG_VIEW_SCOPE_H
#define DEBUG_VIEW_SCOPE_H

#include <stdbool.h>
#include <stdint.h>

struct ctype;
struct cvar;

struct cscope_piece {
	uint32_t first, end; /* instruction indices */
};

/* A function, a function inlined into it, or a block of one. */
struct cscope {
	const struct cscope *parent, *child, *next; /* next: of the same parent */
	const struct cscope_piece *pieces;
	uint32_t n_pieces;
	const struct cvar *vars; /* parameters first, then in the order of their declarations */
	uint32_t n_vars;
	bool is_function, is_inlined;
	bool is_apart;		       /* inlined: it has a frame of its own */
	const char *name;	       /* of the function, in the source */
	const char *linkage;	       /* inlined: its mangled name, or `name` */
	uint32_t call_file, call_line; /* inlined: place of the call; line 0: unknown */
	const struct ctype *result;
};

#endif

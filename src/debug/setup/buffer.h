/* Named, typed device buffers: the debugger's way to give a kernel its data and to look at what it made. */
#ifndef DEBUG_BUFFER_H
#define DEBUG_BUFFER_H

#include "debug/debug.h"

struct debug_buffer {
	char *name;
	enum isa_type type; /* of an element */
	const struct ctype
		*c; /* of the whole, an array of the source's types; then `type` is u8. NULL: it is one of numbers */
	uint64_t count;	  /* elements */
	uint64_t address; /* device address */
	bool initialised; /* with what `buffer` said, by `set`, or perhaps by a process that has it, too */
	const char *kind; /* of what a program allocated: device, managed, ...; NULL: made with `buffer` */
	uint64_t caller;  /* the program's code that did, or 0 */
};
/* What a program allocates has a name in expressions, and bytes; forgotten when it is freed. `kind` outlives it. */
void debug_buffer_adopt(struct debug *d, const char *name, uint64_t address, uint64_t bytes, const char *kind, uint64_t caller);
void debug_buffer_forget(struct debug *d, uint64_t address);
/* Returns true if the name is one that a program's allocations get: `alloc_` and a number. */
bool debug_is_allocation_name(const char *name, size_t n);
size_t debug_buffer_count(const struct debug *d);
const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i); /* in order of making */
const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n);

uint64_t debug_buffer_bytes(const struct debug_buffer *b);
void debug_buffer_type(const struct debug_buffer *b, struct text *out); /* `f32[100]`, `Stats[16]` */

/* `NAME TYPE[COUNT] [= INIT]`. Making one that exists again frees the old one first. No output when it worked. */
debug_answer_fn debug_cmd_buffer;
debug_answer_fn debug_cmd_struct;	       /* NAME {TYPE FIELD, ...}: a type for buffers and arguments (layout.c) */
debug_answer_fn debug_cmd_delete_buffer; /* NAME */
/* What a program asks before it takes a variable in (isa_program's `refuse`). */
bool debug_refuse_variable(void *debug, const char *name, const char *plain, struct text *why);
debug_answer_fn debug_cmd_save; /* NAME FILE; NAME may be a slice NAME[A..B] */
debug_answer_fn
	debug_cmd_compare; /* NAME FILE [ABS [REL]]; false when they differ: `out` then lists the first differences */

#endif

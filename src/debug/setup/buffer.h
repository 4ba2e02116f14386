/* Named, typed device buffers: the debugger's way to give a kernel its data and to look at what it made. */
#ifndef DEBUG_BUFFER_H
#define DEBUG_BUFFER_H

#include "debug/debug.h"

struct debug_buffer {
	char *name;
	enum isa_type type; /* of an element */
	const struct ctype
		*c; /* type of the whole, an array of the source's types; then `type` is u8. NULL: an array of numbers */
	uint64_t count;	  /* elements */
	uint64_t address; /* device address */
	bool initialised; /* by `buffer`, by `set`, or possibly by a process that shares the memory */
	const char *kind; /* kind of a program's allocation: device, managed, ...; NULL: made with `buffer` */
	uint64_t caller;  /* return address in the program's code that allocated it, or 0 */
};
/* Adds a buffer of u8 for a program's allocation, so that expressions know its name; host and managed memory counts as initialised. `kind` must
 * outlive the buffer, `name` is copied. caller: return address of the allocating call. */
void debug_buffer_adopt(struct debug *d, const char *name, uint64_t address, uint64_t bytes, const char *kind, uint64_t caller);
/* Removes the newest buffer of a program's allocation at an address, if there is one. */
void debug_buffer_forget(struct debug *d, uint64_t address);
/* Returns true if the name is one that a program's allocations get: `alloc_` and a number. */
bool debug_is_allocation_name(const char *name, size_t n);
/* Returns the number of buffers. */
size_t debug_buffer_count(const struct debug *d);
/* Returns buffer number `i` of the list. Returns NULL if `i` is out of range. Valid until the list changes. */
const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i);
/* Returns the buffer whose name is the n bytes at `name`; NULL if there is none. Valid until the list changes. */
const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n);

/* Returns the size of a buffer in bytes. */
uint64_t debug_buffer_bytes(const struct debug_buffer *b);
/* Appends the type of a buffer: `f32[100]`, `Stats[16]`. */
void debug_buffer_type(const struct debug_buffer *b, struct text *out);

/* Marks buffer number `at` as initialised, and keeps the change for going back in time. Does nothing if it is marked. */
void buffers_note_initialised(struct debug *d, size_t at);

/* Runs `buffer NAME TYPE[COUNT] [= INIT]`. If the buffer exists already, the older one is freed. */
debug_answer_fn debug_cmd_buffer;
/* Runs `struct NAME {TYPE FIELD, ...}`: defines a type for buffers and arguments (layout.c). */
debug_answer_fn debug_cmd_struct;	/* NAME {TYPE FIELD, ...}: a type for buffers and arguments (layout.c) */
/* Runs `delete buffer NAME`. Fails for a program's allocation. */
debug_answer_fn debug_cmd_delete_buffer;
/* Returns true, with an error in `why`, if a buffer would hide a variable to be loaded (isa_program's `refuse`). `debug` is the struct debug. */
bool debug_refuse_variable(void *debug, const char *name, const char *plain, struct text *why);
/* Runs `save NAME FILE`; NAME may be a slice NAME[A..B]. */
debug_answer_fn debug_cmd_save;
/* Runs `compare NAME FILE [ABS [REL]]`. Fails if the contents differ; the answer then lists the first differences. */
debug_answer_fn debug_cmd_compare;

#endif

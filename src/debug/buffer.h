/* Named, typed device buffers: the debugger's way to give a kernel its data and to look at what it made. */
#ifndef DEBUG_BUFFER_H
#define DEBUG_BUFFER_H

#include "debug/debug.h"

struct debug_buffer {
	char *name;
	enum isa_type type;
	uint64_t count;	  /* elements */
	uint64_t address; /* device address */
	bool initialised;
};
size_t debug_buffer_count(const struct debug *d);
const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i); /* in order of making */
const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n);

/* `NAME TYPE[COUNT] [= INIT]`. Making one that exists again frees the old one first. No output when it worked. */
debug_text_fn debug_cmd_buffer;
debug_text_fn debug_cmd_save; /* NAME FILE; NAME may be a slice NAME[A..B] */
debug_text_fn
	debug_cmd_compare; /* NAME FILE [ABS [REL]]; false when they differ: `out` then lists the first differences */

#endif

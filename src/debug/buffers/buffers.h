/* The list of device buffers: names, types and places. */
#ifndef DEBUG_BUFFERS_H
#define DEBUG_BUFFERS_H

#include "debug/debug.h"
#include "isa/types.h"

struct debug_buffer {
	char *name;
	enum isa_type type; /* of an element */
	const struct ctype
		*c; /* type of the whole, an array of the source's types; then `type` is u8. NULL: an array of numbers */
	uint64_t count;	  /* elements */
	uint64_t bytes;
	uint64_t address; /* device address */
	bool initialised; /* by `buffer`, by `set`, or possibly by a process that shares the memory */
	const char *kind; /* kind of a program's allocation: device, managed, ...; NULL: made with `buffer` */
	uint64_t caller;  /* return address in the program's code that allocated it, or 0 */
	uint64_t handle;  /* of a texture or surface: its object's; 0: a buffer */
	uint8_t channels; /* of a texel; more than one: `c` is an array of texels, arrays of `type` */
	bool is_shared;	  /* the memory belongs to another buffer or surface */
};
/* Returns the number of buffers. */
size_t debug_buffer_count(const struct debug *d);
/* Returns buffer number `i` of the list, from 0. Returns NULL if `i` is out of range. Valid until the list changes. */
const struct debug_buffer *debug_buffer_at(const struct debug *d, size_t i);
/* Returns the buffer whose name is the n bytes at `name`; NULL if there is none. Valid until the list changes. */
const struct debug_buffer *debug_buffer_find(const struct debug *d, const char *name, size_t n);

/* Returns the size of a buffer in bytes. */
static inline uint64_t debug_buffer_bytes(const struct debug_buffer *b) { return b->bytes; }

/* ---- changing the list ---- */
/* Inserts a copy of *b at index `at` of the list, which then owns b->name, and keeps the change for going back in time. */
void buffers_insert(struct debug *d, size_t at, const struct debug_buffer *b);
/* Removes buffer number `at` from the list, frees its name, and keeps the change for going back in time. Device memory stays allocated. */
void buffers_remove(struct debug *d, size_t at);
/* Removes all buffers from the list, and keeps the changes for going back in time. Device memory stays allocated. */
void buffers_remove_all(struct debug *d);
/* Marks buffer number `at` as initialised, and keeps the change for going back in time. Does nothing if it is marked. */
void buffers_note_initialised(struct debug *d, size_t at);

/* ---- going back in time ---- */
struct buffer_change;
/* Returns the list's present state, which buffers_go_to can restore, and starts keeping changes to the list. The state may be NULL, and is valid
 * until buffers_forget_changes. */
struct buffer_change *buffers_state(struct debug *d);
/* Returns true if the list is in a state that buffers_state has returned. */
bool buffers_state_is(const struct debug *d, const struct buffer_change *state);
/* Undoes and redoes kept changes until the list is in a state that buffers_state has returned. Device memory stays as it is. */
void buffers_go_to(struct debug *d, struct buffer_change *state);
/* Frees the kept changes, and keeps none until buffers_state is called again. States returned before are invalid then. */
void buffers_forget_changes(struct debug *d);

#endif

/* Named, typed device buffers: the debugger's way to give a kernel its data and to look at what it made. */
#ifndef DEBUG_BUFFER_H
#define DEBUG_BUFFER_H

#include "debug/buffers/buffers.h"
#include "debug/debug.h"

/* Adds a buffer of u8 for a program's allocation, so that expressions know its name; host and managed memory counts as initialised. `name` is
 * copied, `kind` must outlive the buffer. `caller`: return address of the allocating call, or 0. */
void debug_buffer_adopt(struct debug *d, const char *name, uint64_t address, uint64_t bytes, const char *kind, uint64_t caller);
/* Removes the newest buffer of a program's allocation at an address from the list, if there is one. Device memory stays allocated. */
void debug_buffer_forget(struct debug *d, uint64_t address);
/* Appends the type of a buffer: `f32[100]`, `Stats[16]`. */
void debug_buffer_type(const struct debug_buffer *b, struct text *out);

/* Makes the buffer that `NAME TYPE[COUNT] [= INIT]` describes: allocates device memory and fills it. A buffer of that name is freed after the new one
 * was made, or before if there is no room otherwise. Returns NULL, with an error in `why`, if that fails. */
const struct debug_buffer *debug_buffer_define(struct debug *d, const char *text, struct text *why);
/* Defines the structure `NAME {TYPE FIELD, ...}` as a type for buffers and arguments. Returns false, with an error in `why`, if the text is none.
 * (layout.c) */
bool debug_struct_define(struct debug *d, const char *text, struct text *why);
/* Frees a buffer or texture. Returns false, with an error in `why`, if there is none of that name, if it is a program's allocation, or if another texture
 * shares its memory. */
bool debug_buffer_delete(struct debug *d, const char *name, size_t n, struct text *why);

struct init;
/* A buffer to be made. */
struct buffer_plan {
	const char *name; /* n_name characters */
	size_t n_name;
	/* NULL, or makes the texture object for texels at an address, and returns its handle; 0, with an error in `why`: that failed */
	uint64_t (*make_object)(struct debug *d, void *self, uint64_t address, struct text *why);
	void *self;
	uint8_t channels; /* of a texel; 0: no texture */
};
/* Allocates a buffer of what `f` fills, with the contents f->bytes if there are any, and puts it into the list. A buffer of that name is freed. Returns
 * false, with an error in `why`, if that fails. */
bool debug_buffer_make(struct debug *d, const struct buffer_plan *plan, struct init *f, struct text *why);
/* Frees the buffer or texture of a name, if there is one. */
void debug_buffer_remove(struct debug *d, const char *name, size_t n);
/* Returns true if a buffer may have the name of n bytes. Returns false, with an error in `why`, if a buffer of that name would hide another object.
 * Returns false, too, if the buffer that has the name can't be freed. */
bool debug_buffer_may_be_named(struct debug *d, const char *name, size_t n, struct text *why);
/* Returns true, with an error in `why`, if a buffer would hide a variable that is being loaded, `plain` being its name without mangling
 * (isa_program's `refuse`). `debug` is the struct debug. */
bool debug_refuse_variable(void *debug, const char *name, const char *plain, struct text *why);

#endif

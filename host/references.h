/* Texture and surface references: the .texref and .surfref variables of the program's modules, and what is bound to them. Both APIs have them.
 *
 * Their handles are addresses of struct host_reference; a program of the runtime has addresses of its own variables instead. */
#ifndef HOST_REFERENCES_H
#define HOST_REFERENCES_H

#include "host/arrays.h"
#include "host/host.h"
#include "host/texels.h"

enum host_bound { BOUND_TO_NOTHING, BOUND_TO_MEMORY, BOUND_TO_ROWS, BOUND_TO_ARRAY, BOUND_TO_MIPMAPS };

/* How it is read, as the driver API numbers it: only that sets it and asks for it. */
struct host_sampling {
	int address[3], filter, mipmap_filter;
	unsigned flags, anisotropy;
	float bias, least_level, most_level, border[4];
};

struct host_reference {
	struct host_module *module; /* NULL: it is of cuTexRefCreate */
	const void *symbol;	    /* the runtime's: the program's variable for it */
	char *name;
	bool is_surface, is_normalized; /* the runtime's: integers are read as parts of 1 */
	uint64_t variable;		/* on the device; 0: not looked for yet, or it is of no module */
	enum host_bound bound;
	const void *array; /* bound: an array or mipmaps */
	uint64_t at;	   /* bound: where texels begin */
	size_t offset;	   /* behind an address that textures may have */
	struct host_channels channels;
	struct host_sampling sampling;
	struct host_reference *next;
};

/* NULL: no memory. Of a module: there is its name. */
struct host_reference *host_reference_add(const struct host_reference *like);
/* A handle that may be none, of which kind: is it one? */
bool host_reference_is(const struct host_reference *r, bool is_surface);
/* By the program's variable, with its place on the device found; NULL: *error says why. */
struct host_reference *host_reference_of(const void *symbol, bool is_surface, int *error);
bool host_reference_is_symbol(const void *symbol, bool is_surface);
/* By its name in a module that the program has opened: one handle for each. */
int host_reference_named(struct host_module *m, const char *name, bool is_surface, struct host_reference **out);
void host_sampling_begin(struct host_reference *r); /* as a new one has it */
void host_reference_remove(struct host_reference *r);
void host_references_forget(const struct host_module *m); /* it is gone */
void host_references_reset(void);			  /* so is all that was on the device */
void host_references_lose(const void *array);		  /* an array or mipmaps: freed */

/* ---- binding (reference_bind.c): 0, or an error of the runtime's ---- */
/* offset: how far it is from an address that textures may have; NULL: it has to be 0. */
int host_bind_memory(struct host_reference *r, uint64_t at, uint64_t bytes, const struct host_channels *c,
		     size_t *offset);
int host_bind_rows(struct host_reference *r, const struct host_rows *rows, const struct host_channels *c,
		   size_t *offset);
/* c NULL: as the array has them. */
int host_bind_array(struct host_reference *r, const void *array, const struct host_channels *c);
int host_bind_mipmaps(struct host_reference *r, const void *mipmaps, const struct host_channels *c);
int host_unbind(struct host_reference *r);

#endif

/* Texture and surface references: the .texref and .surfref variables of the program's modules, and their bindings, for both APIs.
 *
 * Handles of the driver API are addresses of struct host_reference; programs of the runtime use the addresses of their own variables. */
#ifndef HOST_REFERENCES_H
#define HOST_REFERENCES_H

#include "host/memory/arrays.h"
#include "host/host.h"
#include "host/texture/texels.h"

enum host_bound { BOUND_TO_NOTHING, BOUND_TO_MEMORY, BOUND_TO_ROWS, BOUND_TO_ARRAY, BOUND_TO_MIPMAPS };

/* How a texture is sampled, with the driver API's numbers; only the driver API sets and reads it. */
struct host_sampling {
	int address[3], filter, mipmap_filter;
	unsigned flags, anisotropy;
	float bias, least_level, most_level, border[4];
};

struct host_reference {
	struct host_module *module; /* NULL: created by cuTexRefCreate */
	const void *symbol;	    /* of the runtime: the program's variable */
	char *name;
	bool is_surface, is_normalized; /* normalized: integers are read as fractions (of the runtime) */
	uint64_t variable;		/* address on the device; 0: not looked up so far, or of no module */
	enum host_bound bound;
	const void *array; /* bound array or mipmapped array */
	uint64_t at;	   /* bound: address of the texels */
	size_t offset;	   /* distance from an aligned address */
	struct host_channels channels;
	struct host_sampling sampling;
	struct host_reference *next;
};

/* Adds a reference with the contents of `like` and a copy of its name. Returns NULL if there isn't enough memory. */
struct host_reference *host_reference_add(const struct host_reference *like);
/* Returns whether `r` is a valid handle of the driver API of that kind; `r` may be any pointer. */
bool host_reference_is_handle(const struct host_reference *r, bool is_surface);
/* Returns a reference of the runtime by the program's variable, with its device address looked up. Returns NULL with *error. */
struct host_reference *host_reference_of(const void *symbol, bool is_surface, int *error);
/* Returns the reference of the runtime that belongs to a variable of the program; NULL if there is none of that kind. */
struct host_reference *host_reference_by_symbol(const void *symbol, bool is_surface);
/* Returns the existing handle of the driver API with the module, name and kind of `like`, or adds it. Returns NULL if there isn't enough memory. */
struct host_reference *host_reference_share(const struct host_reference *like);
/* Gets the reference of a module by name; each name has one handle. Returns 0 or an error. */
int host_reference_named(struct host_module *m, const char *name, bool is_surface, struct host_reference **out);
/* Sets the format and sampling of a new reference. */
void host_sampling_init(struct host_reference *r);
/* Removes and frees a reference. */
void host_reference_remove(struct host_reference *r);
/* Removes and frees all references of module `m`. */
void host_references_remove_module(const struct host_module *m);
/* Unbinds references of the runtime and removes those of the driver API, after a reset. */
void host_references_reset(void);
/* Unbinds all references to a freed array or mipmapped array. */
void host_references_unbind_array(const void *array);

/* ---- binding (reference_bind.c) ---- */
/* Binds a reference to linear memory. offset: gets the distance from an aligned address; NULL: it must be 0. Returns 0 or a runtime error. */
int host_bind_memory(struct host_reference *r, uint64_t at, uint64_t bytes, const struct host_channels *c,
		     size_t *offset);
/* Binds a reference to rows with a pitch. offset: gets the distance from an aligned address; NULL: it must be 0. Returns 0 or a runtime error. */
int host_bind_rows(struct host_reference *r, const struct host_rows *rows, const struct host_channels *c,
		   size_t *offset);
/* Binds a reference to an array. c NULL: the array's channels. Returns 0 or a runtime error. */
int host_bind_array(struct host_reference *r, const void *array, const struct host_channels *c);
/* Binds a reference to a mipmapped array. c NULL: the array's channels. Returns 0 or a runtime error. */
int host_bind_mipmaps(struct host_reference *r, const void *mipmaps, const struct host_channels *c);
/* Unbinds a reference. Returns 0 or a runtime error. */
int host_unbind(struct host_reference *r);

#endif

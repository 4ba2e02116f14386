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

/* Flags of host_sampling: CU_TRSF_READ_AS_INTEGER, CU_TRSF_NORMALIZED_COORDINATES, CU_TRSF_SRGB. */
enum { HOST_READ_AS_INTEGER = 1, HOST_READ_NORMALIZED = 2, HOST_READ_SRGB = 0x10 };

/* The beginning of struct textureReference, the program's variable. */
struct host_texture_variable {
	int normalized, filter, address[3];
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
	struct gpu_texels texels; /* bound: the description for the device */
	struct host_channels channels;
	struct host_sampling sampling;
	struct host_reference *next;
};

/* Adds a reference with the members of `like`, and a copy of its name, to the process' list. Returns it, or NULL if there isn't enough memory. */
struct host_reference *host_reference_add(const struct host_reference *like);
/* Returns whether `r`, which may be any pointer, is a listed reference of that kind and of the driver API: one without a program variable. */
bool host_reference_is_handle(const struct host_reference *r, bool is_surface);
/* Returns the reference that belongs to the program's variable `symbol`, with its device address looked up if needed and *error 0. Returns NULL with
 * *error: cudaErrorInvalidTexture or cudaErrorInvalidSurface if there is none of that kind, or another error. */
struct host_reference *host_reference_of(const void *symbol, bool is_surface, int *error);
/* Returns the reference of that kind that belongs to the program's variable `symbol`; NULL if there is none, or `symbol` is NULL. */
struct host_reference *host_reference_by_symbol(const void *symbol, bool is_surface);
/* Returns the driver API's reference with the module, name and kind of `like`; if there is none, adds a copy of `like`. Returns NULL if there isn't
 * enough memory. */
struct host_reference *host_reference_share(const struct host_reference *like);
/* Stores the driver API's handle of reference `name` of a module in *out; creates it at the first call, later returns the same. Returns 0,
 * cudaErrorSymbolNotFound if the module has no such reference of that kind, or another error. */
int host_reference_named(struct host_module *m, const char *name, bool is_surface, struct host_reference **out);
/* Sets the channels of `r` to one 32-bit float and its sampling to clamped addresses and point filtering. */
void host_sampling_init(struct host_reference *r);
/* Removes `r` from the list and frees it; its variable on the device stays as it is. Does nothing if `r`, which may be any pointer, isn't in the
 * list. */
void host_reference_remove(struct host_reference *r);
/* Removes and frees all references of module `m`. Does nothing if `m` is NULL. */
void host_references_remove_module(const struct host_module *m);
/* Removes and frees the driver API's references, after a reset. Marks those of program variables as unbound and their device addresses as unknown. */
void host_references_reset(void);
/* Marks all references that are bound to array or mipmapped array `array` as unbound, when that is freed. Leaves the device's variables unchanged. */
void host_references_unbind_array(const void *array);

/* ---- binding (reference_bind.c) ---- */
/* Binds `r`, here and on the device, to `bytes` bytes (HOST_ALL_BYTES: no limit) at `at` with channels `c`. *offset gets the distance from an aligned
 * address; if `offset` is NULL, a distance is an error. Returns 0 or a runtime error; after a failed check `r` is unchanged. */
int host_bind_memory(struct host_reference *r, uint64_t at, uint64_t bytes, const struct host_channels *c,
		     size_t *offset);
/* Binds `r`, here and on the device, to rows with a pitch, with channels `c`. *offset gets the distance from an aligned address; if `offset` is NULL,
 * a distance is an error. Returns 0 or a runtime error; after a failed check `r` is unchanged. */
int host_bind_rows(struct host_reference *r, const struct host_rows *rows, const struct host_channels *c,
		   size_t *offset);
/* Binds `r`, here and on the device, to an array with channels `c`, or the array's own if `c` is NULL. Returns cudaErrorInvalidValue if `array` is no
 * array, or allows no surfaces for a surface reference. Returns cudaErrorInvalidChannelDescriptor for impossible channels, an error if the call can't
 * be sent, else 0. */
int host_bind_array(struct host_reference *r, const void *array, const struct host_channels *c);
/* Binds `r`, here and on the device, to a mipmapped array with channels `c`, or the array's own if `c` is NULL. Returns cudaErrorInvalidValue if
 * `mipmaps` is no mipmapped array, or allows no surfaces for a surface reference. Returns cudaErrorInvalidChannelDescriptor for impossible channels,
 * an error if the call can't be sent, else 0. */
int host_bind_mipmaps(struct host_reference *r, const void *mipmaps, const struct host_channels *c);
/* Sends the binding and the sampling of `r` to the device without waiting. Does nothing if r->variable is 0, as for references of no module. Returns
 * 0, or an error if the call can't be sent. */
int host_reference_send(const struct host_reference *r);
/* Unbinds `r`, here and on the device; its channels stay. Returns 0, or an error if the call can't be sent, with `r` unbound here all the same. */
int host_unbind(struct host_reference *r);

#endif

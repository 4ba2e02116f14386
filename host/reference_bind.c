/* Texture and surface references: binding them to memory and arrays, as far as the device takes it. */
#include "host/references.h"

/* cudaDevAttr... */
enum { ALIGNMENT = 14, PITCH_ALIGNMENT = 51, WIDTH_MOST = 69, ROWS_WIDTH_MOST, ROWS_HEIGHT_MOST, ROWS_PITCH_MOST };

struct pointer { /* cudaPointerAttributes */
	int type, device;
	void *on_device, *on_host;
};
int ws_cudaPointerGetAttributes(struct pointer *a, const void *p);

static uint64_t attribute(int k) { return (uint64_t)host_device()->attribute[k]; }

static int bind(struct host_reference *r, const struct host_reference *to)
{
	r->bound = to->bound;
	r->array = to->array;
	r->at = to->at;
	r->offset = to->offset;
	r->channels = to->channels;
	return r->variable ? call_reference_bind(&(struct call_reference_bind){r->variable, r->at}, NULL, 0, NULL) : 0;
}

int host_unbind(struct host_reference *r)
{
	return bind(r, &(struct host_reference){.bound = BOUND_TO_NOTHING, .channels = r->channels});
}

/* The address as textures may have it, and the rest. */
static int place(struct host_reference *to, uint64_t at, size_t *offset)
{
	struct pointer p;
	const int error = ws_cudaPointerGetAttributes(&p, (const void *)(uintptr_t)at);
	if (error || !p.type)
		return error ? error : cudaErrorInvalidValue;
	to->at = at;
	to->offset = (uint64_t)(uintptr_t)p.on_device % attribute(ALIGNMENT);
	if (to->offset && !offset)
		return cudaErrorInvalidValue;
	if (offset)
		*offset = to->offset;
	return 0;
}

int host_bind_memory(struct host_reference *r, uint64_t at, uint64_t bytes, const struct host_channels *c,
		     size_t *offset)
{
	struct host_reference to = {.bound = BOUND_TO_MEMORY, .channels = *c};
	const uint32_t texel = host_texel_bytes(c);
	if (!texel)
		return cudaErrorInvalidChannelDescriptor;
	if (bytes != HOST_ALL_BYTES && bytes / texel > attribute(WIDTH_MOST))
		return cudaErrorInvalidValue;
	const int error = place(&to, at, offset);
	return error ? error : bind(r, &to);
}

static int check_rows(const struct host_rows *rows, uint32_t texel)
{
	if (!rows->width || !rows->height || rows->width > attribute(ROWS_WIDTH_MOST) ||
	    rows->height > attribute(ROWS_HEIGHT_MOST) || rows->pitch > attribute(ROWS_PITCH_MOST))
		return cudaErrorInvalidValue;
	if (rows->pitch < rows->width * texel || (!rows->any_pitch && rows->pitch % attribute(PITCH_ALIGNMENT)))
		return cudaErrorInvalidValue;
	return 0;
}

int host_bind_rows(struct host_reference *r, const struct host_rows *rows, const struct host_channels *c,
		   size_t *offset)
{
	struct host_reference to = {.bound = BOUND_TO_ROWS, .channels = *c};
	const uint32_t texel = host_texel_bytes(c);
	int error = texel ? check_rows(rows, texel) : cudaErrorInvalidChannelDescriptor;
	if (!error)
		error = place(&to, rows->at, offset);
	return error ? error : bind(r, &to);
}

static int bind_array(struct host_reference *r, enum host_bound how, const void *handle, const struct host_array *a,
		      const struct host_channels *c)
{
	if (!a)
		return cudaErrorInvalidValue;
	if (!c)
		c = &a->channels;
	if (!host_texel_bytes(c))
		return cudaErrorInvalidChannelDescriptor;
	if (r->is_surface && !(a->flags & HOST_ARRAY_SURFACE))
		return cudaErrorInvalidValue;
	return bind(r, &(struct host_reference){.bound = how, .array = handle, .at = a->at, .channels = *c});
}

int host_bind_array(struct host_reference *r, const void *array, const struct host_channels *c)
{
	return bind_array(r, BOUND_TO_ARRAY, array, host_array_of(array), c);
}

int host_bind_mipmaps(struct host_reference *r, const void *mipmaps, const struct host_channels *c)
{
	return bind_array(r, BOUND_TO_MIPMAPS, mipmaps, host_mipmaps_of(mipmaps), c);
}

/* Texture and surface references: binds them to memory and arrays. */
#include "host/texture/references.h"

static int set_binding(struct host_reference *r, const struct host_reference *to)
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
	return set_binding(r, &(struct host_reference){.bound = BOUND_TO_NOTHING, .channels = r->channels});
}

int host_bind_memory(struct host_reference *r, uint64_t at, uint64_t bytes, const struct host_channels *c,
		     size_t *offset)
{
	struct host_reference to = {.bound = BOUND_TO_MEMORY, .at = at, .channels = *c};
	const int error = host_check_texels(at, bytes, c, &to.offset, offset);
	return error ? error : set_binding(r, &to);
}

int host_bind_rows(struct host_reference *r, const struct host_rows *rows, const struct host_channels *c,
		   size_t *offset)
{
	struct host_reference to = {.bound = BOUND_TO_ROWS, .at = rows->at, .channels = *c};
	const int error = host_check_rows(rows, c, &to.offset, offset);
	return error ? error : set_binding(r, &to);
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
	return set_binding(r, &(struct host_reference){.bound = how, .array = handle, .at = a->at, .channels = *c});
}

int host_bind_array(struct host_reference *r, const void *array, const struct host_channels *c)
{
	return bind_array(r, BOUND_TO_ARRAY, array, host_array_of(array), c);
}

int host_bind_mipmaps(struct host_reference *r, const void *mipmaps, const struct host_channels *c)
{
	return bind_array(r, BOUND_TO_MIPMAPS, mipmaps, host_mipmaps_of(mipmaps), c);
}

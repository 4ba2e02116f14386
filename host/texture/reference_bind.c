/* Texture and surface references: binds them to memory and arrays. */
#include "host/texture/references.h"
#include "host/texture/textures.h"

/* Returns how the texture is sampled: as its reference of the driver API says, or the program's variable. */
static struct gpu_sampler sampler_of(const struct host_reference *r)
{
	const struct host_sampling *s = &r->sampling;
	const struct host_texture_variable *t = r->symbol;
	if (t && !r->is_surface)
		return (struct gpu_sampler){.address = {t->address[0], t->address[1], t->address[2]},
					    .filter = t->filter,
					    .reads_normalized = r->is_normalized,
					    .normalized = t->normalized};
	return (struct gpu_sampler){.address = {s->address[0], s->address[1], s->address[2]},
				    .filter = s->filter,
				    .reads_normalized = !(s->flags & HOST_READ_AS_INTEGER),
				    .srgb = !!(s->flags & HOST_READ_SRGB),
				    .border = {s->border[0], s->border[1], s->border[2], s->border[3]},
				    .normalized = !!(s->flags & HOST_READ_NORMALIZED),
				    .anisotropy = s->anisotropy,
				    .mipmap_filter = s->mipmap_filter,
				    .bias = s->bias,
				    .least_level = s->least_level,
				    .most_level = s->most_level};
}

int host_reference_send(const struct host_reference *r)
{
	if (!r->variable)
		return 0;
	const struct call_texture_bind bind = {
		{.variable = r->variable, .is_surface = r->is_surface, .texels = r->texels, .sampler = sampler_of(r)}};
	return call_texture_bind(&bind, NULL, 0, NULL);
}

static int set_binding(struct host_reference *r, const struct host_reference *to)
{
	r->bound = to->bound;
	r->array = to->array;
	r->at = to->at;
	r->offset = to->offset;
	r->channels = to->channels;
	r->texels = to->texels;
	return host_reference_send(r);
}

int host_unbind(struct host_reference *r)
{
	return set_binding(r, &(struct host_reference){.bound = BOUND_TO_NOTHING, .channels = r->channels});
}

int host_bind_memory(struct host_reference *r, uint64_t at, uint64_t bytes, const struct host_channels *c,
		     size_t *offset)
{
	const struct host_rows row = {.at = at, .width = bytes};
	struct host_reference to = {
		.bound = BOUND_TO_MEMORY, .at = at, .channels = *c, .texels = host_memory_texels(GPU_TEXELS_MEMORY, &row, c)};
	const int error = host_check_texels(at, bytes, c, &to.offset, offset);
	return error ? error : set_binding(r, &to);
}

int host_bind_rows(struct host_reference *r, const struct host_rows *rows, const struct host_channels *c,
		   size_t *offset)
{
	struct host_reference to = {
		.bound = BOUND_TO_ROWS, .at = rows->at, .channels = *c, .texels = host_memory_texels(GPU_TEXELS_ROWS, rows, c)};
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
	const uint32_t kind = how == BOUND_TO_ARRAY ? GPU_TEXELS_ARRAY : GPU_TEXELS_MIPMAPS;
	return set_binding(r, &(struct host_reference){.bound = how,
						       .array = handle,
						       .at = a->at,
						       .channels = *c,
						       .texels = host_array_texels(kind, handle, c)});
}

int host_bind_array(struct host_reference *r, const void *array, const struct host_channels *c)
{
	return bind_array(r, BOUND_TO_ARRAY, array, host_array_of(array), c);
}

int host_bind_mipmaps(struct host_reference *r, const void *mipmaps, const struct host_channels *c)
{
	return bind_array(r, BOUND_TO_MIPMAPS, mipmaps, host_mipmaps_of(mipmaps), c);
}

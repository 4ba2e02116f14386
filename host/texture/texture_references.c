/* Calls of the runtime for texture and surface references, of toolkits before 12, which name a reference by the program's variable. */
#include "host/texture/references.h"

#define FLOAT 2 /* cudaChannelFormatKind */
#define LINEAR_FILTER 1

/* Returns 0 if the channels can be read as the texture says: only floats, or integers read as floats, are interpolated; only short integers are read
 * as floats. */
static int check_reading(const struct host_reference *r, const struct host_channels *c, bool has_filter)
{
	const struct host_texture_variable *t = r->symbol;
	if (c->format == FLOAT)
		return 0;
	if (r->is_normalized)
		return c->bits[0] == 32 ? cudaErrorInvalidNormSetting : 0;
	return has_filter && t->filter == LINEAR_FILTER ? cudaErrorInvalidFilterSetting : 0;
}

/* Returns a texture reference after checking its channels; *error: the reason if it can't be used. */
static struct host_reference *texture_of(const void *symbol, const struct host_channels *c, bool has_filter, int *error)
{
	*error = host_enter();
	struct host_reference *r = *error ? NULL : host_reference_of(symbol, false, error);
	if (!*error && !c)
		*error = cudaErrorInvalidValue;
	if (!*error && !host_texel_bytes(c))
		*error = cudaErrorInvalidChannelDescriptor;
	if (!*error)
		*error = check_reading(r, c, has_filter);
	return r;
}

API(cudaBindTexture)
(size_t *offset, const void *texture, const void *p, const struct host_channels *c, size_t bytes)
{
	int error;
	struct host_reference *r = texture_of(texture, c, false, &error);
	return host_leave(error ? error : host_bind_memory(r, (uint64_t)(uintptr_t)p, bytes, c, offset));
}

API(cudaBindTexture2D)
(size_t *offset, const void *texture, const void *p, const struct host_channels *c, size_t width, size_t height,
 size_t pitch)
{
	int error;
	struct host_reference *r = texture_of(texture, c, true, &error);
	const struct host_rows rows = {(uint64_t)(uintptr_t)p, width, height, pitch, false};
	return host_leave(error ? error : host_bind_rows(r, &rows, c, offset));
}

API(cudaBindTextureToArray)(const void *texture, const void *array, const struct host_channels *c)
{
	int error;
	struct host_reference *r = texture_of(texture, c, true, &error);
	return host_leave(error ? error : host_bind_array(r, array, c));
}

API(cudaBindTextureToMipmappedArray)(const void *texture, const void *mipmaps, const struct host_channels *c)
{
	int error;
	struct host_reference *r = texture_of(texture, c, true, &error);
	return host_leave(error ? error : host_bind_mipmaps(r, mipmaps, c));
}

API(cudaUnbindTexture)(const void *texture)
{
	int error = host_enter();
	struct host_reference *r = error ? NULL : host_reference_of(texture, false, &error);
	return host_leave(error ? error : host_unbind(r));
}

API(cudaGetTextureAlignmentOffset)(size_t *offset, const void *texture)
{
	int error = host_enter();
	const struct host_reference *r = error ? NULL : host_reference_of(texture, false, &error);
	if (!error)
		error = !offset			       ? cudaErrorInvalidValue
			: r->bound == BOUND_TO_NOTHING ? cudaErrorInvalidTextureBinding
						       : 0;
	if (!error)
		*offset = r->offset;
	return host_leave(error);
}

API(cudaGetTextureReference)(const void **texture, const void *symbol)
{
	if (!texture || !host_reference_by_symbol(symbol, false))
		return host_leave(texture ? cudaErrorInvalidTexture : cudaErrorInvalidValue);
	*texture = symbol;
	return host_leave(0);
}

API(cudaBindSurfaceToArray)(const void *surface, const void *array, const struct host_channels *c)
{
	int error = host_enter();
	struct host_reference *r = error ? NULL : host_reference_of(surface, true, &error);
	if (!error && !c)
		error = cudaErrorInvalidValue;
	return host_leave(error ? error : host_bind_array(r, array, c));
}

API(cudaGetSurfaceReference)(const void **surface, const void *symbol)
{
	if (!surface || !host_reference_by_symbol(symbol, true))
		return host_leave(surface ? cudaErrorInvalidSurface : cudaErrorInvalidValue);
	*surface = symbol;
	return host_leave(0);
}

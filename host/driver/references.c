/* Texture and surface references of the driver API: handles of a module's references, or of new ones. */
#include <string.h>

#include "host/driver/driver.h"
#include "host/texture/references.h"

enum { WRAP, CLAMP, MIRROR, BORDER }; /* CUaddress_mode */
enum { POINT, LINEAR };		      /* CUfilter_mode */
#define DIMENSIONS 3
#define FORMAT_FLOAT 0x20
#define OVERRIDE_FORMAT 1u /* CU_TRSA_OVERRIDE_FORMAT */
#define TEXUNIT_DEFAULT (-1)
/* CU_TRSF_: read as integer, normalized, sRGB, no trilinear optimization, seamless cubes */
#define FLAGS 0x73u

static int check_reference(const struct host_reference *r, bool is_surface)
{
	const int error = driver_enter();
	return error ? error : host_reference_is_handle(r, is_surface) ? 0 : cudaErrorInvalidValue;
}

/* Replaces errors that only the runtime has. */
static int as_driver(int error) { return error == cudaErrorInvalidChannelDescriptor ? cudaErrorInvalidValue : error; }

/* ---- handles ---- */

static int find_named(struct host_reference **r, struct host_module *m, const char *name, bool is_surface)
{
	const int error = r && name ? driver_enter() : cudaErrorInvalidValue;
	return error ? error : host_reference_named(m, name, is_surface, r);
}

DRIVER(cuModuleGetTexRef)(struct host_reference **r, struct host_module *m, const char *name)
{
	return find_named(r, m, name, false);
}

DRIVER(cuModuleGetSurfRef)(struct host_reference **r, struct host_module *m, const char *name)
{
	return find_named(r, m, name, true);
}

DRIVER(cuTexRefCreate)(struct host_reference **r)
{
	struct host_reference like = {0};
	const int error = r ? driver_enter() : cudaErrorInvalidValue;
	if (error)
		return error;
	host_sampling_init(&like);
	*r = host_reference_add(&like);
	return *r ? 0 : cudaErrorMemoryAllocation;
}

/* A module's references can't be destroyed separately. */
DRIVER(cuTexRefDestroy)(struct host_reference *r)
{
	const int error = check_reference(r, false);
	if (error || r->module)
		return error ? error : cudaErrorInvalidValue;
	host_reference_remove(r);
	return 0;
}

DRIVER(cuParamSetTexRef)(const void *function, int texunit, const struct host_reference *r)
{
	int error = check_reference(r, false);
	if (!error && texunit != TEXUNIT_DEFAULT)
		error = cudaErrorInvalidValue;
	if (!error)
		host_kernel_of(function, &error);
	return error;
}

/* ---- binding ---- */

DRIVER(cuTexRefSetArray)(struct host_reference *r, const void *array, unsigned flags)
{
	const int error = check_reference(r, false);
	if (error || flags != OVERRIDE_FORMAT)
		return error ? error : cudaErrorInvalidValue;
	return as_driver(AS_DRIVER(host_bind_array(r, array, NULL)));
}

DRIVER(cuTexRefSetMipmappedArray)(struct host_reference *r, const void *mipmaps, unsigned flags)
{
	const int error = check_reference(r, false);
	if (error || flags != OVERRIDE_FORMAT)
		return error ? error : cudaErrorInvalidValue;
	return as_driver(AS_DRIVER(host_bind_mipmaps(r, mipmaps, NULL)));
}

/* Address 0 with 0 bytes unbinds the reference, as cudaUnbindTexture does. */
DRIVER(cuTexRefSetAddress_v2)(size_t *offset, struct host_reference *r, uint64_t at, size_t bytes)
{
	const int error = check_reference(r, false);
	if (error)
		return error;
	if (!at && !bytes)
		return host_unbind(r);
	if (bytes == HOST_ALL_BYTES) /* an actual size here, not "all" */
		return cudaErrorInvalidValue;
	return as_driver(AS_DRIVER(host_bind_memory(r, at, bytes, &r->channels, offset)));
}

struct descriptor { /* CUDA_ARRAY_DESCRIPTOR */
	size_t width, height;
	unsigned format, channels;
};
static int set_rows(struct host_reference *r, const struct descriptor *d, uint64_t at, size_t pitch, bool any_pitch)
{
	struct host_channels c;
	const int error = check_reference(r, false);
	if (error || !d || !host_driver_channels(d->format, d->channels, &c))
		return error ? error : cudaErrorInvalidValue;
	const struct host_rows rows = {at, d->width, d->height, pitch, any_pitch};
	return as_driver(AS_DRIVER(host_bind_rows(r, &rows, &c, NULL)));
}

DRIVER(cuTexRefSetAddress2D_v3)(struct host_reference *r, const struct descriptor *d, uint64_t at, size_t pitch)
{
	return set_rows(r, d, at, pitch, false);
}

DRIVER(cuTexRefSetAddress2D_v2)(struct host_reference *r, const struct descriptor *d, uint64_t at, size_t pitch)
{
	return set_rows(r, d, at, pitch, true);
}

DRIVER(cuTexRefGetAddress_v2)(uint64_t *at, const struct host_reference *r)
{
	const int error = at ? check_reference(r, false) : cudaErrorInvalidValue;
	if (error || (r->bound != BOUND_TO_MEMORY && r->bound != BOUND_TO_ROWS))
		return error ? error : cudaErrorInvalidValue;
	*at = r->at;
	return 0;
}

static int get_array(const void **array, const struct host_reference *r, bool is_surface, enum host_bound how)
{
	const int error = array ? check_reference(r, is_surface) : cudaErrorInvalidValue;
	if (error || r->bound != how)
		return error ? error : cudaErrorInvalidValue;
	*array = r->array;
	return 0;
}

DRIVER(cuTexRefGetArray)(const void **array, const struct host_reference *r)
{
	return get_array(array, r, false, BOUND_TO_ARRAY);
}

DRIVER(cuTexRefGetMipmappedArray)(const void **mipmaps, const struct host_reference *r)
{
	return get_array(mipmaps, r, false, BOUND_TO_MIPMAPS);
}

DRIVER(cuSurfRefSetArray)(struct host_reference *r, const void *array, unsigned flags)
{
	const int error = check_reference(r, true);
	if (error || flags)
		return error ? error : cudaErrorInvalidValue;
	return as_driver(AS_DRIVER(host_bind_array(r, array, NULL)));
}

DRIVER(cuSurfRefGetArray)(const void **array, const struct host_reference *r)
{
	return get_array(array, r, true, BOUND_TO_ARRAY);
}

/* ---- sampling ---- */

/* The format of bound rows can't change: their width is in texels. */
DRIVER(cuTexRefSetFormat)(struct host_reference *r, unsigned format, int n)
{
	struct host_channels c;
	const int error = check_reference(r, false);
	if (error || r->bound == BOUND_TO_ROWS || !host_driver_channels(format, (unsigned)n, &c))
		return error ? error : cudaErrorInvalidValue;
	r->channels = c;
	return 0;
}

DRIVER(cuTexRefGetFormat)(unsigned *format, int *n, const struct host_reference *r)
{
	unsigned f, channels;
	const int error = check_reference(r, false);
	if (error || !host_driver_format(&r->channels, &f, &channels))
		return error ? error : cudaErrorInvalidValue;
	if (format)
		*format = f;
	if (n)
		*n = (int)channels;
	return 0;
}

/* Passes changed sampling to the device if the reference is bound. Returns 0 or a driver error. */
static int send_sampling(const struct host_reference *r) { return r->bound ? AS_DRIVER(host_reference_send(r)) : 0; }

DRIVER(cuTexRefSetAddressMode)(struct host_reference *r, int dimension, int mode)
{
	const int error = check_reference(r, false);
	if (error || dimension < 0 || dimension >= DIMENSIONS || mode < WRAP || mode > BORDER)
		return error ? error : cudaErrorInvalidValue;
	r->sampling.address[dimension] = mode;
	return send_sampling(r);
}

DRIVER(cuTexRefGetAddressMode)(int *mode, const struct host_reference *r, int dimension)
{
	const int error = mode ? check_reference(r, false) : cudaErrorInvalidValue;
	if (error || dimension < 0 || dimension >= DIMENSIONS)
		return error ? error : cudaErrorInvalidValue;
	*mode = r->sampling.address[dimension];
	return 0;
}

/* A property with a single value, and its condition. */
#define PROPERTY(name, type, as, field, may) \
	DRIVER(cuTexRefSet##name)(struct host_reference * r, type value) \
	{ \
		const int error = check_reference(r, false); \
		if (error || !(may)) \
			return error ? error : cudaErrorInvalidValue; \
		r->sampling.field = value; \
		return send_sampling(r); \
	} \
	DRIVER(cuTexRefGet##name)(as * value, const struct host_reference *r) \
	{ \
		const int error = value ? check_reference(r, false) : cudaErrorInvalidValue; \
		if (!error) \
			*value = (as)r->sampling.field; \
		return error; \
	}
PROPERTY(FilterMode, int, int, filter, value == POINT || value == LINEAR)
PROPERTY(MipmapFilterMode, int, int, mipmap_filter, value == POINT || value == LINEAR)
PROPERTY(MipmapLevelBias, float, float, bias, true)
PROPERTY(MaxAnisotropy, unsigned, int, anisotropy, true)
PROPERTY(Flags, unsigned, unsigned, flags, !(value & ~FLAGS))

DRIVER(cuTexRefSetMipmapLevelClamp)(struct host_reference *r, float least, float most)
{
	const int error = check_reference(r, false);
	if (error)
		return error;
	r->sampling.least_level = least;
	r->sampling.most_level = most;
	return send_sampling(r);
}

DRIVER(cuTexRefGetMipmapLevelClamp)(float *least, float *most, const struct host_reference *r)
{
	const int error = least && most ? check_reference(r, false) : cudaErrorInvalidValue;
	if (error)
		return error;
	*least = r->sampling.least_level;
	*most = r->sampling.most_level;
	return 0;
}

/* A border color needs a dimension with address mode `border`. */
DRIVER(cuTexRefSetBorderColor)(struct host_reference *r, const float color[4])
{
	const int error = color ? check_reference(r, false) : cudaErrorInvalidValue;
	if (error)
		return error;
	const int *mode = r->sampling.address;
	if (mode[0] != BORDER && mode[1] != BORDER && mode[2] != BORDER)
		return cudaErrorInvalidValue;
	memcpy(r->sampling.border, color, sizeof r->sampling.border);
	return send_sampling(r);
}

DRIVER(cuTexRefGetBorderColor)(float color[4], const struct host_reference *r)
{
	const int error = color ? check_reference(r, false) : cudaErrorInvalidValue;
	if (!error)
		memcpy(color, r->sampling.border, sizeof r->sampling.border);
	return error;
}

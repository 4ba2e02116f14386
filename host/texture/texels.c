/* Checks memory that textures read against the device's limits. */
#include "host/texture/texels.h"

#include "host/host.h"

/* cudaDevAttr... */
enum { ALIGNMENT = 14, PITCH_ALIGNMENT = 51, WIDTH_MOST = 69, ROWS_WIDTH_MOST, ROWS_HEIGHT_MOST, ROWS_PITCH_MOST };

struct pointer { /* cudaPointerAttributes */
	int type, device;
	void *on_device, *on_host;
};
int ws_cudaPointerGetAttributes(struct pointer *a, const void *p);

static uint64_t device_attribute(int k) { return (uint64_t)host_device()->attribute[k]; }

static int check_place(uint64_t at, size_t *offset, size_t *out_offset)
{
	struct pointer p;
	const int error = ws_cudaPointerGetAttributes(&p, (const void *)(uintptr_t)at);
	if (error || !p.type)
		return error ? error : cudaErrorInvalidValue;
	*offset = (uint64_t)(uintptr_t)p.on_device % device_attribute(ALIGNMENT);
	if (*offset && !out_offset)
		return cudaErrorInvalidValue;
	if (out_offset)
		*out_offset = *offset;
	return 0;
}

int host_check_texels(uint64_t at, uint64_t bytes, const struct host_channels *c, size_t *offset, size_t *out_offset)
{
	const uint32_t texel = host_texel_bytes(c);
	if (!texel)
		return cudaErrorInvalidChannelDescriptor;
	if (bytes != HOST_ALL_BYTES && bytes / texel > device_attribute(WIDTH_MOST))
		return cudaErrorInvalidValue;
	return check_place(at, offset, out_offset);
}

int host_check_rows(const struct host_rows *rows, const struct host_channels *c, size_t *offset, size_t *out_offset)
{
	const uint32_t texel = host_texel_bytes(c);
	if (!texel)
		return cudaErrorInvalidChannelDescriptor;
	if (!rows->width || !rows->height || rows->width > device_attribute(ROWS_WIDTH_MOST) ||
	    rows->height > device_attribute(ROWS_HEIGHT_MOST) || rows->pitch > device_attribute(ROWS_PITCH_MOST))
		return cudaErrorInvalidValue;
	if (rows->pitch < rows->width * texel || (!rows->any_pitch && rows->pitch % device_attribute(PITCH_ALIGNMENT)))
		return cudaErrorInvalidValue;
	return check_place(rows->at, offset, out_offset);
}

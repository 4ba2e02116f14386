/* Limits of arrays' extents, by shape, flags and device. */
#include "host/memory/arrays.h"
#include "host/host.h"

#define GATHER 8u /* cudaArrayTextureGather */
#define SHAPE_FLAGS (HOST_ARRAY_LAYERED | HOST_ARRAY_CUBE)

#define NONE 0 /* the extent is 0 */
#define SIX (-6)

/* Device attributes with the largest extents: width, height, depth or layers. */
struct limits {
	int most[3];
};
static const struct shape {
	unsigned flags;				      /* flags out of SHAPE_FLAGS */
	struct limits array, surface, mipmaps, other; /* other: alternative limits; {0}: none */
} shapes[] = {
	{0, {{21}}, {{55}}, {{77}}, {{0}}},
	{0, {{22, 23}}, {{56, 57}}, {{73, 74}}, {{0}}},
	{0, {{24, 25, 26}}, {{58, 59, 60}}, {{24, 25, 26}}, {{47, 48, 49}}},
	{HOST_ARRAY_LAYERED, {{42, NONE, 43}}, {{61, NONE, 62}}, {{42, NONE, 43}}, {{0}}},
	{HOST_ARRAY_LAYERED, {{27, 28, 29}}, {{63, 64, 65}}, {{27, 28, 29}}, {{0}}},
	{HOST_ARRAY_CUBE, {{52, 52, SIX}}, {{66, 66, SIX}}, {{52, 52, SIX}}, {{0}}},
	{SHAPE_FLAGS, {{53, 53, 54}}, {{67, 67, 68}}, {{53, 53, 54}}, {{0}}},
};
static const struct limits gathered = {{45, 46}};

static bool has_shape(const struct shape *s, const uint64_t extent[3], unsigned flags)
{
	return s->flags == (flags & SHAPE_FLAGS) && extent[0] && (extent[1] != 0) == (s->array.most[1] != NONE) &&
	       (extent[2] != 0) == (s->array.most[2] != NONE);
}

static bool fits(const struct limits *l, const uint64_t extent[3])
{
	for (int k = 0; k < 3; k++) {
		const int most = l->most[k];
		if (extent[k] > (most == NONE ? 0 : most == SIX ? 6 : (uint64_t)host_device()->attribute[most]))
			return false;
	}
	return true;
}

int host_array_check(uint64_t width, uint64_t height, uint64_t depth, unsigned flags, bool is_mipmapped)
{
	const uint64_t extent[3] = {width, height, depth};
	const struct shape *s = shapes, *const end = shapes + sizeof shapes / sizeof *shapes;
	while (s < end && !has_shape(s, extent, flags))
		s++;
	if (s == end || (flags & HOST_ARRAY_CUBE && (width != height || depth % 6)))
		return cudaErrorInvalidValue;
	if (!fits(is_mipmapped ? &s->mipmaps : &s->array, extent) && !(s->other.most[0] && fits(&s->other, extent)))
		return cudaErrorInvalidValue;
	if (flags & HOST_ARRAY_SURFACE && !fits(&s->surface, extent))
		return cudaErrorInvalidValue;
	return flags & GATHER && !fits(&gathered, extent) ? cudaErrorInvalidValue : 0;
}

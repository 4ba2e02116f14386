/* Which texels a sample is made of, and what they are worth. */
#include <math.h>
#include <string.h>

#include "exec/lanes_half.h"
#include "exec/texture.h"
#include "isa/texture.h"

uint64_t exec_texel_address(const struct exec_texture *t, uint32_t level, uint32_t x, uint32_t y, uint32_t z)
{
	const uint64_t texel = exec_texel_bytes(t);
	const uint64_t pitch = t->pitch && !level ? t->pitch : exec_level_extent(t->width, level) * texel;
	return t->level_at[level] + ((uint64_t)z * exec_level_extent(t->height, level) + y) * pitch + x * texel;
}

/* ---- one dimension ---- */

/* Converts a texel's number to one inside, as the edge mode says. Returns false for a texel of the border. */
static bool inside(int64_t *i, uint32_t n, enum exec_edge edge)
{
	if (*i >= 0 && *i < n)
		return true;
	switch (edge) {
	case EXEC_EDGE_WRAP: *i = (*i % n + n) % n; return true;
	case EXEC_EDGE_MIRROR: {
		const int64_t two = 2 * (int64_t)n, k = (*i % two + two) % two;
		*i = k < n ? k : two - 1 - k;
		return true;
	}
	case EXEC_EDGE_CLAMP: *i = *i < 0 ? 0 : n - 1; return true;
	case EXEC_EDGE_BORDER: break;
	}
	return false;
}

/* Returns floor(f) as a number that no later sum overflows; a NaN gives 0. */
static int64_t floor_of(float f)
{
	const float limit = 1e15f;
	return f >= limit ? (int64_t)limit : f <= -limit ? -(int64_t)limit : f == f ? (int64_t)floorf(f) : 0;
}

/* Rounds a fraction to 8 bits; 1 is possible. */
static float weight_of(float fraction) { return floorf(fraction * 256.0f + 0.5f) * (1.0f / 256.0f); }

/* A coordinate's one or two texels. */
struct along {
	int64_t i[2];
	float weight[2];
	unsigned n;
};

static struct along along_axis(float at, bool filters)
{
	struct along a = {.n = 1, .weight = {1.0f, 0.0f}};
	if (!filters) {
		a.i[0] = floor_of(at);
		return a;
	}
	const float shifted = at - 0.5f;
	a.i[0] = floor_of(shifted);
	a.i[1] = a.i[0] + 1;
	a.n = 2;
	const float fraction = shifted - floorf(shifted);
	a.weight[1] = weight_of(fraction == fraction ? fraction : 0.0f);
	a.weight[0] = 1.0f - a.weight[1];
	return a;
}

/* ---- cube maps ---- */

/* CUDA C++ Programming Guide, "Cubemap Textures": the face, and the position on it from -1 to 1. */
static unsigned cube_face(const float d[3], float *s, float *t)
{
	const float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
	unsigned face;
	float major;
	if (x >= y && x >= z) {
		face = signbit(d[0]) ? 1 : 0;
		major = x;
		*s = face ? d[2] : -d[2];
		*t = -d[1];
	} else if (y >= z) {
		face = signbit(d[1]) ? 3 : 2;
		major = y;
		*s = d[0];
		*t = face == 3 ? -d[2] : d[2];
	} else {
		face = signbit(d[2]) ? 5 : 4;
		major = z;
		*s = face == 5 ? -d[0] : d[0];
		*t = -d[1];
	}
	if (major > 0) {
		*s /= major;
		*t /= major;
	} else {
		*s = *t = 0;
	}
	return face;
}

/* Returns the direction of a position on a face, from -1 to 1 or beyond. */
static void cube_direction(unsigned face, float s, float t, float d[3])
{
	switch (face) {
	case 0: d[0] = 1, d[1] = -t, d[2] = -s; break;
	case 1: d[0] = -1, d[1] = -t, d[2] = s; break;
	case 2: d[0] = s, d[1] = 1, d[2] = t; break;
	case 3: d[0] = s, d[1] = -1, d[2] = -t; break;
	case 4: d[0] = s, d[1] = -t, d[2] = 1; break;
	default: d[0] = -s, d[1] = -t, d[2] = -1; break;
	}
}

/* Moves a texel that lies behind one edge of a face to the face that joins there. */
static void cross_edge(uint32_t n, int64_t *x, int64_t *y, unsigned *face)
{
	float d[3], s, t;
	cube_direction(*face, ((float)*x + 0.5f) * 2.0f / (float)n - 1.0f, ((float)*y + 0.5f) * 2.0f / (float)n - 1.0f, d);
	*face = cube_face(d, &s, &t);
	*x = floor_of((s + 1.0f) * 0.5f * (float)n);
	*y = floor_of((t + 1.0f) * 0.5f * (float)n);
	*x = *x < 0 ? 0 : *x >= n ? (int64_t)n - 1 : *x;
	*y = *y < 0 ? 0 : *y >= n ? (int64_t)n - 1 : *y;
}

/* ---- the footprint ---- */

/* The footprint of a sample in one level. */
struct footprint {
	const struct exec_texture *t;
	uint32_t level;
	uint32_t extent[3];
	unsigned dims;
	uint32_t z; /* layer, faces included */
	unsigned face;
	struct along axis[3];
	enum exec_edge edge[3];
	bool is_seamless;
	float weight;
};

static struct exec_texel texel_at(const struct footprint *f, const int64_t at[3], float weight)
{
	int64_t i[3] = {at[0], at[1], at[2]};
	uint32_t z = f->z;
	struct exec_texel out = {.weight = weight};
	if (f->is_seamless && (i[0] < 0 || i[0] >= f->extent[0] || i[1] < 0 || i[1] >= f->extent[1])) {
		unsigned face = f->face;
		cross_edge(f->extent[0], &i[0], &i[1], &face);
		z = z - f->face + face;
	}
	for (unsigned k = 0; k < f->dims; k++)
		if (!inside(&i[k], f->extent[k], f->edge[k])) {
			out.is_border = true;
			return out;
		}
	out.address = exec_texel_address(f->t, f->level, (uint32_t)i[0], f->dims > 1 ? (uint32_t)i[1] : 0, f->dims > 2 ? (uint32_t)i[2] : z);
	return out;
}

/* At a corner of a cube three faces meet: the texel that doesn't exist has the mean of the others, so their weights grow. */
static bool is_corner(const struct footprint *f, const int64_t at[3])
{
	return f->is_seamless && (at[0] < 0 || at[0] >= f->extent[0]) && (at[1] < 0 || at[1] >= f->extent[1]);
}

static unsigned footprint_texels(const struct footprint *f, struct exec_texel *out)
{
	unsigned n = 0;
	float spread = 0;
	const unsigned nz = f->dims > 2 ? f->axis[2].n : 1, ny = f->dims > 1 ? f->axis[1].n : 1;
	for (unsigned z = 0; z < nz; z++)
		for (unsigned y = 0; y < ny; y++)
			for (unsigned x = 0; x < f->axis[0].n; x++) {
				const int64_t at[3] = {f->axis[0].i[x], f->axis[1].i[y], f->axis[2].i[z]};
				float w = f->axis[0].weight[x];
				w *= f->dims > 1 ? f->axis[1].weight[y] : 1.0f;
				w *= f->dims > 2 ? f->axis[2].weight[z] : 1.0f;
				w *= f->weight;
				if (w == 0.0f && !f->is_seamless)
					continue;
				if (is_corner(f, at)) {
					spread += w;
					continue;
				}
				out[n++] = texel_at(f, at, w);
			}
	const unsigned there = n;
	n = 0;
	for (unsigned k = 0; k < there; k++) {
		out[k].weight += spread / (float)there;
		if (out[k].weight != 0.0f)
			out[n++] = out[k];
	}
	return n;
}

static void set_axis(struct footprint *f, unsigned k, float at, int32_t offset, bool filters)
{
	const struct exec_texture *t = f->t;
	const float scaled = t->normalized || f->is_seamless ? at * (float)f->extent[k] : at;
	f->axis[k] = along_axis(scaled, filters);
	f->axis[k].i[0] += offset;
	f->axis[k].i[1] += offset;
	/* wrap and mirror are for normalised coordinates; others are clamped (CUDA guide, "Texture Object API") */
	f->edge[k] = (enum exec_edge)t->edge[k];
	if (!t->normalized && (f->edge[k] == EXEC_EDGE_WRAP || f->edge[k] == EXEC_EDGE_MIRROR))
		f->edge[k] = EXEC_EDGE_CLAMP;
}

static struct footprint begin_footprint(const struct exec_texture *t, const struct exec_sample *s, uint32_t level)
{
	const struct isa_geometry_info *g = &isa_geometry_info[s->geometry];
	struct footprint f = {.t = t, .level = level, .dims = g->is_cube ? 2u : g->position, .weight = 1.0f};
	f.extent[0] = exec_level_extent(t->width, level);
	f.extent[1] = exec_level_extent(t->height, level);
	f.extent[2] = exec_level_extent(t->depth, level);
	const uint32_t layers = g->is_cube ? t->layers / 6 : t->layers;
	f.z = g->is_layered && layers ? s->index < layers ? s->index : layers - 1 : 0;
	if (g->is_cube)
		f.z *= 6;
	return f;
}

/* Adds the texels of one level. */
static unsigned level_texels(const struct exec_texture *t, const struct exec_sample *s, uint32_t level, float weight, struct exec_texel *out)
{
	const struct isa_geometry_info *g = &isa_geometry_info[s->geometry];
	struct footprint f = begin_footprint(t, s, level);
	const bool filters = t->filters || s->gathers;
	f.weight = weight;
	if (g->is_cube) {
		float u, v;
		f.face = cube_face(s->at, &u, &v);
		f.z += f.face;
		f.is_seamless = t->is_seamless;
		/* a cube's coordinates are normalised always */
		f.axis[0] = along_axis((u + 1.0f) * 0.5f * (float)f.extent[0], filters);
		f.axis[1] = along_axis((v + 1.0f) * 0.5f * (float)f.extent[1], filters);
		f.edge[0] = f.edge[1] = EXEC_EDGE_CLAMP;
	} else {
		for (unsigned k = 0; k < f.dims; k++)
			set_axis(&f, k, s->at[k], s->offset[k], filters);
	}
	if (!s->gathers)
		return footprint_texels(&f, out);
	/* CUDA guide, tex2Dgather: (i, j+1), (i+1, j+1), (i+1, j), (i, j) */
	static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	for (unsigned k = 0; k < 4; k++) {
		const int64_t at[3] = {f.axis[0].i[order[k][0]], f.axis[1].i[order[k][1]], 0};
		out[k] = texel_at(&f, at, 1.0f);
	}
	return 4;
}

/* Integer coordinates: one texel, and zeros (the border) outside of the texture. */
static unsigned numbered_texel(const struct exec_texture *t, const struct exec_sample *s, struct exec_texel *out)
{
	const float last = (float)(t->n_levels - 1);
	const uint32_t level = s->level > 0 ? (uint32_t)(s->level < last ? s->level : last) : 0;
	struct footprint f = begin_footprint(t, s, level);
	int64_t at[3] = {0};
	for (unsigned k = 0; k < f.dims; k++) {
		at[k] = (int64_t)s->number[k] + s->offset[k];
		f.edge[k] = EXEC_EDGE_BORDER;
	}
	out[0] = texel_at(&f, at, 1.0f);
	return 1;
}

unsigned exec_sample_texels(const struct exec_texture *t, const struct exec_sample *s, struct exec_texel out[EXEC_TEXELS_MAX])
{
	if (s->by_number)
		return numbered_texel(t, s, out);
	if (t->n_levels < 2)
		return level_texels(t, s, 0, 1.0f, out);
	const float last = (float)(t->n_levels - 1);
	float level = s->level + t->bias;
	level = level > t->most_level ? t->most_level : level;
	level = level >= t->least_level ? level : t->least_level; /* also for a NaN */
	level = level < 0 ? 0 : level > last ? last : level;
	if (!t->filters_levels)
		return level_texels(t, s, (uint32_t)floorf(level + 0.5f), 1.0f, out);
	const uint32_t low = (uint32_t)level;
	const float weight = weight_of(level - (float)low);
	unsigned n = weight < 1.0f ? level_texels(t, s, low, 1.0f - weight, out) : 0;
	if (weight > 0 && !s->gathers)
		n += level_texels(t, s, low + 1, weight, out + n);
	return n;
}

uint64_t exec_sample_address(const struct exec_texture *t, const struct exec_sample *s, const struct exec_texel *texel, unsigned n)
{
	struct exec_texel one[EXEC_TEXELS_MAX];
	if (t->filters && !t->normalized && !s->gathers && !s->by_number && n > 1) {
		struct exec_texture point = *t;
		point.filters = point.filters_levels = false;
		n = exec_sample_texels(&point, s, one);
		texel = one;
	}
	if (s->gathers && n == 4 && !texel[3].is_border)
		return texel[3].address;
	for (unsigned k = 0; k < n; k++)
		if (!texel[k].is_border)
			return texel[k].address;
	return t->level_at[0];
}

/* ---- values ---- */

uint32_t exec_texel_bits(const struct exec_texture *t, const char *texel, unsigned channel)
{
	if (channel >= t->n_channels)
		return channel < 3 ? 0 : exec_texture_is_float(t) ? f32_bits(1.0f) : 1;
	const char *p = texel + channel * t->channel_bytes;
	uint32_t v = 0;
	memcpy(&v, p, t->channel_bytes);
	if (t->channel == EXEC_CHANNEL_SIGNED && t->channel_bytes < 4)
		v = t->channel_bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
	if (t->channel == EXEC_CHANNEL_FLOAT && t->channel_bytes == 2)
		v = f32_bits(f16_to_f32(v));
	return v;
}

static float from_srgb(float c) { return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f); }

float exec_texel_float(const struct exec_texture *t, const char *texel, unsigned channel)
{
	const uint32_t bits = exec_texel_bits(t, texel, channel);
	if (channel >= t->n_channels || t->channel == EXEC_CHANNEL_FLOAT || !t->reads_normalized)
		return f32_from(bits);
	if (t->channel == EXEC_CHANNEL_SIGNED) {
		const float v = (float)(int32_t)bits / (t->channel_bytes == 1 ? 127.0f : 32767.0f);
		return v < -1.0f ? -1.0f : v;
	}
	const float v = (float)bits / (t->channel_bytes == 1 ? 255.0f : 65535.0f);
	return t->srgb && channel < 3 && t->channel_bytes == 1 ? from_srgb(v) : v;
}

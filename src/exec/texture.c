/* tex and tld4. Handles are resolved first, then all texels are checked and reported to the watchers, then read. */
#include <math.h>

#include "exec/lanes_half.h"
#include "exec/memory.h"
#include "exec/texture_unit.h"
#include "isa/opcodes.h"

/* ---- handles ---- */

bool texture_find(struct exec *x, uint64_t handle, uint32_t lanes, bool is_surface, struct exec_texture *t)
{
	const struct exec_services *s = &x->services;
	const char *kind = is_surface ? "surface" : "texture";
	if (!s->texture || !s->texture(s->self, x->context, handle, t))
		exec_raise(x, EXEC_FAULT_ILLEGAL_ADDRESS, lanes, "0x%llx is no %s's handle", (unsigned long long)handle, kind);
	else if (t->is_surface != is_surface)
		exec_raise(x, EXEC_FAULT_ILLEGAL_ADDRESS, lanes, "0x%llx is the handle of a %s; the instruction needs a %s",
			   (unsigned long long)handle, t->is_surface ? "surface" : "texture", kind);
	else
		return true;
	return false;
}

uint32_t texture_same_handles(const struct exec *x, const struct isa_insn *i, uint32_t lanes)
{
	const uint64_t *a = exec_src64(x, i->a), *b = i->b == ISA_REF_NONE ? a : exec_src64(x, i->b);
	const unsigned first = lanes_first(lanes);
	uint32_t same = 0;
	LANES_EACH (l, lanes)
		if (a[l] == a[first] && b[l] == b[first])
			same |= lanes_bit(l);
	return same;
}

void texture_take_sampler(struct exec_texture *t, const struct exec_texture *sampler)
{
	memcpy(t->edge, sampler->edge, sizeof t->edge);
	memcpy(t->border, sampler->border, sizeof t->border);
	t->normalized = sampler->normalized;
	t->filters = sampler->filters;
	t->filters_levels = sampler->filters_levels;
	t->is_seamless = sampler->is_seamless;
	t->bias = sampler->bias;
	t->least_level = sampler->least_level;
	t->most_level = sampler->most_level;
}

/* ---- tex, tld4: what each lane asks for ---- */

/* The rows of an instruction behind its results. */
struct rows {
	const uint32_t *coordinates, *lod, *offsets, *compare;
};

static struct rows rows_of(const struct exec *x, const struct isa_insn *i)
{
	struct rows r = {.coordinates = &x->program->aux[i->aux] + i->vec};
	r.lod = r.coordinates + isa_coordinates(i);
	r.offsets = r.lod + isa_lod_rows(i, i->opcode == ISA_OP_TEX);
	r.compare = r.offsets + isa_offset_rows(i);
	return r;
}

/* Returns the level of detail that two gradients ask for: the longer one, in texels of level 0, to the base 2. */
static float gradient_level(const struct exec *x, const struct isa_insn *i, const struct exec_texture *t, const uint32_t *rows, unsigned lane)
{
	const unsigned n = isa_geometry_info[i->mode].gradient;
	const uint32_t extent[3] = {t->width, t->height, isa_geometry_info[i->mode].is_cube ? t->width : t->depth};
	float longest = 0;
	for (unsigned g = 0; g < 2; g++) {
		float square = 0;
		for (unsigned k = 0; k < n; k++) {
			const float d = f32_from(exec_src32(x, rows[g * n + k])[lane]) * (t->normalized ? (float)extent[k] : 1.0f);
			square += d * d;
		}
		longest = square > longest ? square : longest;
	}
	return longest > 0 ? 0.5f * log2f(longest) : 0;
}

struct exec_sample texture_sample_of(const struct exec *x, const struct isa_insn *i, const struct exec_texture *t, unsigned lane)
{
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];
	const struct rows r = rows_of(x, i);
	struct exec_sample s = {.geometry = i->mode, .gathers = i->opcode == ISA_OP_TLD4, .by_number = i->opcode == ISA_OP_TEX && i->type2 == ISA_S32};
	const uint32_t *c = r.coordinates;
	/* sample numbers are ignored: a texture has one sample (txq.num_samples) */
	if (g->is_layered)
		s.index = exec_src32(x, c[g->is_sampled ? 1 : 0])[lane];
	c += g->index;
	for (unsigned k = 0; k < g->position; k++) {
		const uint32_t bits = exec_src32(x, c[k])[lane];
		s.number[k] = (int32_t)bits;
		s.at[k] = f32_from(bits);
		if (i->flags & ISA_F_TEX_OFFSET)
			s.offset[k] = (int32_t)exec_src32(x, r.offsets[k])[lane];
	}
	if (i->opcode == ISA_OP_TEX && i->mode2 == ISA_LOD_LEVEL) {
		const uint32_t bits = exec_src32(x, r.lod[0])[lane];
		s.level = f32_from(bits);
	} else if (i->opcode == ISA_OP_TEX && i->mode2 == ISA_LOD_GRADIENT) {
		s.level = gradient_level(x, i, t, r.lod, lane);
	}
	return s;
}

/* ---- the texels of a warp ---- */

struct fetch {
	struct exec_texture texture[LANES]; /* [lane] for lanes that are the first with their handle */
	uint8_t first[LANES];		    /* the lane whose texture it is */
	struct exec_sample sample[LANES];
	struct exec_texel texel[LANES][EXEC_TEXELS_MAX];
	uint8_t n[LANES];
	unsigned most;
};

/* Raises a fault and returns false if the results' type can't hold what the texture gives: integers of 8 or 16 bits as floats, or fractions as integers. Channels
 * of 32 bits come as they are. */
static bool check_format(struct exec *x, const struct isa_insn *i, uint32_t lanes, const struct exec_texture *t)
{
	const bool is_float = i->type == ISA_F32 || i->type == ISA_F16 || i->type == ISA_F16X2;
	const char kind = t->channel == EXEC_CHANNEL_SIGNED ? 's' : 'u';
	if (t->channel == EXEC_CHANNEL_FLOAT || t->channel_bytes == 4 || is_float == t->reads_normalized)
		return true;
	exec_raise(x, EXEC_FAULT_ILLEGAL_ADDRESS, lanes, "the instruction wants %s, the texture of %c%u texels gives %s (%sread normalized)",
		   is_float ? "floats" : "integers", kind, 8u * t->channel_bytes, is_float ? "integers" : "fractions", is_float ? "no " : "");
	return false;
}

static bool find_textures(struct exec *x, const struct isa_insn *i, struct fetch *f)
{
	for (uint32_t rest = x->mask; rest;) {
		const uint32_t same = texture_same_handles(x, i, rest);
		const unsigned first = lanes_first(rest);
		struct exec_texture *t = &f->texture[first], sampler;
		if (!texture_find(x, exec_src64(x, i->a)[first], same, false, t))
			return false;
		if (i->b != ISA_REF_NONE) {
			if (!texture_find(x, exec_src64(x, i->b)[first], same, false, &sampler))
				return false;
			texture_take_sampler(t, &sampler);
		}
		if (!check_format(x, i, same, t))
			return false;
		LANES_EACH (l, same)
			f->first[l] = (uint8_t)first;
		rest &= ~same;
	}
	return true;
}

/* Stores the addresses of texel number k of all lanes that have one, and returns these lanes. Texels of the border have no address. */
static uint32_t round_addresses(const struct exec *x, const struct fetch *f, unsigned k, uint64_t address[LANES])
{
	uint32_t lanes = 0;
	LANES_EACH (l, x->mask) {
		if (k >= f->n[l] || f->texel[l][k].is_border)
			continue;
		address[l] = f->texel[l][k].address;
		lanes |= lanes_bit(l);
	}
	return lanes;
}

/* Returns the lanes of `lanes` whose texels have as many bytes as that of its lowest lane, and stores how many that are. */
static uint32_t same_size(const struct fetch *f, uint32_t lanes, uint32_t *size)
{
	uint32_t same = 0;
	*size = exec_texel_bytes(&f->texture[f->first[lanes_first(lanes)]]);
	LANES_EACH (l, lanes)
		if (exec_texel_bytes(&f->texture[f->first[l]]) == *size)
			same |= lanes_bit(l);
	return same;
}

/* Checks all texels. Returns false if the instruction faults or stops. Lanes that a checker takes out lose their texels. */
static bool check_texels(struct exec *x, const struct isa_insn *i, struct fetch *f)
{
	const uint32_t all = x->mask;
	bool ok = true;
	for (unsigned k = 0; k < f->most && ok; k++) {
		uint64_t address[LANES] = {0}, offset[LANES];
		for (uint32_t rest = round_addresses(x, f, k, address), same; rest && ok; rest &= ~same) {
			uint32_t size;
			same = same_size(f, rest, &size);
			x->mask = same;
			x->event = 0;
			const bool good = mem_resolve_global(x, i, size, EXEC_READ, address, offset);
			ok = good || !x->event;
			LANES_EACH (l, same & ~(good ? x->mask : 0))
				f->texel[l][k].is_border = true;
			x->mask = all;
		}
	}
	x->after_is_due = false;
	return ok;
}

void exec_texture_rows_of(const struct isa_insn *i, const struct exec_texture *t, struct exec_texture_rows *out)
{
	const bool has_rows = isa_geometry_info[i->mode].position > 1 && !t->is_linear_memory;
	const uint32_t texel = exec_texel_bytes(t), row = t->pitch ? (uint32_t)t->pitch : t->width * texel;
	const uint64_t slices = t->layers > 1 ? t->layers : t->depth;
	*out = (struct exec_texture_rows){t->level_at[0], slices * t->height * row, has_rows ? t->width : 0, row, texel};
}

/* Notes for the performance model which texel each lane reads, and where the rows of the lowest lane's texture lie. */
static void note_access(struct exec *x, const struct isa_insn *i, const struct fetch *f)
{
	struct exec_access *a = &x->effect.access;
	const struct exec_texture *t = &f->texture[f->first[lanes_first(x->mask)]];
	exec_texture_rows_of(i, t, &a->rows);
	a->lanes = x->mask;
	a->size = exec_texel_bytes(t);
	a->space = ISA_SPACE_GLOBAL;
	a->in_halves = a->is_write = a->is_atomic = false;
	a->is_read = true;
	LANES_EACH (l, x->mask)
		a->address[l] = exec_sample_address(&f->texture[f->first[l]], &f->sample[l], f->texel[l], f->n[l]);
}

static void report_texels(struct exec *x, const struct fetch *f)
{
	const uint32_t all = x->mask;
	for (unsigned k = 0; k < f->most; k++) {
		uint64_t address[LANES] = {0};
		for (uint32_t rest = round_addresses(x, f, k, address), same; rest; rest &= ~same) {
			uint32_t size;
			same = same_size(f, rest, &size);
			x->mask = same;
			mem_report_done(x, size, EXEC_READ, address);
			x->mask = all;
		}
	}
}

/* ---- results ---- */

/* Returns a channel of a sampled value as f32. With `compare`, each texel counts as 1 if the value is at most the texel, else as 0. */
static float blend(const struct exec *x, const struct fetch *f, unsigned lane, unsigned channel, const float *compare)
{
	const struct exec_texture *t = &f->texture[f->first[lane]];
	float sum = 0;
	for (unsigned k = 0; k < f->n[lane]; k++) {
		const struct exec_texel *e = &f->texel[lane][k];
		float v = e->is_border ? t->border[channel] : exec_texel_float(t, x->global + e->address, channel);
		if (compare)
			v = *compare <= v ? 1.0f : 0.0f;
		sum += e->weight == 1.0f ? v : e->weight * v;
	}
	return sum;
}

/* Returns a channel of one texel as the instruction's type wants it. */
static uint32_t convert(const struct exec_texture *t, const struct exec_texel *e, const char *texel, unsigned channel)
{
	if (exec_texture_is_float(t))
		return f32_bits(e->is_border ? t->border[channel] : exec_texel_float(t, texel, channel));
	if (!e->is_border)
		return exec_texel_bits(t, texel, channel);
	uint32_t bits;
	memcpy(&bits, &t->border[channel], sizeof bits);
	return bits;
}

/* Returns a channel of the result in 32 bits: f32, or the texel's integer. */
static uint32_t result_of(const struct exec *x, const struct isa_insn *i, const struct fetch *f, unsigned lane, unsigned channel)
{
	const struct exec_texture *t = &f->texture[f->first[lane]];
	const struct exec_texel *e = f->texel[lane];
	if (i->flags & ISA_F_TEX_COMPARE) {
		const float compare = f32_from(exec_src32(x, rows_of(x, i).compare[0])[lane]);
		if (i->opcode == ISA_OP_TLD4)
			return f32_bits(compare <= f32_from(convert(t, &e[channel], x->global + e[channel].address, i->mode2)) ? 1.0f : 0.0f);
		return f32_bits(blend(x, f, lane, channel, &compare));
	}
	if (i->opcode == ISA_OP_TLD4)
		return convert(t, &e[channel], x->global + e[channel].address, i->mode2);
	if (exec_texture_is_float(t))
		return f32_bits(blend(x, f, lane, channel, NULL));
	return f->n[lane] ? convert(t, e, x->global + e->address, channel) : 0;
}

static void put_results(struct exec *x, const struct isa_insn *i, const struct fetch *f)
{
	const uint32_t *refs = &x->program->aux[i->aux];
	const bool halves = i->type == ISA_F16, packs = i->type == ISA_F16X2;
	uint32_t v[4][LANES];
	for (unsigned c = 0; c < 4; c++)
		LANES_EACH (l, x->mask)
			v[c][l] = result_of(x, i, f, l, c);
	for (unsigned k = 0; k < i->vec; k++) {
		if (refs[k] == ISA_REF_NONE)
			continue;
		LANES_EACH (l, x->mask) {
			const uint32_t low = v[packs ? 2 * k : k][l], high = v[packs ? 2 * k + 1 : k][l];
			if (packs)
				exec_dst32(x, refs[k])[l] = f32_to_f16(f32_from(low)) | f32_to_f16(f32_from(high)) << 16;
			else if (halves && i->dst_bytes == 2)
				exec_dst16(x, refs[k])[l] = (uint16_t)f32_to_f16(f32_from(low));
			else
				exec_dst32(x, refs[k])[l] = halves ? f32_to_f16(f32_from(low)) : low;
		}
	}
	if (i->dst2 != ISA_PRED_NONE)
		exec_pred_write(x, i->dst2, LANES_ALL);
}

MEM_INLINE void sample(struct exec *x, const struct isa_insn *i, const bool observed)
{
	struct fetch f;
	f.most = 0;
	if (!find_textures(x, i, &f))
		return;
	LANES_EACH (l, x->mask) {
		const struct exec_texture *t = &f.texture[f.first[l]];
		f.sample[l] = texture_sample_of(x, i, t, l);
		f.n[l] = (uint8_t)exec_sample_texels(t, &f.sample[l], f.texel[l]);
		f.most = f.n[l] > f.most ? f.n[l] : f.most;
	}
	if (!check_texels(x, i, &f))
		return;
	put_results(x, i, &f);
	if (x->mask && x->wants.records)
		note_access(x, i, &f);
	if (observed && x->wants.kinds & EXEC_LOOK(ACCESS))
		report_texels(x, &f);
}
ATOMIC_HANDLER(tex) { sample(x, i, observed); }
ATOMIC_HANDLER(tld4) { sample(x, i, observed); }


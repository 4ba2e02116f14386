/* Texture and surface instructions. Handles are resolved first, then all texels are checked and shown to the watchers, then read or written. */
#include "exec/texture.h"

#include <math.h>
#include <stdio.h>

#include "exec/lanes_half.h"
#include "exec/memory.h"
#include "isa/opcodes.h"
#include "isa/texture.h"

/* ---- handles ---- */

/* Finds what a lane's handle names. Raises a fault and returns false if that is nothing, or not of the kind that the instruction needs. */
static bool find_texture(struct exec *x, uint64_t handle, uint32_t lanes, bool is_surface, struct exec_texture *t)
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

/* Returns the lanes of `lanes` that have the same handles as its lowest lane. */
static uint32_t same_handles(const struct exec *x, const struct isa_insn *i, uint32_t lanes)
{
	const uint64_t *a = exec_src64(x, i->a), *b = i->b == ISA_REF_NONE ? a : exec_src64(x, i->b);
	const unsigned first = lanes_first(lanes);
	uint32_t same = 0;
	LANES_EACH (l, lanes)
		if (a[l] == a[first] && b[l] == b[first])
			same |= lanes_bit(l);
	return same;
}

/* Gives a texture the settings of a separate sampler. */
static void take_sampler(struct exec_texture *t, const struct exec_texture *sampler)
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
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];
	struct rows r = {.coordinates = &x->program->aux[i->aux] + i->vec};
	r.lod = r.coordinates + isa_coordinates(i);
	const bool is_tex = i->opcode == ISA_OP_TEX;
	r.offsets = r.lod + (is_tex && i->mode2 == ISA_LOD_LEVEL ? 1u : is_tex && i->mode2 == ISA_LOD_GRADIENT ? 2u * g->gradient : 0u);
	r.compare = r.offsets + (i->flags & ISA_F_TEX_OFFSET ? g->position : 0u);
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

static struct exec_sample sample_of(const struct exec *x, const struct isa_insn *i, const struct exec_texture *t, unsigned lane)
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
	struct exec_texel texel[LANES][EXEC_TEXELS_MAX];
	uint8_t n[LANES];
	unsigned most;
};

static bool find_textures(struct exec *x, const struct isa_insn *i, struct fetch *f)
{
	for (uint32_t rest = x->mask; rest;) {
		const uint32_t same = same_handles(x, i, rest);
		const unsigned first = lanes_first(rest);
		struct exec_texture *t = &f->texture[first], sampler;
		if (!find_texture(x, exec_src64(x, i->a)[first], same, false, t))
			return false;
		if (i->b != ISA_REF_NONE) {
			if (!find_texture(x, exec_src64(x, i->b)[first], same, false, &sampler))
				return false;
			take_sampler(t, &sampler);
		}
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

/* Notes where the rows of the texture lie that the lowest lane reads. */
static void note_rows(struct exec *x, const struct isa_insn *i, const struct fetch *f)
{
	const struct exec_texture *t = &f->texture[f->first[lanes_first(x->mask)]];
	const bool has_rows = i->mode == ISA_GEOMETRY_2D && !t->is_linear_memory;
	const uint32_t texel = exec_texel_bytes(t);
	x->effect.access.rows = (struct exec_texture_rows){t->level_at[0], has_rows ? t->width : 0,
							   t->pitch ? (uint32_t)t->pitch : t->width * texel, texel};
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
		const struct exec_sample s = sample_of(x, i, t, l);
		f.n[l] = (uint8_t)exec_sample_texels(t, &s, f.texel[l]);
		f.most = f.n[l] > f.most ? f.n[l] : f.most;
	}
	if (!check_texels(x, i, &f))
		return;
	put_results(x, i, &f);
	if (x->mask)
		note_rows(x, i, &f);
	if (observed && x->wants.kinds & EXEC_LOOK(ACCESS))
		report_texels(x, &f);
}
ATOMIC_HANDLER(tex) { sample(x, i, observed); }
ATOMIC_HANDLER(tld4) { sample(x, i, observed); }

/* ---- surfaces ---- */

/* Where a surface instruction's lanes access. */
struct places {
	uint64_t address[LANES];
	uint32_t lanes;	 /* that make an access */
	uint32_t bytes;	 /* of the access */
	struct exec_texture surface[LANES]; /* [lane] for lanes that are the first with their handle */
	uint8_t first[LANES];
};

static void raise_outside(struct exec *x, const struct exec_texture *t, uint32_t lanes, const int64_t at[3], bool in_bytes,
			  unsigned dims, uint32_t layer)
{
	char place[64], size[64];
	int n = snprintf(place, sizeof place, "%lld", (long long)at[0]);
	for (unsigned k = 1; k < dims; k++)
		n += snprintf(place + n, sizeof place - (size_t)n, ", %lld", (long long)at[k]);
	n = snprintf(size, sizeof size, "%u", t->width);
	for (unsigned k = 1; k < dims; k++)
		n += snprintf(size + n, sizeof size - (size_t)n, " x %u", k == 1 ? t->height : t->depth);
	char layers[48] = "";
	if (t->layers > 1 || layer)
		snprintf(layers, sizeof layers, ", layer %u of %u", layer, t->layers);
	exec_raise(x, EXEC_FAULT_ILLEGAL_ADDRESS, lanes, "outside of the surface: (%s)%s%s; it has %s texels of %u bytes", place,
		   in_bytes ? " (x in bytes)" : "", layers, size, exec_texel_bytes(t));
}

/* Brings a coordinate inside, as the instruction's edge mode says. Returns false if it is outside and stays there. */
static bool bring_inside(int64_t *at, int64_t n, int64_t step, enum isa_surface_edge edge)
{
	if (*at >= 0 && *at <= n - step)
		return true;
	if (edge != ISA_EDGE_CLAMP || n < step)
		return false;
	*at = *at < 0 ? 0 : n - step;
	return true;
}

/* Finds the place of one lane. Returns false if the instruction faults. */
static bool place_lane(struct exec *x, const struct isa_insn *i, struct places *p, unsigned lane, const uint32_t *rows)
{
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];
	const struct exec_texture *t = &p->surface[p->first[lane]];
	const uint32_t texel = exec_texel_bytes(t);
	const bool by_texel = i->flags & ISA_F_SURF_TEXELS;
	const uint32_t bytes = by_texel ? texel : p->bytes;
	const int64_t extent[3] = {(int64_t)t->width * (by_texel ? 1 : texel), t->height, t->depth};
	int64_t at[3] = {0};
	const uint32_t index = g->is_layered ? exec_src32(x, rows[0])[lane] : 0;
	bool ok = index < t->layers || i->mode2 == ISA_EDGE_CLAMP;
	const uint32_t layer = index < t->layers ? index : t->layers - 1;
	int64_t written[3] = {0};
	for (unsigned k = 0; k < g->position; k++) {
		at[k] = written[k] = (int32_t)exec_src32(x, rows[g->index + k])[lane];
		ok = bring_inside(&at[k], extent[k], k || by_texel ? 1 : bytes, (enum isa_surface_edge)i->mode2) && ok;
	}
	if (!ok) {
		if (i->mode2 == ISA_EDGE_TRAP)
			raise_outside(x, t, lanes_bit(lane), written, !by_texel, g->position, index);
		return i->mode2 != ISA_EDGE_TRAP;
	}
	const uint32_t z = g->is_layered ? layer : (uint32_t)at[2];
	p->address[lane] = exec_texel_address(t, 0, 0, (uint32_t)at[1], z) + (uint64_t)at[0] * (by_texel ? texel : 1);
	p->lanes |= lanes_bit(lane);
	return true;
}

/* Finds all lanes' places. Returns false if the instruction faults. */
static bool find_places(struct exec *x, const struct isa_insn *i, const uint32_t *rows, struct places *p)
{
	p->lanes = 0;
	memset(p->address, 0, sizeof p->address);
	p->bytes = isa_type_bytes((enum isa_type)i->type) * i->vec;
	for (uint32_t rest = x->mask; rest;) {
		const uint32_t same = same_handles(x, i, rest);
		const unsigned first = lanes_first(rest);
		if (!find_texture(x, exec_src64(x, i->a)[first], same, true, &p->surface[first]))
			return false;
		LANES_EACH (l, same)
			p->first[l] = (uint8_t)first;
		rest &= ~same;
	}
	LANES_EACH (l, x->mask)
		if (!place_lane(x, i, p, l, rows))
			return false;
	return true;
}

/* Checks the accesses of p->lanes, a size after the other, and calls `move` for the lanes of each. Lanes that a checker takes out make none. */
typedef void move_function(struct exec *x, const struct isa_insn *i, const struct places *p, const uint64_t offset[LANES]);
MEM_INLINE bool access_surface(struct exec *x, const struct isa_insn *i, struct places *p, unsigned kinds, move_function *move, const bool observed)
{
	const uint32_t all = x->mask;
	bool ok = true;
	for (uint32_t rest = p->lanes, same; rest && ok; rest &= ~same) {
		const bool by_texel = i->flags & ISA_F_SURF_TEXELS;
		const uint32_t bytes = by_texel && i->opcode != ISA_OP_SURED ? exec_texel_bytes(&p->surface[p->first[lanes_first(rest)]]) : p->bytes;
		uint64_t offset[LANES];
		same = 0;
		LANES_EACH (l, rest)
			if (!by_texel || i->opcode == ISA_OP_SURED || exec_texel_bytes(&p->surface[p->first[l]]) == bytes)
				same |= lanes_bit(l);
		x->mask = same;
		x->event = 0;
		const bool good = mem_resolve_global(x, i, bytes, kinds, p->address, offset);
		ok = good || !x->event;
		if (good)
			move(x, i, p, offset);
		x->after_is_due = false;
		if (good && observed && x->wants.kinds & EXEC_LOOK(ACCESS))
			mem_report_done(x, bytes, kinds, p->address);
		x->mask = all;
	}
	if (ok && kinds & EXEC_WRITE && p->lanes)
		x->n_stores++;
	return ok;
}

/* Copies between memory and rows of registers: elements of `bytes` bytes. */
static void put_element(struct exec *x, uint32_t ref, unsigned width, unsigned lane, uint64_t v)
{
	if (width <= 2)
		exec_dst16(x, ref)[lane] = (uint16_t)v;
	else if (width == 4)
		exec_dst32(x, ref)[lane] = (uint32_t)v;
	else
		exec_dst64(x, ref)[lane] = v;
}

static uint64_t element_of(const struct exec *x, uint32_t ref, unsigned width, unsigned lane)
{
	if (width <= 2)
		return ((const row_u16 *)(const void *)exec_operand(x, ref))[lane];
	return width == 4 ? exec_src32(x, ref)[lane] : exec_src64(x, ref)[lane];
}

static void move_loads(struct exec *x, const struct isa_insn *i, const struct places *p, const uint64_t offset[LANES])
{
	const uint32_t *refs = &x->program->aux[i->aux];
	const unsigned bytes = isa_type_bytes((enum isa_type)i->type);
	(void)p;
	LANES_EACH (l, x->mask)
		for (unsigned k = 0; k < i->vec; k++) {
			uint64_t v = 0;
			memcpy(&v, x->global + offset[l] + k * bytes, bytes);
			if (refs[k] != ISA_REF_NONE)
				put_element(x, refs[k], i->dst_bytes, l, v);
		}
}

ATOMIC_HANDLER(suld)
{
	struct places p;
	const uint32_t *refs = &x->program->aux[i->aux];
	if (!find_places(x, i, refs + i->vec, &p))
		return;
	if (!access_surface(x, i, &p, EXEC_READ, move_loads, observed))
		return;
	LANES_EACH (l, x->mask & ~p.lanes)
		for (unsigned k = 0; k < i->vec; k++)
			if (refs[k] != ISA_REF_NONE)
				put_element(x, refs[k], i->dst_bytes, l, 0);
}

static void move_stores(struct exec *x, const struct isa_insn *i, const struct places *p, const uint64_t offset[LANES])
{
	const uint32_t *refs = &x->program->aux[i->aux] + isa_coordinates(i);
	const unsigned bytes = isa_type_bytes((enum isa_type)i->type);
	(void)p;
	LANES_EACH (l, x->mask)
		for (unsigned k = 0; k < i->vec; k++) {
			const uint64_t v = element_of(x, refs[k], i->dst_bytes, l);
			memcpy(x->global + offset[l] + k * bytes, &v, bytes);
		}
}

/* sust.p: converts a value of 32 bits to a channel's format. */
static uint32_t to_channel(const struct exec_texture *t, uint32_t v)
{
	return t->channel == EXEC_CHANNEL_FLOAT && t->channel_bytes == 2 ? f32_to_f16(f32_from(v)) : v;
}

static void move_texels(struct exec *x, const struct isa_insn *i, const struct places *p, const uint64_t offset[LANES])
{
	const uint32_t *refs = &x->program->aux[i->aux] + isa_coordinates(i);
	LANES_EACH (l, x->mask) {
		const struct exec_texture *t = &p->surface[p->first[l]];
		for (unsigned k = 0; k < t->n_channels; k++) {
			const uint32_t v = k < i->vec ? to_channel(t, (uint32_t)element_of(x, refs[k], i->dst_bytes, l)) : 0;
			memcpy(x->global + offset[l] + k * t->channel_bytes, &v, t->channel_bytes);
		}
	}
}

ATOMIC_HANDLER(sust)
{
	struct places p;
	if (find_places(x, i, &x->program->aux[i->aux], &p))
		access_surface(x, i, &p, EXEC_WRITE, i->flags & ISA_F_SURF_TEXELS ? move_texels : move_stores, observed);
}

#define REDUCE(type) \
	{ \
		type old, b = (type)v; \
		memcpy(&old, at, sizeof old); \
		old = op == ISA_ATOM_ADD   ? (type)(old + b) \
		      : op == ISA_ATOM_MIN ? (old < b ? old : b) \
		      : op == ISA_ATOM_MAX ? (old > b ? old : b) \
		      : op == ISA_ATOM_AND ? (type)(old & b) \
					   : (type)(old | b); \
		memcpy(at, &old, sizeof old); \
		break; \
	}
static void reduce(char *at, enum isa_type type, unsigned op, uint64_t v)
{
	switch (type) {
	case ISA_S32: REDUCE(int32_t)
	case ISA_S64: REDUCE(int64_t)
	case ISA_U64:
	case ISA_B64: REDUCE(uint64_t)
	default: REDUCE(uint32_t)
	}
}

static void move_reductions(struct exec *x, const struct isa_insn *i, const struct places *p, const uint64_t offset[LANES])
{
	const uint32_t ref = x->program->aux[i->aux + isa_coordinates(i)];
	LANES_EACH (l, x->mask) {
		const struct exec_texture *t = &p->surface[p->first[l]];
		enum isa_type type = (enum isa_type)i->type;
		if (i->flags & ISA_F_SURF_TEXELS && t->channel == EXEC_CHANNEL_SIGNED) /* the surface's format says how the bits count */
			type = type == ISA_B64 ? ISA_S64 : ISA_S32;
		reduce(x->global + offset[l], type, i->atom, element_of(x, ref, i->dst_bytes, l));
	}
}

ATOMIC_HANDLER(sured)
{
	struct places p;
	if (find_places(x, i, &x->program->aux[i->aux], &p))
		access_surface(x, i, &p, EXEC_READ | EXEC_WRITE | EXEC_ATOMIC, move_reductions, observed);
}

/* ---- queries ---- */

/* PTX ISA, tables of channel_data_type and channel_order: OpenCL's numbers. */
static uint32_t channel_type(const struct exec_texture *t)
{
	static const uint32_t normalized[] = {0x10d2, 0x10d0}, plain[] = {0x10da, 0x10d7};
	const unsigned width = t->channel_bytes == 1 ? 0 : t->channel_bytes == 2 ? 1 : 2;
	if (t->channel == EXEC_CHANNEL_FLOAT)
		return t->channel_bytes == 2 ? 0x10dd : 0x10de;
	return (t->reads_normalized && width < 2 ? normalized : plain)[t->channel] + width;
}

static uint32_t answer(const struct exec_texture *t, unsigned query, uint32_t level)
{
	static const uint32_t edges[] = {[EXEC_EDGE_WRAP] = 0, [EXEC_EDGE_MIRROR] = 1, [EXEC_EDGE_CLAMP] = 3, [EXEC_EDGE_BORDER] = 4};
	level = level < t->n_levels ? level : t->n_levels - 1;
	switch ((enum isa_texture_query)query) {
	case ISA_QUERY_WIDTH: return exec_level_extent(t->width, level);
	case ISA_QUERY_HEIGHT: return exec_level_extent(t->height, level);
	case ISA_QUERY_DEPTH: return exec_level_extent(t->depth, level);
	case ISA_QUERY_CHANNEL_TYPE: return channel_type(t);
	case ISA_QUERY_CHANNEL_ORDER: return t->n_channels == 1 ? 0x10b0 : t->n_channels == 2 ? 0x10b2 : 0x10b5;
	case ISA_QUERY_NORMALIZED: return t->normalized;
	case ISA_QUERY_ARRAY_SIZE: return t->is_cube ? t->layers / 6 : t->layers;
	case ISA_QUERY_LEVELS: return t->n_levels;
	case ISA_QUERY_SAMPLES: return 1;
	case ISA_QUERY_UNNORMALIZED: return !t->normalized;
	case ISA_QUERY_FILTER: return t->filters;
	case ISA_QUERY_ADDRESS_0: return edges[t->edge[0]];
	case ISA_QUERY_ADDRESS_1: return edges[t->edge[1]];
	case ISA_QUERY_ADDRESS_2: return edges[t->edge[2]];
	default: return 0; /* memory_layout: linear */
	}
}

static void ask(struct exec *x, const struct isa_insn *i, bool is_surface)
{
	const uint32_t all = x->mask;
	for (uint32_t rest = all; rest;) {
		const uint32_t same = same_handles(x, i, rest);
		struct exec_texture t;
		if (!find_texture(x, exec_src64(x, i->a)[lanes_first(rest)], same, is_surface, &t))
			return;
		LANES_EACH (l, same)
			exec_dst32(x, i->dst)[l] = answer(&t, i->mode, i->c == ISA_REF_NONE ? 0 : exec_src32(x, i->c)[l]);
		rest &= ~same;
	}
}
EXEC_HANDLER(txq) { ask(x, i, false); }
EXEC_HANDLER(suq) { ask(x, i, true); }

EXEC_HANDLER(istypep)
{
	uint32_t are = 0;
	LANES_EACH (l, x->mask) {
		struct exec_texture t;
		const uint64_t handle = exec_src64(x, i->a)[l];
		if (x->services.texture && x->services.texture(x->services.self, x->context, handle, &t) && t.is_surface == (i->mode == ISA_IS_SURFREF))
			are |= lanes_bit(l);
	}
	exec_pred_write(x, i->dst, are);
}

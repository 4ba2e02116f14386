/* suld, sust and sured. */
#include <stdio.h>

#include "exec/lanes_half.h"
#include "exec/memory.h"
#include "exec/texture_unit.h"
#include "isa/opcodes.h"

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

uint32_t texture_surface_bytes(const struct isa_insn *i, const struct exec_texture *t)
{
	return i->flags & ISA_F_SURF_TEXELS ? exec_texel_bytes(t) : isa_type_bytes((enum isa_type)i->type) * (i->vec ? i->vec : 1u);
}

bool texture_surface_place(const struct exec *x, const struct isa_insn *i, const struct exec_texture *t, unsigned lane, const uint32_t *rows,
			   struct surface_place *out)
{
	const struct isa_geometry_info *g = &isa_geometry_info[i->mode];
	const uint32_t texel = exec_texel_bytes(t);
	const bool by_texel = i->flags & ISA_F_SURF_TEXELS;
	const int64_t extent[3] = {(int64_t)t->width * (by_texel ? 1 : texel), t->height, t->depth};
	int64_t at[3] = {0};
	out->index = g->is_layered ? exec_src32(x, rows[0])[lane] : 0;
	bool ok = out->index < t->layers || i->mode2 == ISA_EDGE_CLAMP;
	const uint32_t layer = out->index < t->layers ? out->index : t->layers - 1;
	for (unsigned k = 0; k < g->position; k++) {
		at[k] = out->written[k] = (int32_t)exec_src32(x, rows[g->index + k])[lane];
		const int64_t step = k || by_texel ? 1 : texture_surface_bytes(i, t);
		ok = bring_inside(&at[k], extent[k], step, (enum isa_surface_edge)i->mode2) && ok;
	}
	const uint32_t z = g->is_layered ? layer : (uint32_t)at[2];
	out->address = ok ? exec_texel_address(t, 0, 0, (uint32_t)at[1], z) + (uint64_t)at[0] * (by_texel ? texel : 1) : 0;
	return ok;
}

/* Finds the place of one lane. Returns false if the instruction faults. */
static bool place_lane(struct exec *x, const struct isa_insn *i, struct places *p, unsigned lane, const uint32_t *rows)
{
	const struct exec_texture *t = &p->surface[p->first[lane]];
	struct surface_place at = {0};
	if (texture_surface_place(x, i, t, lane, rows, &at)) {
		p->address[lane] = at.address;
		p->lanes |= lanes_bit(lane);
		return true;
	}
	if (i->mode2 == ISA_EDGE_TRAP)
		raise_outside(x, t, lanes_bit(lane), at.written, !(i->flags & ISA_F_SURF_TEXELS), isa_geometry_info[i->mode].position, at.index);
	return i->mode2 != ISA_EDGE_TRAP;
}

/* Finds all lanes' places. Returns false if the instruction faults. */
static bool find_places(struct exec *x, const struct isa_insn *i, const uint32_t *rows, struct places *p)
{
	p->lanes = 0;
	memset(p->address, 0, sizeof p->address);
	p->bytes = isa_type_bytes((enum isa_type)i->type) * i->vec;
	for (uint32_t rest = x->mask; rest;) {
		const uint32_t same = texture_same_handles(x, i, rest);
		const unsigned first = lanes_first(rest);
		if (!texture_find(x, exec_src64(x, i->a)[first], same, true, &p->surface[first]))
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


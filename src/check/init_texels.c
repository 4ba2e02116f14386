/* The init checker at texture and surface instructions: uninitialised texels reach registers, uninitialised registers reach texels. */
#include <string.h>

#include "base/xalloc.h"
#include "check/init.h"
#include "exec/texture.h"
#include "isa/opcodes.h"
#include "isa/texture.h"

struct init_texels {
	struct exec_texels lane[LANES]; /* n is 0 for lanes without an access */
};

void init_note_texels(struct init *in, const struct exec *x, const struct isa_insn *i)
{
	const struct gpu *g = check_gpu(in->c);
	const bool has_aliases = gpu_aliases_changed(g);
	if (!in->texels)
		in->texels = xcalloc(1, sizeof *in->texels);
	LANES_EACH (l, in->mask) {
		struct exec_texels *t = &in->texels->lane[l];
		if (!exec_texels_of_lane(x, i, l, t))
			t->n = 0;
		for (uint32_t k = 0; k < t->n && has_aliases; k++)
			t->texel[k].address = gpu_device_address(g, t->texel[k].address);
		in->address[l] = t->n ? t->texel[0].address : 0;
	}
}

/* Returns the uninitialised bits of n bytes of a texel, n up to 8, and notes where they came from. */
static uint64_t undefined_bits(struct init *in, const struct exec *x, uint64_t address, unsigned n, unsigned lane, uint32_t *from)
{
	const uint8_t *p = init_memory_at(in, x, address, lane, n, false);
	uint64_t defined = 0;
	if (!p || !init_is_watched(in, address))
		return 0;
	memcpy(&defined, p, n);
	const uint64_t bits = ~defined & (n >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * n) - 1);
	if (bits && !*from)
		*from = init_from_memory(in, x, address, lane);
	return bits;
}

/* Returns the uninitialised bits of a channel of the result, in 32 bits. `only`: the one texel that counts, or EXEC_TEXELS_MAX for all of them. */
static uint32_t channel_bits(struct init *in, const struct exec *x, const struct exec_texels *t, unsigned lane, unsigned channel, uint32_t only,
			     uint32_t *from)
{
	const struct exec_texture *of = &t->of;
	const unsigned bytes = of->channel_bytes;
	const bool is_copy = t->n == 1 || only < EXEC_TEXELS_MAX, is_raw = !exec_texture_is_float(of) || (of->channel == EXEC_CHANNEL_FLOAT && bytes == 4);
	uint64_t bits = 0;
	if (channel >= of->n_channels)
		return 0;
	for (uint32_t k = 0; k < t->n; k++)
		if (!t->texel[k].is_border && t->texel[k].weight != 0 && (only == EXEC_TEXELS_MAX || only == k))
			bits |= undefined_bits(in, x, t->texel[k].address + (uint64_t)channel * bytes, bytes, lane, from);
	if (!bits || !is_copy || !is_raw)
		return bits ? UINT32_MAX : 0;
	const bool extends = of->channel == EXEC_CHANNEL_SIGNED && bytes < 4 && bits >> (8 * bytes - 1);
	return (uint32_t)(extends ? bits | UINT64_MAX << 8 * bytes : bits);
}

/* Returns the uninitialised bits of element k of a lane's result. */
static uint64_t result_bits(struct init *in, const struct exec *x, const struct isa_insn *i, unsigned lane, unsigned k, uint32_t *from)
{
	const struct exec_texels *t = &in->texels->lane[lane];
	const unsigned own = isa_type_bytes((enum isa_type)i->type);
	if (!t->n)
		return 0;
	if (i->opcode == ISA_OP_SULD)
		return undefined_bits(in, x, t->texel[0].address + (uint64_t)k * own, own, lane, from);
	if (i->opcode == ISA_OP_TLD4)
		return channel_bits(in, x, t, lane, i->mode2, k, from);
	if (i->type == ISA_F16X2)
		return (channel_bits(in, x, t, lane, 2 * k, EXEC_TEXELS_MAX, from) ? 0xffffu : 0) |
		       (channel_bits(in, x, t, lane, 2 * k + 1, EXEC_TEXELS_MAX, from) ? 0xffff0000u : 0);
	return channel_bits(in, x, t, lane, k, EXEC_TEXELS_MAX, from);
}

void init_texel_load(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	const bool is_whole = i->flags & ISA_F_TEX_COMPARE || i->type == ISA_F16;
	init_write_defined(in, x, f);
	for (unsigned k = 0; k < i->vec && in->texels; k++) {
		const uint32_t ref = x->program->aux[i->aux + k];
		uint64_t bits[LANES][2] = {0};
		uint32_t from = 0;
		if (ref == ISA_REF_NONE)
			continue;
		LANES_EACH (l, in->mask) {
			bits[l][0] = result_bits(in, x, i, l, k, &from);
			bits[l][0] = bits[l][0] && is_whole ? UINT32_MAX : bits[l][0];
		}
		if (from)
			init_row_set(in, f, ISA_RW_ROW(ref), in->mask, bits, from);
	}
}

/* Stores the shadow of n bytes of a texel: these bits aren't initialised. */
static void put_bits(struct init *in, const struct exec *x, const struct init_frame *f, uint32_t ref, uint64_t address, unsigned n, unsigned lane,
		     uint64_t bits)
{
	uint8_t *p = init_memory_at(in, x, address, lane, n, true);
	const uint64_t defined = ~bits;
	if (!p)
		return;
	if (bits)
		init_stored_note(in, x, address, n, lane, init_from_of(in, x, ISA_RW_ROW(ref), f->units[ISA_REF_OFFSET(ref) / 64].from, lane));
	memcpy(p, &defined, n);
}

/* Returns the uninitialised bits of a source row's lane; constants have none. */
static uint64_t source_bits(const struct init_frame *f, uint32_t ref, unsigned lane)
{
	uint64_t bits[2] = {0, 0};
	if (ref != ISA_REF_NONE && ISA_REF_BASE(ref) == ISA_BASE_FRAME)
		init_row_get(f, ref, lane, bits);
	return bits[0];
}

static void store_lane(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f, unsigned lane)
{
	const struct exec_texels *t = &in->texels->lane[lane];
	const uint32_t *refs = &x->program->aux[i->aux] + isa_coordinates(i);
	const unsigned own = isa_type_bytes((enum isa_type)i->type), vec = i->vec ? i->vec : 1;
	const uint64_t at = t->texel[0].address;
	if (i->opcode == ISA_OP_SURED) {
		put_bits(in, x, f, refs[0], at, own, lane, 0);
		return;
	}
	if (!(i->flags & ISA_F_SURF_TEXELS)) {
		for (unsigned k = 0; k < vec; k++)
			put_bits(in, x, f, refs[k], at + (uint64_t)k * own, own, lane, source_bits(f, refs[k], lane));
		return;
	}
	for (unsigned k = 0; k < t->of.n_channels; k++) /* conversions: all bits or none */
		put_bits(in, x, f, refs[k < vec ? k : 0], at + (uint64_t)k * t->of.channel_bytes, t->of.channel_bytes, lane,
			 k < vec && source_bits(f, refs[k], lane) ? UINT64_MAX : 0);
}

void init_texel_store(struct init *in, const struct exec *x, const struct isa_insn *i, const struct init_frame *f)
{
	LANES_EACH (l, in->texels ? in->mask : 0)
		if (in->texels->lane[l].n)
			store_lane(in, x, i, f, l);
}

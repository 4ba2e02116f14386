/* PTX instructions that become several: vector moves, cvt of a special register that changes, arrays indexed by a register. The
 * extra instructions stand before the main one, have its guard and its place in the source, and use rows that no PTX register
 * has. How many they are is known before anything is lowered, so that labels have their places. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/special.h"
#include "ptx/lower.h"
#include "ptx/special_names.h"

static bool is_vector_special(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_SPECIAL && o->special && o->special->dims > 1 && o->dim == PTX_NO_DIM;
}

static bool is_changing_special(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_SPECIAL && o->special && lower_special_ref(o) == ISA_REF_NONE;
}

static bool is_indexed(const struct ptx_operand *o) { return o->kind == PTX_OP_ADDRESS && o->n_elems == 2; }

/* Packing converts registers to the size of the elements, which an integer in front leaves open. */
static bool is_converted(const struct ptx_operand *e, unsigned bytes)
{
	return e->kind == PTX_OP_REG && lower_reg_bytes(e) != bytes;
}

static uint32_t count_converted(const struct ptx_insn *in, const struct ptx_operand *v)
{
	const unsigned bytes = v->n_elems ? isa_type_bytes((enum isa_type)in->opcode->types[0]) / v->n_elems : 0;
	uint32_t n = 0;

	for (uint32_t k = 0; k < v->n_elems; k++)
		n += is_converted(&v->elems[k], bytes);
	return n;
}

static uint32_t extra_of_form(const struct ptx_insn *in)
{
	const struct ptx_operand *o = in->operands;

	if (in->opcode->opcode == ISA_OP_MOV && in->opcode->vec > 1)
		return in->n_operands == 2 && is_vector_special(&o[1]) ? in->opcode->vec - 1u : 1;
	if (in->opcode->opcode == ISA_OP_MOV && in->n_operands == 2 && o[1].kind == PTX_OP_VECTOR)
		return count_converted(in, &o[1]);
	if (in->opcode->opcode == ISA_OP_CVT)
		return in->n_operands == 2 && is_changing_special(&o[1]);
	for (uint32_t k = 0; k < in->n_operands; k++)
		if (is_indexed(&o[k]))
			return lower_reg_bytes(&o[k].elems[1]) == 4 ? 3 : 4;
	return 0;
}

uint32_t lower_extra(const struct ptx_insn *in)
{
	return in->no_meaning ? 0 : extra_of_form(in) + lower_adaptions(in);
}

/* ---- places ---- */

void lower_plan_extra(struct lower_usage *u, struct pool *pool)
{
	const struct ptx_function *f = u->f;
	struct lower_step *v = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < f->n_insns; i++) {
		uint32_t extra = lower_extra(&f->insns[i]);
		if (!extra)
			continue;
		u->n_extra += extra;
		u->adapts |= lower_adaptions(&f->insns[i]) > 0;
		v = xgrow(v, &cap, n + 1, sizeof *v);
		v[n++] = (struct lower_step){i, u->n_extra};
	}
	u->steps = pool_dup(pool, v, n * sizeof *v);
	u->n_steps = (uint32_t)n;
	free(v);
}

uint32_t lower_place_of(const struct lower_usage *u, uint32_t insn)
{
	uint32_t low = 0, high = u->n_steps;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (u->steps[middle].insn < insn)
			low = middle + 1;
		else
			high = middle;
	}
	return insn + (low ? u->steps[low - 1].extra : 0);
}

/* ---- writing them ---- */

/* One of a few rows for values on the way, as wide as the widest register. */
uint32_t lower_temp_row(struct lower *l, uint32_t k)
{
	if (!l->temps) {
		l->temps = l->out->frame_bytes;
		l->out->frame_bytes += (LOWER_TEMPS + LOWER_ADAPTED) * isa_row_bytes(16);
	}
	return l->temps + k * isa_row_bytes(16);
}

bool lower_is_temp(const struct lower *l, uint32_t ref)
{
	return l->temps && ref >= l->temps && ref < l->temps + (LOWER_TEMPS + LOWER_ADAPTED) * isa_row_bytes(16);
}

struct isa_insn lower_extra_insn(uint16_t handler, enum isa_opcode opcode, enum isa_type type, uint32_t dst)
{
	uint8_t bytes = (uint8_t)isa_type_bytes(type);

	return (struct isa_insn){.handler = handler,
				 .opcode = (uint16_t)opcode,
				 .dst = dst,
				 .dst2 = ISA_REF_NONE,
				 .a = ISA_REF_NONE,
				 .b = ISA_REF_NONE,
				 .c = ISA_REF_NONE,
				 .d = ISA_REF_NONE,
				 .type = (uint8_t)type,
				 .dst_bytes = bytes,
				 .a_bytes = bytes,
				 .vec = 1};
}

/* ---- vector moves ---- */

/* mov.vN {a, b ..}, %tid: one move each. The last one is the main instruction. */
static void move_special(struct lower *l, const struct ptx_operand *elems, uint32_t n, const struct ptx_operand *s)
{
	enum isa_type type = (enum isa_type)l->insn.type;
	bool half = isa_type_bytes(type) == 2;

	for (uint32_t k = 0; k < n; k++) {
		struct ptx_operand one = *s;
		one.dim = (uint8_t)k;
		struct isa_insn i = lower_extra_insn(half ? ISA_H_mov_b16_sreg : ISA_H_mov_b32, ISA_OP_MOV, type,
						     lower_dest(l, &elems[k]));
		i.a = lower_special_ref(&one);
		i.a_bytes = 4;
		i.type2 = half ? ISA_U32 : ISA_NOTYPE;
		if (k + 1 < n) {
			lower_emit_extra(l, i);
		} else {
			i.guard = l->insn.guard;
			l->insn = i;
		}
	}
}

static enum isa_type whole_type(unsigned bytes)
{
	if (bytes == 16)
		return ISA_B128;
	return bytes == 8 || bytes == 4 || bytes == 2 ? lower_untyped(bytes) : ISA_NOTYPE;
}

/* Both sides are read before anything is written: through one wide row. */
void lower_mov_vector(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *s)
{
	struct ptx_operand to[8], from[8];
	uint32_t refs[8], n = lower_elements(d, to, 8), n_from = is_vector_special(s) ? n : lower_elements(s, from, 8);
	enum isa_type type = (enum isa_type)l->insn.type, whole = whole_type(n * isa_type_bytes(type));

	if (n != l->insn.vec || n_from != n || whole == ISA_NOTYPE) {
		lower_unsupported(l);
		return;
	}
	if (is_vector_special(s)) {
		move_special(l, to, n, s);
		return;
	}
	struct isa_insn pack = lower_extra_insn(ISA_H_mov_pack, ISA_OP_MOV, whole, lower_temp_row(l, 0));
	for (uint32_t k = 0; k < n; k++)
		refs[k] = lower_source(l, &from[k], type);
	pack.vec = (uint8_t)n;
	pack.aux = lower_aux(l, refs, n);
	lower_emit_extra(l, pack);
	for (uint32_t k = 0; k < n; k++)
		refs[k] = to[k].kind == PTX_OP_SINK ? ISA_REF_NONE : lower_dest(l, &to[k]);
	l->insn.handler = ISA_H_mov_unpack;
	l->insn.type = (uint8_t)whole;
	l->insn.a = lower_temp_row(l, 0);
	l->insn.aux = lower_aux(l, refs, n);
	l->insn.dst_bytes = (uint8_t)isa_type_bytes(type);
}

/* ---- cvt of %clock and the like ---- */

uint32_t lower_read_changing(struct lower *l, const struct ptx_operand *o)
{
	struct isa_insn i = lower_extra_insn(lower_changing_handler(o->special->name), ISA_OP_MOV,
					     (enum isa_type)o->special->type, lower_temp_row(l, 0));

	if (i.handler == ISA_H_UNSUPPORTED)
		lower_unsupported(l);
	lower_emit_extra(l, i);
	return i.dst;
}

/* ---- name[%r + constant] ---- */

static uint32_t base_address(struct lower *l, const struct ptx_symbol *s)
{
	struct lower_place p = lower_symbol_place(l, s, 0);
	struct isa_insn i = lower_extra_insn(ISA_H_mov_b64, ISA_OP_MOV, ISA_B64, lower_temp_row(l, 1));

	if (l->insn.space == ISA_SPACE_GENERIC)
		l->insn.space = (uint8_t)p.space;
	switch (p.kind) {
	case LOWER_PLACE_FIXED: i.a = lower_const_row(l, p.address, 0, 8); break;
	case LOWER_PLACE_LINK: i.a = lower_const_symbol(l, p.link, 0, false, 8); break;
	case LOWER_PLACE_LOCAL:
		i.handler = ISA_H_mov_local_addr;
		i.imm = (int64_t)p.address;
		break;
	case LOWER_PLACE_DYNAMIC:
		i.handler = ISA_H_mov_dynshared;
		i.a = ISA_SPECIAL_REF(DYN_SHARED_BASE, 0);
		i.a_bytes = 4;
		break;
	case LOWER_PLACE_NONE: lower_unsupported(l); break;
	}
	lower_emit_extra(l, i);
	return i.dst;
}

/* ptxas counts scalars, scales the index in 32 bits and takes the product as unsigned. */
uint32_t lower_indexed_address(struct lower *l, const struct ptx_operand *o)
{
	const struct ptx_symbol *s = o->elems[0].symbol;
	uint32_t bytes = lower_reg_bytes(&o->elems[1]), element = s ? isa_type_bytes((enum isa_type)s->type) : 0;
	uint32_t index = lower_source(l, &o->elems[1], ISA_B32);

	if (!element || o->elems[1].kind != PTX_OP_REG) {
		lower_unsupported(l);
		return lower_temp_row(l, 0);
	}
	if (bytes != 4) {
		struct isa_insn narrow = lower_extra_insn(ISA_H_cvt, ISA_OP_CVT, ISA_U32, lower_temp_row(l, 0));
		narrow.type2 = bytes == 8 ? ISA_U64 : ISA_U16;
		narrow.a = index;
		narrow.a_bytes = (uint8_t)bytes;
		lower_emit_extra(l, narrow);
		index = narrow.dst;
	}
	struct isa_insn scale = lower_extra_insn(ISA_H_shl_b32, ISA_OP_SHL, ISA_B32, lower_temp_row(l, 0));
	scale.a = index;
	scale.b = lower_const_row(l, (uint64_t)__builtin_ctz(element), 0, 4);
	lower_emit_extra(l, scale);
	struct isa_insn add = lower_extra_insn(ISA_H_mad_wide_u32, ISA_OP_MAD, ISA_U32, lower_temp_row(l, 2));
	add.a = scale.dst;
	add.b = lower_const_row(l, 1, 0, 4);
	add.c = base_address(l, s);
	lower_emit_extra(l, add);
	return add.dst;
}

/* ---- elements of a packing mov ---- */

uint32_t lower_packed(struct lower *l, const struct ptx_operand *e, enum isa_type type, uint32_t k)
{
	static const enum isa_type of_size[2][9] = {{[1] = ISA_U8, [2] = ISA_U16, [4] = ISA_U32, [8] = ISA_U64},
						    {[1] = ISA_S8, [2] = ISA_S16, [4] = ISA_S32, [8] = ISA_S64}};
	const unsigned bytes = isa_type_bytes(type), have = lower_reg_bytes(e);

	if (e->kind == PTX_OP_SINK)
		return lower_const_row(l, 0, 0, bytes);
	if (e->kind == PTX_OP_FLOAT) /* of less than 32 bits ptxas takes none */
		return lower_const_row(l, bytes < 4 ? 0 : e->bits, 0, bytes);
	if (!is_converted(e, bytes))
		return ISA_REF_NONE;
	if (k >= LOWER_TEMPS + LOWER_ADAPTED || bytes > 8) {
		lower_unsupported(l);
		return ISA_REF_NONE;
	}
	struct isa_insn i = lower_extra_insn(ISA_H_cvt, ISA_OP_CVT, of_size[0][bytes], lower_temp_row(l, k));
	i.type2 = of_size[isa_type_is_signed((enum isa_type)e->symbol->type)][have > 8 ? 8 : have];
	i.type = of_size[isa_type_is_signed((enum isa_type)e->symbol->type)][bytes];
	i.a = lower_source(l, e, (enum isa_type)i.type2);
	i.a_bytes = (uint8_t)(have > 8 ? 8 : have);
	lower_emit_extra(l, i);
	return i.dst;
}

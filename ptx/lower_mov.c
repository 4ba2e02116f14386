/* mov: copies, immediates, addresses, special registers, packing and unpacking of vectors. */
#include <string.h>

#include "isa/special.h"
#include "ptx/lower.h"
#include "ptx/special_names.h"

#define VEC_MAX 8u

static bool is_vector(const struct ptx_operand *o)
{
	return o->kind == PTX_OP_VECTOR ||
	       (o->kind == PTX_OP_REG && o->symbol && o->symbol->vec > 1 && o->dim == PTX_NO_DIM);
}

/* Type of a constant element: as wide as the elements are. */
static enum isa_type element_type(const struct lower *l, uint32_t n)
{
	unsigned bytes = n ? isa_type_bytes((enum isa_type)l->insn.type) / n : 0;

	return lower_untyped(bytes > 8 ? 8 : bytes);
}

static void pack(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *s)
{
	struct ptx_operand elems[VEC_MAX];
	uint32_t refs[VEC_MAX], n = lower_elements(s, elems, VEC_MAX);

	for (uint32_t k = 0; k < n; k++)
		refs[k] = lower_packed(l, &elems[k], element_type(l, n), k);
	l->insn.dst = lower_dest(l, d);
	for (uint32_t k = 0; k < n; k++)
		if (refs[k] == ISA_REF_NONE)
			refs[k] = lower_source(l, &elems[k], element_type(l, n));
	l->insn.vec = (uint8_t)n;
	l->insn.aux = lower_aux(l, refs, n);
	l->insn.handler = ISA_H_mov_pack;
}

static void unpack(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *s)
{
	struct ptx_operand elems[VEC_MAX];
	uint32_t refs[VEC_MAX], n = lower_elements(d, elems, VEC_MAX);

	l->insn.a = lower_source(l, s, (enum isa_type)l->insn.type);
	for (uint32_t k = 0; k < n; k++) {
		refs[k] = elems[k].kind == PTX_OP_SINK ? ISA_REF_NONE : lower_dest(l, &elems[k]);
		if (elems[k].kind != PTX_OP_SINK)
			l->insn.dst_bytes = (uint8_t)lower_reg_bytes(&elems[k]);
	}
	l->insn.vec = (uint8_t)n;
	l->insn.aux = lower_aux(l, refs, n);
	l->insn.handler = ISA_H_mov_unpack;
}

/* ---- special registers ---- */

/* Those that change while a warp lives are read by handlers of their own. */
uint16_t lower_changing_handler(const char *name)
{
	static const struct {
		const char *name;
		uint16_t handler;
	} dynamic[] = {
		{"%clock", ISA_H_mov_clock},
		{"%clock_hi", ISA_H_mov_clock_hi},
		{"%clock64", ISA_H_mov_clock64},
		{"%globaltimer", ISA_H_mov_globaltimer},
		{"%globaltimer_lo", ISA_H_mov_globaltimer_lo},
		{"%globaltimer_hi", ISA_H_mov_globaltimer_hi},
	};

	for (size_t k = 0; k < sizeof dynamic / sizeof *dynamic; k++)
		if (!strcmp(name, dynamic[k].name))
			return dynamic[k].handler;
	return strncmp(name, "%pm", 3) ? ISA_H_UNSUPPORTED : ISA_H_mov_pm;
}

static void read_special(struct lower *l, const struct ptx_operand *o)
{
	unsigned bytes = isa_type_bytes((enum isa_type)l->insn.type);

	if (l->insn.type == ISA_PRED) { /* %is_explicit_cluster: there are no clusters */
		l->insn.a = ISA_PRED_TRUE | ISA_PRED_NOT;
		return;
	}
	uint16_t changing = lower_changing_handler(o->special->name);
	if (changing != ISA_H_UNSUPPORTED) {
		l->insn.handler = changing;
		return;
	}
	l->insn.a = lower_special_ref(o);
	l->insn.a_bytes = 4;
	if (l->insn.a == ISA_REF_NONE) {
		lower_unsupported(l);
	} else if (bytes == 8) {
		l->insn.type2 = ISA_U32;
		l->insn.handler = ISA_H_mov_b64_sreg;
	} else if (bytes == 2) {
		l->insn.type2 = ISA_U32;
		l->insn.handler = ISA_H_mov_b16_sreg;
	}
}

/* ---- addresses ---- */

void lower_take_address(struct lower *l, const struct ptx_operand *o)
{
	struct lower_place p = lower_symbol_place(l, o->symbol, o->bits);
	unsigned bytes = isa_type_bytes((enum isa_type)l->insn.type);

	l->insn.space = (uint8_t)p.space;
	switch (p.kind) {
	case LOWER_PLACE_FIXED: l->insn.a = lower_const_row(l, p.address, 0, bytes); break;
	case LOWER_PLACE_LINK: l->insn.a = lower_const_symbol(l, p.link, (int64_t)p.address, false, bytes); break;
	case LOWER_PLACE_LOCAL:
		l->insn.imm = (int64_t)p.address;
		l->insn.handler = ISA_H_mov_local_addr;
		break;
	case LOWER_PLACE_DYNAMIC:
		l->insn.a = ISA_SPECIAL_REF(DYN_SHARED_BASE, 0);
		l->insn.a_bytes = 4;
		l->insn.imm = (int64_t)p.address;
		l->insn.handler = ISA_H_mov_dynshared;
		break;
	case LOWER_PLACE_NONE: lower_unsupported(l); break;
	}
}

/* mov d, name[%r]: the address of an element. */
static void indexed_address(struct lower *l, const struct ptx_operand *o)
{
	uint32_t wide = lower_indexed_address(l, o);

	if (l->insn.dst_bytes != 8) {
		l->insn.handler = ISA_H_cvt;
		l->insn.type2 = ISA_U64;
		l->insn.a = wide;
		l->insn.a_bytes = 8;
		return;
	}
	l->insn.handler = ISA_H_add_s64;
	l->insn.a = wide;
	l->insn.b = lower_const_row(l, o->bits, 0, 8);
}

void lower_mov(struct lower *l)
{
	const struct ptx_operand *d = l->in->operands, *s = d + 1;

	if (l->in->n_operands != 2) {
		lower_unsupported(l);
		return;
	}
	if (l->insn.vec > 1) {
		lower_mov_vector(l, d, s);
		return;
	}
	if (is_vector(d)) {
		unpack(l, d, s);
		return;
	}
	if (is_vector(s)) {
		pack(l, d, s);
		return;
	}
	if (l->insn.type == ISA_PRED)
		l->insn.dst = lower_pred_dest(l, d);
	else
		l->insn.dst = lower_dest(l, d);
	uint32_t bytes = lower_reg_bytes(d);
	l->insn.dst_bytes = l->insn.a_bytes = (uint8_t)(bytes ? bytes : isa_type_bytes((enum isa_type)l->insn.type));
	if (s->kind == PTX_OP_SPECIAL && s->special)
		read_special(l, s);
	else if (s->kind == PTX_OP_SYMBOL && s->symbol)
		lower_take_address(l, s);
	else if (s->kind == PTX_OP_ADDRESS && s->n_elems == 2)
		indexed_address(l, s);
	else
		l->insn.a = lower_source(l, s, (enum isa_type)l->insn.type);
}

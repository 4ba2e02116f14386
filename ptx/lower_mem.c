/* Memory: ld, st, atom, red, prefetch and the like, cvta, isspacep. */
#include "isa/special.h"
#include "ptx/lower.h"

#define VEC_MAX 8u

/* ---- addresses ---- */

/* Parameters of device functions and of call sequences are in the local frame. */
static void go_local(struct lower *l)
{
	l->insn.space = ISA_SPACE_LOCAL;
	l->insn.flags |= ISA_F_PARAM;
	if (l->op->handler_local)
		l->insn.handler = l->op->handler_local;
	else
		l->insn.handler = l->op->handler_general;
}

/* ... also where only the address is given. */
static void go_local_in_function(struct lower *l)
{
	if (l->insn.space == ISA_SPACE_PARAM && !l->f->is_kernel && !l->op->param_entry)
		go_local(l);
}

static void address_symbol(struct lower *l, const struct ptx_symbol *s, uint64_t displacement)
{
	struct lower_place p = lower_symbol_place(l, s, displacement);

	/* a name without a space in the opcode: its own space */
	if (l->insn.space == ISA_SPACE_GENERIC && p.space != ISA_SPACE_CODE)
		l->insn.space = (uint8_t)p.space;
	l->insn.a_bytes = 8;
	l->insn.imm = (int64_t)p.address;
	switch (p.kind) {
	case LOWER_PLACE_FIXED: break;
	case LOWER_PLACE_LINK:
		l->insn.imm = 0;
		isa_link_ref(l->link, (struct link_ref){.kind = LINK_IMM,
							.byte_of = 0xff,
							.symbol = p.link,
							.at = l->p->n_insns,
							.addend = (int64_t)p.address});
		break;
	case LOWER_PLACE_LOCAL:
		l->insn.flags |= ISA_F_ADDR_SP;
		if (l->insn.space != ISA_SPACE_LOCAL)
			go_local(l);
		break;
	case LOWER_PLACE_DYNAMIC:
		l->insn.a = ISA_SPECIAL_REF(DYN_SHARED_BASE, 0);
		l->insn.a_bytes = 4;
		break;
	case LOWER_PLACE_NONE: lower_unsupported(l); break;
	}
}

static void address_register(struct lower *l, const struct ptx_operand *base, uint64_t displacement)
{
	l->insn.a = lower_source(l, base, ISA_B64);
	l->insn.a_bytes = (uint8_t)lower_reg_bytes(base);
	l->insn.imm = (int64_t)displacement;
	go_local_in_function(l);
}

static void address_constant(struct lower *l, uint64_t address)
{
	l->insn.a_bytes = 8;
	l->insn.imm = (int64_t)address;
	go_local_in_function(l);
}

void lower_address(struct lower *l, const struct ptx_operand *o)
{
	const struct ptx_operand *base = o->kind == PTX_OP_ADDRESS && o->n_elems ? &o->elems[0] : o;
	uint64_t displacement = o->kind == PTX_OP_ADDRESS ? o->bits : 0;

	if (o->kind == PTX_OP_ADDRESS && o->n_elems == 2) {
		l->insn.a = lower_indexed_address(l, o);
		l->insn.a_bytes = 8;
		l->insn.imm = (int64_t)displacement;
		go_local_in_function(l);
		return;
	}
	switch (base->kind) {
	case PTX_OP_SYMBOL:
		if (base->symbol) {
			address_symbol(l, base->symbol, displacement + (base == o ? 0 : base->bits));
			return;
		}
		break;
	case PTX_OP_REG: address_register(l, base, displacement); return;
	case PTX_OP_INT: address_constant(l, base->bits + (base == o ? 0 : displacement)); return;
	default: break;
	}
	lower_unsupported(l);
}

/* ---- data ---- */

static uint32_t data_ref(struct lower *l, const struct ptx_operand *o, bool writes)
{
	if (!writes)
		return lower_source(l, o, (enum isa_type)l->insn.type);
	return o->kind == PTX_OP_SINK ? ISA_REF_NONE : lower_dest(l, o);
}

/* Registers of a vector access, in refs; notes their width. */
static uint32_t put_elements(struct lower *l, const struct ptx_operand *o, bool writes, uint32_t *refs)
{
	struct ptx_operand elems[VEC_MAX];
	uint32_t n = lower_elements(o, elems, VEC_MAX);

	refs[0] = ISA_REF_NONE;
	for (uint32_t k = 0; k < n; k++) {
		refs[k] = data_ref(l, &elems[k], writes);
		uint32_t bytes = lower_reg_bytes(&elems[k]);
		if (bytes)
			l->insn.dst_bytes = (uint8_t)bytes;
	}
	if (n != l->insn.vec)
		lower_unsupported(l);
	return n;
}

/* The data operand of ld and st: one register in its field, or vec of them in aux. */
static void put_data(struct lower *l, const struct ptx_operand *o, bool writes)
{
	uint32_t refs[VEC_MAX], n;

	l->insn.dst_bytes = (uint8_t)isa_type_bytes((enum isa_type)l->insn.type);
	n = put_elements(l, o, writes, refs);
	if (l->insn.vec > 1)
		l->insn.aux = lower_aux(l, refs, n);
	else if (writes)
		l->insn.dst = refs[0];
	else
		l->insn.b = refs[0];
	/* the fast forms know one width; no register wants the value: the general one knows what to do */
	if (l->insn.dst_bytes != isa_type_bytes((enum isa_type)l->insn.type) ||
	    (l->insn.vec == 1 && writes && refs[0] == ISA_REF_NONE))
		l->insn.handler = l->op->handler_general;
}

static void lower_ld(struct lower *l, const struct ptx_operand *o, uint32_t n)
{
	if (n < 2) {
		lower_unsupported(l);
		return;
	}
	lower_address(l, &o[1]);
	put_data(l, &o[0], true);
	if (n > 2) /* cache policy */
		lower_source(l, &o[2], ISA_B64);
}

static void lower_st(struct lower *l, const struct ptx_operand *o, uint32_t n)
{
	if (n < 2) {
		lower_unsupported(l);
		return;
	}
	lower_address(l, &o[0]);
	put_data(l, &o[1], false);
	if (n > 2)
		lower_source(l, &o[2], ISA_B64);
}

/* ---- atomics ---- */

static void atom_vector(struct lower *l, const struct ptx_operand *d, const struct ptx_operand *b)
{
	uint32_t refs[2 * VEC_MAX], n = 0;

	if (d && d->kind == PTX_OP_SINK)
		for (; n < l->insn.vec && n < VEC_MAX; n++)
			refs[n] = ISA_REF_NONE;
	else if (d)
		n = put_elements(l, d, true, refs);
	n += put_elements(l, b, false, refs + n);
	l->insn.aux = lower_aux(l, refs, n);
}

static void lower_atom(struct lower *l, const struct ptx_operand *o, uint32_t n, bool has_dst)
{
	const struct ptx_operand *d = has_dst ? o++ : NULL;
	enum isa_type type = (enum isa_type)l->insn.type;

	n -= has_dst && n ? 1 : 0;
	if (n < 2 || (has_dst && !l->in->n_operands) || (l->insn.atom == ISA_ATOM_CAS && n < 3)) {
		lower_unsupported(l);
		return;
	}
	lower_address(l, &o[0]);
	l->insn.dst_bytes = (uint8_t)isa_type_bytes(type);
	if (l->insn.vec > 1) {
		atom_vector(l, d, &o[1]);
		return;
	}
	if (d && d->kind != PTX_OP_SINK)
		l->insn.dst = lower_dest(l, d);
	l->insn.b = lower_source(l, &o[1], type);
	if (l->insn.atom == ISA_ATOM_CAS)
		l->insn.c = lower_source(l, &o[2], type);
}

/* ---- address conversion ---- */

static void lower_cvta(struct lower *l, const struct ptx_operand *o, uint32_t n)
{
	if (n != 2) {
		lower_unsupported(l);
		return;
	}
	l->insn.dst = lower_dest(l, &o[0]);
	l->insn.dst_bytes = (uint8_t)lower_reg_bytes(&o[0]);
	lower_address(l, &o[1]);
}

static void lower_isspacep(struct lower *l, const struct ptx_operand *o, uint32_t n)
{
	if (n != 2) {
		lower_unsupported(l);
		return;
	}
	l->insn.dst = lower_pred_dest(l, &o[0]);
	l->insn.a = lower_source(l, &o[1], ISA_B64);
	uint32_t bytes = lower_reg_bytes(&o[1]);
	l->insn.a_bytes = (uint8_t)(bytes ? bytes : 8);
}

void lower_memory(struct lower *l)
{
	const struct ptx_operand *o = l->in->operands;
	uint32_t n = l->in->n_operands;

	switch (l->insn.opcode) {
	case ISA_OP_LD:
	case ISA_OP_LDU: lower_ld(l, o, n); break;
	case ISA_OP_ST: lower_st(l, o, n); break;
	case ISA_OP_ATOM: lower_atom(l, o, n, true); break;
	case ISA_OP_RED: lower_atom(l, o, n, false); break;
	case ISA_OP_CVTA: lower_cvta(l, o, n); break;
	case ISA_OP_ISSPACEP: lower_isspacep(l, o, n); break;
	default: /* prefetch, prefetchu, discard, applypriority */
		if (n)
			lower_address(l, &o[0]);
		if (n > 1 && o[1].kind == PTX_OP_INT)
			l->insn.b = lower_immediate(l, &o[1], ISA_B32);
		break;
	}
}

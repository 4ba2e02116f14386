/* Texture and surface instructions: isa/texture.h says where their operands go. */
#include "isa/texture.h"
#include "ptx/lower.h"

struct rows {
	uint32_t ref[ISA_TEXTURE_ROWS_MAX];
	uint32_t n;
};

static void add_row(struct lower *l, struct rows *r, uint32_t ref)
{
	if (r->n == ISA_TEXTURE_ROWS_MAX)
		lower_unsupported(l);
	else
		r->ref[r->n++] = ref;
}

/* Appends the first n elements of a source. Elements behind them are padding. */
static void add_sources(struct lower *l, struct rows *r, const struct ptx_operand *o, unsigned n, enum isa_type type)
{
	struct ptx_operand elems[8];
	const uint32_t have = lower_elements(o, elems, 8);

	for (uint32_t k = 0; k < n; k++) {
		if (k >= have) {
			lower_unsupported(l);
			return;
		}
		add_row(l, r, lower_source(l, &elems[k], type));
	}
	if (have > n)
		for (uint32_t k = n; k < have; k++)
			if (elems[k].kind == PTX_OP_REG)
				lower_source(l, &elems[k], type); /* padding is read, too */
}

/* Appends the instruction's results, vec of them. */
static void add_results(struct lower *l, struct rows *r, const struct ptx_operand *o)
{
	struct ptx_operand elems[8];
	const uint32_t have = lower_elements(o, elems, 8);

	if (have != l->insn.vec)
		lower_unsupported(l);
	l->insn.dst_bytes = (uint8_t)isa_type_bytes((enum isa_type)l->insn.type);
	for (uint32_t k = 0; k < have; k++) {
		const bool is_wanted = elems[k].kind != PTX_OP_SINK;
		add_row(l, r, is_wanted ? lower_dest(l, &elems[k]) : ISA_REF_NONE);
		const uint32_t bytes = is_wanted ? lower_reg_bytes(&elems[k]) : 0;
		if (bytes)
			l->insn.dst_bytes = (uint8_t)bytes;
	}
	if (have == 1)
		l->insn.dst = r->ref[0];
}

/* Returns the row of a handle: a register's, or that of a reference's address. */
static uint32_t handle_row(struct lower *l, const struct ptx_operand *o)
{
	struct ptx_operand base = *o;

	if (o->kind == PTX_OP_ADDRESS && o->n_elems == 1) {
		base = o->elems[0];
		if (base.kind != PTX_OP_SYMBOL && o->bits)
			lower_unsupported(l);
	}
	if (base.kind == PTX_OP_SYMBOL && base.symbol && base.symbol->kind == PTX_SYM_VARIABLE && base.symbol->space == ISA_SPACE_PARAM) {
		lower_unsupported(l); /* a .param reference: its value is loaded by ld.param as for nvcc */
		return lower_const_row(l, 0, 0, 8);
	}
	if (base.kind == PTX_OP_REG && lower_reg_bytes(&base) != 8)
		lower_unsupported(l);
	return lower_source(l, &base, ISA_B64);
}

/* [handle, {coordinates}] or [handle, sampler, {coordinates}] */
static const struct ptx_operand *put_place(struct lower *l, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_TEXADDR || o->n_elems < 2 || o->n_elems > 3) {
		lower_unsupported(l);
		return NULL;
	}
	l->insn.a = handle_row(l, &o->elems[0]);
	l->insn.a_bytes = 8;
	if (o->n_elems == 3)
		l->insn.b = handle_row(l, &o->elems[1]);
	return &o->elems[o->n_elems - 1];
}

static void add_coordinates(struct lower *l, struct rows *r, const struct ptx_operand *o, enum isa_type type)
{
	add_sources(l, r, o, isa_coordinates(&l->insn), type);
}

/* Behind the address: level or gradients, then offsets, which are a vector or integer, then the value to compare with. */
static void add_rest(struct lower *l, struct rows *r, const struct ptx_operand *o, uint32_t n)
{
	const struct isa_geometry_info *g = &isa_geometry_info[l->insn.mode];

	if (l->insn.opcode == ISA_OP_TEX && l->insn.mode2 == ISA_LOD_LEVEL && n) {
		add_sources(l, r, o++, 1, ISA_F32);
		n--;
	} else if (l->insn.opcode == ISA_OP_TEX && l->insn.mode2 == ISA_LOD_GRADIENT && n >= 2) {
		add_sources(l, r, o++, g->gradient, ISA_F32);
		add_sources(l, r, o++, g->gradient, ISA_F32);
		n -= 2;
	}
	if (n && (o->kind == PTX_OP_VECTOR || n == 2 || (o->kind == PTX_OP_REG && o->symbol->vec > 1 && o->dim == PTX_NO_DIM))) {
		l->insn.flags |= ISA_F_TEX_OFFSET;
		add_sources(l, r, o++, g->position, ISA_S32);
		n--;
	}
	if (n) {
		l->insn.flags |= ISA_F_TEX_COMPARE;
		add_sources(l, r, o, 1, ISA_F32);
		n--;
	}
	if (n)
		lower_unsupported(l);
}

static void lower_fetch(struct lower *l, const struct ptx_operand *o, uint32_t n, struct rows *r)
{
	const struct ptx_operand *d = o;

	l->insn.dst2 = ISA_PRED_NONE;
	if (o->kind == PTX_OP_PAIR && o->n_elems == 2) {
		d = &o->elems[0];
		l->insn.dst2 = lower_pred_dest(l, &o->elems[1]);
	}
	add_results(l, r, d);
	const struct ptx_operand *c = put_place(l, &o[1]);
	if (!c)
		return;
	add_coordinates(l, r, c, l->insn.opcode == ISA_OP_TLD4 ? ISA_F32 : (enum isa_type)l->insn.type2);
	add_rest(l, r, &o[2], n - 2);
}

static void lower_surface(struct lower *l, const struct ptx_operand *o, struct rows *r)
{
	const bool loads = l->insn.opcode == ISA_OP_SULD;

	if (loads)
		add_results(l, r, &o[0]);
	const struct ptx_operand *c = put_place(l, &o[loads ? 1 : 0]);
	if (!c)
		return;
	add_coordinates(l, r, c, ISA_S32);
	if (loads)
		return;
	struct ptx_operand elems[8];
	const uint32_t have = lower_elements(&o[1], elems, 8);
	if (have != l->insn.vec)
		lower_unsupported(l);
	l->insn.dst_bytes = (uint8_t)isa_type_bytes((enum isa_type)l->insn.type);
	for (uint32_t k = 0; k < have; k++) {
		add_row(l, r, lower_source(l, &elems[k], (enum isa_type)l->insn.type));
		const uint32_t bytes = lower_reg_bytes(&elems[k]);
		if (bytes)
			l->insn.dst_bytes = (uint8_t)bytes;
	}
}

static void lower_query(struct lower *l, const struct ptx_operand *o, uint32_t n)
{
	l->insn.dst = lower_dest(l, &o[0]);
	l->insn.dst_bytes = 4;
	l->insn.a = handle_row(l, &o[1]);
	l->insn.a_bytes = 8;
	if (n > 2)
		l->insn.c = lower_source(l, &o[2], ISA_B32);
}

void lower_texture(struct lower *l)
{
	const struct ptx_operand *o = l->in->operands;
	const uint32_t n = l->in->n_operands;
	struct rows r = {.n = 0};

	if (n < 2) {
		lower_unsupported(l);
		return;
	}
	switch (l->insn.opcode) {
	case ISA_OP_TEX:
	case ISA_OP_TLD4: lower_fetch(l, o, n, &r); break;
	case ISA_OP_SULD:
	case ISA_OP_SUST:
	case ISA_OP_SURED: lower_surface(l, o, &r); break;
	case ISA_OP_ISTYPEP:
		l->insn.dst = lower_pred_dest(l, &o[0]);
		l->insn.a = lower_source(l, &o[1], ISA_B64);
		l->insn.a_bytes = 8;
		break;
	default: lower_query(l, o, n); break;
	}
	if (r.n)
		l->insn.aux = lower_aux(l, r.ref, r.n);
}

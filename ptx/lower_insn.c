/* Instructions whose operands go to the fields as their form says: arithmetic, comparison, conversion, barriers, lane exchange. */
#include <string.h>

#include "ptx/lower.h"

/* ---- placing operands ---- */

struct fields {
	uint32_t next; /* source field to fill next */
	bool has_dst;
};

static void put_source(struct lower *l, enum lower_field field, uint32_t ref)
{
	switch (field) {
	case LOWER_A: l->insn.a = ref; break;
	case LOWER_B: l->insn.b = ref; break;
	case LOWER_C: l->insn.c = ref; break;
	case LOWER_D: l->insn.d = ref; break;
	case LOWER_NEXT: break;
	}
}

static void put_next(struct lower *l, struct fields *f, uint32_t ref)
{
	if (f->next > LOWER_D)
		lower_unsupported(l);
	else
		put_source(l, (enum lower_field)f->next++, ref);
}

/* d, p, d|p or p|q */
static void put_dest(struct lower *l, struct fields *f, const struct ptx_operand *o, const struct ptx_rule *r)
{
	bool pred = r->kind == PTX_RULE_PRED_DST || r->type == ISA_PRED;

	if (f->has_dst)
		lower_unsupported(l);
	f->has_dst = true;
	if (o->kind == PTX_OP_PAIR && o->n_elems == 2) {
		struct fields first = {0};
		put_dest(l, &first, &o->elems[0], r);
		l->insn.dst2 = lower_pred_dest(l, &o->elems[1]);
		return;
	}
	if (pred) {
		l->insn.dst = lower_pred_dest(l, o);
		return;
	}
	/* the leader's number and the result of a predicate-only lop3 may be unwanted */
	bool may_be_absent =
		l->insn.opcode == ISA_OP_ELECT || (l->insn.opcode == ISA_OP_LOP3 && l->insn.dst2 != ISA_REF_NONE);
	l->insn.dst = o->kind == PTX_OP_SINK && may_be_absent ? ISA_REF_NONE : lower_dest(l, o);
	uint32_t bytes = lower_reg_bytes(o);
	l->insn.dst_bytes = (uint8_t)(bytes ? bytes : isa_type_bytes((enum isa_type)r->type));
}

static void put_src(struct lower *l, struct fields *f, const struct ptx_operand *o, const struct ptx_rule *r,
		    bool is_mask)
{
	enum isa_type type = (enum isa_type)r->type;

	if (is_mask) {
		l->insn.d = lower_source(l, o, type);
		return;
	}
	if (f->next == LOWER_A) {
		uint32_t bytes = lower_reg_bytes(o);
		l->insn.a_bytes = (uint8_t)(bytes ? bytes : isa_type_bytes(type));
	}
	/* a special register under another width than its row's 32 bits is converted on the way, which only cvt can */
	if (o->kind == PTX_OP_SPECIAL && l->insn.opcode == ISA_OP_CVT && o->special) {
		bool changes = lower_special_ref(o) == ISA_REF_NONE;
		put_next(l, f, changes ? lower_read_changing(l, o) : lower_source(l, o, ISA_B32));
		if (!changes)
			l->insn.a_bytes = 4;
		return;
	}
	put_next(l, f, lower_source(l, o, type));
}

/* {a, b, c, e}: refs in aux. */
static void put_vector(struct lower *l, const struct ptx_operand *o, const struct ptx_rule *r)
{
	struct ptx_operand elems[8];
	uint32_t refs[8], n = lower_elements(o, elems, 8);

	for (uint32_t k = 0; k < n; k++)
		refs[k] = lower_source(l, &elems[k], (enum isa_type)r->type);
	l->insn.aux = lower_aux(l, refs, n);
	l->insn.vec = (uint8_t)n;
}

static void put_operand(struct lower *l, struct fields *f, const struct ptx_operand *o, const struct ptx_rule *r,
			bool is_mask)
{
	switch ((enum ptx_rule_kind)r->kind) {
	case PTX_RULE_DST:
	case PTX_RULE_PRED_DST:
	case PTX_RULE_VIDEO_DST: put_dest(l, f, o, r); break;
	case PTX_RULE_SRC:
	case PTX_RULE_REG:
	case PTX_RULE_VIDEO_SRC:
	case PTX_RULE_SIMD_SRC: put_src(l, f, o, r, is_mask); break;
	case PTX_RULE_PRED:
		if (l->op->pred_field == LOWER_NEXT)
			put_next(l, f, lower_pred_source(l, o));
		else
			put_source(l, (enum lower_field)l->op->pred_field, lower_pred_source(l, o));
		break;
	case PTX_RULE_IMM:
		if (o->kind == PTX_OP_INT)
			l->insn.imm = l->insn.opcode == ISA_OP_ALLOCA ? (int64_t)(uint32_t)o->bits : (int64_t)o->bits;
		break;
	case PTX_RULE_VECTOR: put_vector(l, o, r); break;
	case PTX_RULE_ADDRESS: /* of instructions without an effect here */ break;
	default: lower_unsupported(l);
	}
}

/* ---- video instructions: selectors and signs in imm, see isa/handlers_alu.def ---- */

static uint64_t scalar_bits(const struct lower *l, const struct ptx_opcode *op)
{
	const struct isa_insn *i = &l->insn;
	bool is_set = op->opcode == ISA_OP_VSET;
	/* vset has no type of its own for the result */
	uint64_t d_signed = !is_set && isa_type_is_signed((enum isa_type)op->types[0]);
	uint64_t a_signed = isa_type_is_signed((enum isa_type)op->types[is_set ? 0 : 1]);
	uint64_t b_signed = isa_type_is_signed((enum isa_type)op->types[is_set ? 1 : 2]);
	static const uint64_t second_of[] = {[ISA_ATOM_ADD] = 1, [ISA_ATOM_MIN] = 2, [ISA_ATOM_MAX] = 3};
	uint64_t second = op->atom < sizeof second_of / sizeof *second_of ? second_of[op->atom] : 0;
	uint64_t bits = d_signed << 12 | a_signed << 13 | b_signed << 14 | second << 16;

	bits |= (uint64_t)((i->flags & ISA_F_SAT) != 0) << 15;
	if (op->opcode == ISA_OP_VMAD)
		bits |= (uint64_t)((i->flags & ISA_F_PLUS_ONE) != 0) << 21 | (uint64_t)(op->mode & 3) << 22;
	if (op->opcode == ISA_OP_VSHL || op->opcode == ISA_OP_VSHR)
		bits |= (uint64_t)(op->mode == 2) << 24;
	return bits;
}

static void scalar_video(struct lower *l, const struct ptx_operand *o, uint32_t n)
{
	uint64_t bits = scalar_bits(l, l->op->op);

	for (uint32_t k = 0; k < n && k < 4; k++) {
		static const uint8_t select_at[] = {8, 0, 4, 0}, neg_at[] = {0, 18, 19, 20};
		if (k < 3)
			bits |= (uint64_t)(o[k].select & 7) << select_at[k];
		if (k && o[k].negated)
			bits |= UINT64_C(1) << neg_at[k];
	}
	l->insn.imm = (int64_t)bits;
}

/* Source selector of n elements: written .h10 or .b3210, element 0 last; so the digits are the nibbles. */
static uint64_t simd_select(const struct ptx_operand *o, unsigned n, bool is_b)
{
	if (o->select == PTX_SELECT_BYTES || o->select == PTX_SELECT_HALVES)
		return o->bits & 0xffff;
	if (n == 2)
		return is_b ? 0x32 : 0x10;
	return is_b ? 0x7654 : 0x3210;
}

/* Destination mask: the digits name the elements that are written. */
static uint64_t simd_mask(const struct ptx_operand *o, unsigned n)
{
	uint64_t mask = 0;

	if (o->select >= 1 && o->select <= 4)
		return UINT64_C(1) << (o->select - 1);
	if (o->select == 5 || o->select == 6)
		return UINT64_C(1) << (o->select - 5);
	if (!o->select)
		return (UINT64_C(1) << n) - 1;
	for (unsigned k = 0; k < o->dim && k < 4; k++)
		mask |= UINT64_C(1) << (o->bits >> (4 * k) & 3);
	return mask;
}

static void simd_video(struct lower *l, const struct ptx_operand *o, uint32_t n, unsigned elements)
{
	const struct ptx_opcode *op = l->op->op;
	bool is_set = op->opcode == ISA_OP_VSET2 || op->opcode == ISA_OP_VSET4;

	if (n < 3)
		return;
	uint64_t d_signed = !is_set && isa_type_is_signed((enum isa_type)op->types[0]);
	uint64_t a_signed = isa_type_is_signed((enum isa_type)op->types[is_set ? 0 : 1]);
	uint64_t b_signed = isa_type_is_signed((enum isa_type)op->types[is_set ? 1 : 2]);
	l->insn.imm =
		(int64_t)(simd_select(&o[1], elements, false) | simd_select(&o[2], elements, true) << 16 |
			  simd_mask(&o[0], elements) << 32 | d_signed << 36 | a_signed << 37 | b_signed << 38 |
			  (uint64_t)((op->flags & ISA_F_SAT) != 0) << 39 | (uint64_t)(op->atom == ISA_ATOM_ADD) << 40);
}

static void describe_video(struct lower *l)
{
	switch (l->insn.opcode) {
	case ISA_OP_VADD:
	case ISA_OP_VSUB:
	case ISA_OP_VABSDIFF:
	case ISA_OP_VMIN:
	case ISA_OP_VMAX:
	case ISA_OP_VSHL:
	case ISA_OP_VSHR:
	case ISA_OP_VMAD:
	case ISA_OP_VSET: scalar_video(l, l->in->operands, l->in->n_operands); break;
	case ISA_OP_VADD2:
	case ISA_OP_VSUB2:
	case ISA_OP_VAVRG2:
	case ISA_OP_VABSDIFF2:
	case ISA_OP_VMIN2:
	case ISA_OP_VMAX2:
	case ISA_OP_VSET2: simd_video(l, l->in->operands, l->in->n_operands, 2); break;
	case ISA_OP_VADD4:
	case ISA_OP_VSUB4:
	case ISA_OP_VAVRG4:
	case ISA_OP_VABSDIFF4:
	case ISA_OP_VMIN4:
	case ISA_OP_VMAX4:
	case ISA_OP_VSET4: simd_video(l, l->in->operands, l->in->n_operands, 4); break;
	default: break;
	}
}

/* ---- the whole ---- */

/* A cvt whose registers are wider than the types, or whose source is a special register, is one for the general handler. What packs
 * several sources into one register is not: there the type is that of a part. */
static void widen_cvt(struct lower *l)
{
	if (l->in->n_operands > 2)
		return;
	unsigned d = isa_type_bytes((enum isa_type)l->insn.type), a = isa_type_bytes((enum isa_type)l->insn.type2);

	if (l->insn.dst_bytes > d || l->insn.a_bytes > a)
		l->insn.handler = l->op->handler_general;
}

void lower_generic(struct lower *l)
{
	const struct ptx_insn *in = l->in;
	const struct ptx_shape *shape = lower_shape(l->op->op, in->n_operands);
	struct fields f = {0};

	if (!shape) {
		lower_unsupported(l);
		return;
	}
	/* optional operands are left out from the first optional rule on, as in bar.red a{,b},!q */
	uint32_t left_out = (uint32_t)shape->n_rules - in->n_operands, k = 0;
	for (uint32_t r = 0; r < shape->n_rules && k < in->n_operands; r++) {
		if (left_out && (shape->rules[r].flags & PTX_RULE_OPTIONAL)) {
			left_out--;
			f.next += shape->rules[r].kind == PTX_RULE_SRC;
			continue;
		}
		put_operand(l, &f, &in->operands[k], &shape->rules[r], r == l->op->mask_rule);
		k++;
	}
	if (l->insn.opcode == ISA_OP_CVT)
		widen_cvt(l);
	describe_video(l);
}

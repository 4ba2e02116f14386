/* Operands and combinations of modifiers of tensor instructions (PTX ISA "Warp-level matrix instructions"; what ptxas takes). */
#include <string.h>

#include "isa/opcodes.h"
#include "ptx/check.h"
#include "ptx/tensor.h"

static bool refuse(struct ptx_checker *c, const char *why)
{
	return check_fail(c, check_opcode_at(c), "'%.*s': %s", (int)c->op->text.n, c->op->text.s, why);
}

/* ---- modifiers ---- */

static bool check_minimum(struct ptx_checker *c, const struct isa_tensor_shape *s)
{
	if (s->ptx > c->version)
		return check_fail(c, check_opcode_at(c), "'%.*s' needs PTX ISA version %u.%u or later, this file is .version %u.%u", (int)c->op->text.n,
				  c->op->text.s, s->ptx / 10u, s->ptx % 10u, c->m->version_major, c->m->version_minor);
	if (s->sm > c->m->sm)
		return check_fail(c, check_opcode_at(c), "'%.*s' needs .target sm_%u or higher, this file is .target sm_%u", (int)c->op->text.n,
				  c->op->text.s, s->sm, c->m->sm);
	if (s->is_specific && !c->m->sm_suffix)
		return check_fail(c, check_opcode_at(c), "'%.*s' needs a target with features of its own such as sm_%ua, this file is .target sm_%u",
				  (int)c->op->text.n, c->op->text.s, s->sm, c->m->sm);
	return true;
}

static bool check_scaling(struct ptx_checker *c, const struct ptx_tensor *t)
{
	const struct isa_tensor *i = &t->tensor;
	const bool is_bytes = i->flags & ISA_TENSOR_BYTES;
	if (!(i->flags & ISA_TENSOR_SCALED))
		return t->is_mxf4 || t->is_nvf4 || (is_bytes && !t->is_kind_plain) || i->scale || i->scale_vec
			       ? refuse(c, "this .kind needs .block_scale, and scales a .kind that has them")
			       : true;
	if (t->is_kind_plain || t->is_mxf4 + t->is_nvf4 + is_bytes != 1)
		return refuse(c, ".block_scale needs one of .kind::mxf8f6f4, .kind::mxf4 and .kind::mxf4nvf4");
	if (t->is_nvf4 && !i->scale_vec)
		return refuse(c, ".kind::mxf4nvf4 needs .scale_vec::2X or .scale_vec::4X");
	const unsigned want = is_bytes ? 1 : i->scale == ISA_EL_UE4M3 ? 4 : 2;
	if (i->scale_vec != want || (i->scale != ISA_EL_UE8M0 && !(t->is_nvf4 && i->scale == ISA_EL_UE4M3)))
		return refuse(c, "the type of the scales doesn't go with this .kind and .scale_vec");
	return true;
}

static bool check_product(struct ptx_checker *c, const struct ptx_tensor *t)
{
	const struct isa_tensor *i = &t->tensor;
	const struct isa_tensor_shape *s = isa_tensor_shape_find(i);
	const enum isa_element a = (enum isa_element)i->element[ISA_MATRIX_A];
	const unsigned kind = isa_element_info[a].kind;
	if (!s)
		return refuse(c, "no such combination of shape and types");
	if (!check_minimum(c, s) || !check_scaling(c, t))
		return false;
	if (i->kind == ISA_TENSOR_MMA && i->element[ISA_MATRIX_C] == ISA_EL_F32 && i->element[ISA_MATRIX_D] != ISA_EL_F32)
		return refuse(c, ".dtype must be .f32 where .ctype is .f32");
	if (i->kind == ISA_TENSOR_MMA && !(a == ISA_EL_F16 && i->k == 4) && (i->flags & (ISA_TENSOR_COL_A | ISA_TENSOR_COL_B)) != ISA_TENSOR_COL_B)
		return refuse(c, "the layouts must be .row.col");
	if (a == ISA_EL_B1 && !t->has_bit_operation)
		return refuse(c, ".b1 needs .xor.popc or .and.popc");
	if (i->rnd && a != ISA_EL_F64)
		return refuse(c, "a rounding mode needs .f64");
	if (t->is_ordered && c->version < 85)
		return refuse(c, ".sp::ordered_metadata needs PTX ISA version 8.5 or later");
	if (i->flags & ISA_TENSOR_SPARSE && !t->is_ordered && s->ptx >= 87)
		return refuse(c, "these types need .sp::ordered_metadata");
	if (i->flags & ISA_TENSOR_SATFINITE && kind == ISA_ELEMENT_FLOAT && (i->kind == ISA_TENSOR_MMA || c->version >= 65))
		return refuse(c, ".satfinite needs integers");
	return true;
}

/* Rows and columns, number of matrices and .trans go together. Source: PTX ISA, "ldmatrix", "stmatrix". */
static bool check_matrices(struct ptx_checker *c, const struct isa_tensor *t)
{
	const bool is_bytes = t->element[ISA_MATRIX_D] == ISA_EL_B8, trans = t->flags & ISA_TENSOR_TRANS;
	bool ok = !is_bytes;
	if (t->m == 8 && t->n == 16)
		ok = t->packed != 8 && !trans;
	else if (t->m == 16 && t->n == 16)
		ok = is_bytes && trans && t->count <= 2;
	else if (t->m == 16 && t->n == 8)
		ok = is_bytes && trans;
	return ok || refuse(c, "no such combination of shape, number, .trans and type");
}

/* ---- operands ---- */

static enum isa_type register_type(const struct isa_fragment *f)
{
	if (f->reg_bytes == 8)
		return ISA_F64;
	return f->element == ISA_EL_F32 ? ISA_F32 : f->element == ISA_EL_S32 ? ISA_S32 : ISA_B32;
}

static bool register_fits(enum isa_type type, const struct ptx_operand *o)
{
	if (o->kind != PTX_OP_REG || o->negated || check_is_vector_reg(o))
		return false;
	const enum isa_type have = (enum isa_type)o->symbol->type;
	/* of packed elements any register of 32 bits but .f32 will do */
	if (type == ISA_B32)
		return have != ISA_F32 && check_reg_fits(ISA_B32, have, false);
	return check_reg_fits(type, have, false);
}

/* Checks a vector of n registers. Constants may stand among sources, `_` among results. */
static bool check_registers(struct ptx_checker *c, const char *what, const struct ptx_operand *o, unsigned n, enum isa_type type, bool is_result)
{
	if (o->kind != PTX_OP_VECTOR)
		return check_mismatch(c, what, o, "a vector of registers in braces");
	if (o->n_elems != n)
		return check_fail(c, o->at, "%s of '%.*s' has %u element%s; expected %u", what, (int)c->op->text.n, c->op->text.s, o->n_elems,
				  o->n_elems == 1 ? "" : "s", n);
	for (unsigned k = 0; k < n; k++) {
		const struct ptx_operand *e = &o->elems[k];
		const bool is_constant = e->kind == PTX_OP_INT || e->kind == PTX_OP_FLOAT;
		if ((is_result && e->kind == PTX_OP_SINK) || (!is_result && is_constant && check_constant_fits(type, e)))
			continue;
		if (!register_fits(type, e))
			return check_mismatch(c, what, e, type == ISA_F64 ? "a .f64 or .b64 register" : type == ISA_F32 ? "a .f32 or .b32 register" : "a 32-bit integer or .b32 register");
	}
	return true;
}

static bool check_count_is(struct ptx_checker *c, unsigned least, unsigned most)
{
	const unsigned n = c->insn->n_operands;
	if (n >= least && n <= most)
		return true;
	return check_fail(c, check_opcode_at(c), least == most ? "'%.*s' takes %u operands, not %u" : "'%.*s' takes %u operands or one more, not %u",
			  (int)c->op->text.n, c->op->text.s, least, n);
}

static bool check_matrix(struct ptx_checker *c, const struct isa_tensor *t, enum isa_matrix m, const struct ptx_operand *o)
{
	static const char *const names[] = {"matrix A", "matrix B", "matrix C", "the result"};
	struct isa_fragment f;
	isa_tensor_fragment(t, m, &f);
	return check_registers(c, names[m], o, f.n_rows, register_type(&f), m == ISA_MATRIX_D);
}

static bool check_scale(struct ptx_checker *c, const struct ptx_operand *scale, const struct ptx_operand *selector)
{
	if (!register_fits(ISA_B32, scale) && scale->kind != PTX_OP_INT)
		return check_mismatch(c, "the scales", scale, "a .b32 register");
	if (selector->kind != PTX_OP_VECTOR || selector->n_elems != 2)
		return check_mismatch(c, "the selector of the scales", selector, "{byte-id, thread-id}");
	for (unsigned k = 0; k < 2; k++) {
		const struct ptx_operand *e = &selector->elems[k];
		const bool is_register = e->kind == PTX_OP_REG && !check_is_vector_reg(e) && check_reg_fits(ISA_U16, (enum isa_type)e->symbol->type, false);
		if (e->kind != PTX_OP_INT && !is_register)
			return check_mismatch(c, "the selector of the scales", e, "a constant or a .u16 register");
	}
	return true;
}

static bool check_extra(struct ptx_checker *c, const struct isa_tensor *t, const struct ptx_operand *o)
{
	if (t->flags & ISA_TENSOR_SPARSE) {
		if (!register_fits(ISA_B32, &o[0]) && o[0].kind != PTX_OP_INT)
			return check_mismatch(c, "the metadata", &o[0], "a .b32 register");
		if (o[1].kind != PTX_OP_INT || o[1].bits >= isa_tensor_selectors(t))
			return check_fail(c, o[1].at, "the sparsity selector of '%.*s' must be a constant below %u", (int)c->op->text.n, c->op->text.s,
					  isa_tensor_selectors(t));
		o += 2;
	}
	return !(t->flags & ISA_TENSOR_SCALED) || (check_scale(c, &o[0], &o[1]) && check_scale(c, &o[2], &o[3]));
}

static bool check_multiplication(struct ptx_checker *c, const struct ptx_tensor *t)
{
	const struct ptx_operand *o = c->insn->operands;
	const struct isa_tensor *i = &t->tensor;
	const unsigned n = 4u + (i->flags & ISA_TENSOR_SPARSE ? 2u : 0) + (i->flags & ISA_TENSOR_SCALED ? 4u : 0);
	return check_product(c, t) && check_count_is(c, n, n) && check_matrix(c, i, ISA_MATRIX_D, &o[0]) && check_matrix(c, i, ISA_MATRIX_A, &o[1]) &&
	       check_matrix(c, i, ISA_MATRIX_B, &o[2]) && check_matrix(c, i, ISA_MATRIX_C, &o[3]) && check_extra(c, i, &o[4]);
}

static bool check_wmma_memory(struct ptx_checker *c, const struct isa_tensor *t)
{
	const struct ptx_operand *o = c->insn->operands;
	const enum isa_matrix m = (enum isa_matrix)t->matrix;
	const bool loads = t->kind == ISA_TENSOR_WMMA_LOAD;
	struct isa_fragment f;
	const struct isa_tensor_shape *s = isa_tensor_wmma_shape(t, m);
	if (!isa_tensor_fragment(t, m, &f) || !s)
		return refuse(c, "no such combination of shape and type");
	if (!check_minimum(c, s) || !check_count_is(c, 2, 3))
		return false;
	if (f.bits < 8 && ((m == ISA_MATRIX_A && t->flags & ISA_TENSOR_COL_A) || (m == ISA_MATRIX_B && !(t->flags & ISA_TENSOR_COL_A))))
		return refuse(c, "elements of less than 8 bits need .row for A and .col for B");
	const struct ptx_operand *place = &o[loads ? 1 : 0], *data = &o[loads ? 0 : 1];
	static const struct ptx_rule stride = {.kind = PTX_RULE_SRC, .type = ISA_B32};
	return check_registers(c, loads ? "the result" : "the matrix", data, f.n_rows, register_type(&f), loads) && check_address(c, place) &&
	       (c->insn->n_operands < 3 || check_source(c, "the stride", &stride, &o[2]));
}

static bool check_matrix_memory(struct ptx_checker *c, const struct isa_tensor *t)
{
	const struct ptx_operand *o = c->insn->operands;
	const bool loads = t->kind == ISA_TENSOR_LDMATRIX;
	if (!check_matrices(c, t) || !check_count_is(c, 2, 2))
		return false;
	return check_registers(c, loads ? "the result" : "the matrix", &o[loads ? 0 : 1], t->n_rows[loads ? ISA_MATRIX_D : ISA_MATRIX_A], ISA_B32,
			       loads) &&
	       check_address(c, &o[loads ? 1 : 0]);
}

static bool check_move(struct ptx_checker *c)
{
	const struct ptx_operand *o = c->insn->operands;
	if (!check_count_is(c, 2, 2))
		return false;
	if (!register_fits(ISA_B32, &o[0]))
		return check_mismatch(c, "the result", &o[0], "a .b32 register");
	return register_fits(ISA_B32, &o[1]) || check_mismatch(c, "the source", &o[1], "a .b32 register");
}

/* fence, commit_group and wait_group have no matrices. */
static bool check_wgmma(struct ptx_checker *c, const struct ptx_tensor *t)
{
	const struct ptx_operand *o = c->insn->operands;
	const struct isa_tensor *i = &t->tensor;
	struct isa_fragment f;
	if (!i->m)
		return true;
	const uint8_t *e = i->element;
	const unsigned k = e[ISA_MATRIX_A] ? 256u / isa_element_info[e[ISA_MATRIX_A]].bits : 0;
	if (i->m != 64 || i->n % 8 || i->n < 8 || i->n > 256 || i->k != k || !isa_tensor_fragment(i, ISA_MATRIX_D, &f))
		return refuse(c, "no such combination of shape and types");
	if (c->insn->n_operands < 4)
		return check_fail(c, check_opcode_at(c), "'%.*s' takes 4 operands at least, not %u", (int)c->op->text.n, c->op->text.s, c->insn->n_operands);
	if (o[1].kind == PTX_OP_VECTOR && !check_registers(c, "matrix A", &o[1], 4, ISA_B32, false))
		return false;
	return check_registers(c, "the result", &o[0], f.n_rows, register_type(&f), false);
}

bool check_tensor(struct ptx_checker *c)
{
	struct ptx_tensor t;
	tensor_read(c->op, &t);
	switch (t.tensor.kind) {
	case ISA_TENSOR_MMA:
	case ISA_TENSOR_WMMA: return check_multiplication(c, &t);
	case ISA_TENSOR_WMMA_LOAD:
	case ISA_TENSOR_WMMA_STORE: return check_wmma_memory(c, &t.tensor);
	case ISA_TENSOR_MOVMATRIX: return check_move(c);
	case ISA_TENSOR_WGMMA: return check_wgmma(c, &t);
	default: return check_matrix_memory(c, &t.tensor);
	}
}

/* Tensor instructions: isa/tensor.h says where their operands go. */
#include <string.h>

#include "isa/tensor.h"
#include "ptx/lower.h"
#include "ptx/tensor.h"

struct rows {
	uint32_t word[ISA_TENSOR_WORDS + ISA_TENSOR_ROWS_MAX];
	uint32_t n;
};

static void add_row(struct lower *l, struct rows *r, uint32_t ref)
{
	if (r->n == ISA_TENSOR_WORDS + ISA_TENSOR_ROWS_MAX)
		lower_unsupported(l);
	else
		r->word[r->n++] = ref;
}

/* Appends the registers of a vector operand, `want` of them. */
static void add_registers(struct lower *l, struct rows *r, const struct ptx_operand *o, unsigned want, enum isa_type type, bool is_result)
{
	struct ptx_operand elems[ISA_TENSOR_ROWS_MAX];
	const uint32_t n = lower_elements(o, elems, ISA_TENSOR_ROWS_MAX);
	if (n != want)
		lower_unsupported(l);
	for (uint32_t k = 0; k < n; k++) {
		if (is_result)
			add_row(l, r, elems[k].kind == PTX_OP_SINK ? ISA_REF_NONE : lower_dest(l, &elems[k]));
		else
			add_row(l, r, lower_source(l, &elems[k], type));
	}
}

static enum isa_type type_of(const struct isa_tensor *t, enum isa_matrix m)
{
	const enum isa_element e = (enum isa_element)t->element[m];
	return e == ISA_EL_F64 ? ISA_F64 : e == ISA_EL_F32 ? ISA_F32 : ISA_B32;
}

static void add_matrix(struct lower *l, struct rows *r, const struct isa_tensor *t, enum isa_matrix m, const struct ptx_operand *o)
{
	add_registers(l, r, o, t->n_rows[m], type_of(t, m), m == ISA_MATRIX_D);
}

/* Appends the scales and their selectors: the byte and the lane among four. */
static void add_scales(struct lower *l, struct rows *r, const struct ptx_operand *o)
{
	for (unsigned k = 0; k < 2; k++) {
		struct ptx_operand selector[2];
		add_row(l, r, lower_source(l, &o[2 * k], ISA_B32));
		if (lower_elements(&o[2 * k + 1], selector, 2) != 2) {
			lower_unsupported(l);
			return;
		}
		add_row(l, r, lower_source(l, &selector[0], ISA_U16));
		add_row(l, r, lower_source(l, &selector[1], ISA_U16));
	}
}

static void add_products(struct lower *l, struct rows *r, struct isa_tensor *t, const struct ptx_operand *o)
{
	l->insn.handler = ISA_H_mma;
	add_matrix(l, r, t, ISA_MATRIX_D, &o[0]);
	add_matrix(l, r, t, ISA_MATRIX_A, &o[1]);
	add_matrix(l, r, t, ISA_MATRIX_B, &o[2]);
	add_matrix(l, r, t, ISA_MATRIX_C, &o[3]);
	o += 4;
	if (t->flags & ISA_TENSOR_SPARSE) {
		add_row(l, r, lower_source(l, &o[0], ISA_B32));
		t->selector = (uint8_t)o[1].bits;
		o += 2;
	}
	if (t->flags & ISA_TENSOR_SCALED)
		add_scales(l, r, o);
}

/* Loads have their registers first, stores their address. */
static void add_memory(struct lower *l, struct rows *r, const struct isa_tensor *t, const struct ptx_operand *o, unsigned n)
{
	const bool loads = t->kind == ISA_TENSOR_WMMA_LOAD || t->kind == ISA_TENSOR_LDMATRIX;
	const bool is_wmma = t->kind == ISA_TENSOR_WMMA_LOAD || t->kind == ISA_TENSOR_WMMA_STORE;
	const enum isa_type type = is_wmma ? type_of(t, (enum isa_matrix)t->matrix) : ISA_B32;
	const unsigned rows = is_wmma ? t->n_rows[t->matrix] : t->n_rows[loads ? ISA_MATRIX_D : ISA_MATRIX_A];
	if (is_wmma)
		l->insn.handler = loads ? ISA_H_wmma_load : ISA_H_wmma_store;
	add_registers(l, r, &o[loads ? 0 : 1], rows, type, loads);
	lower_address(l, &o[loads ? 1 : 0]);
	if (n > 2)
		l->insn.b = lower_source(l, &o[2], ISA_B32);
}

/* d, a or its descriptor, descriptor of b, scale-d, then the signs of A and B, then their layouts, which only elements of 16 bits have; that of A if it lies in
 * memory. D is read and written. */
static void add_wgmma(struct lower *l, struct rows *r, struct isa_tensor *t, const struct ptx_operand *o, unsigned n)
{
	const bool has_registers = o[1].kind == PTX_OP_VECTOR;
	l->insn.handler = ISA_H_wgmma;
	add_registers(l, r, &o[0], t->n_rows[ISA_MATRIX_D], type_of(t, ISA_MATRIX_D), true);
	if (has_registers) {
		t->n_rows[ISA_MATRIX_A] = 4;
		add_registers(l, r, &o[1], 4, ISA_B32, false);
	} else {
		l->insn.a = lower_source(l, &o[1], ISA_B64);
		l->insn.a_bytes = 8;
	}
	struct ptx_operand elems[ISA_TENSOR_ROWS_MAX];
	const uint32_t n_d = lower_elements(&o[0], elems, ISA_TENSOR_ROWS_MAX);
	for (uint32_t k = 0; k < n_d; k++)
		lower_source(l, &elems[k], type_of(t, ISA_MATRIX_D));
	l->insn.b = lower_source(l, &o[2], ISA_B64);
	l->insn.c = o[3].kind == PTX_OP_INT ? (o[3].bits ? ISA_PRED_NONE : ISA_PRED_TRUE | ISA_PRED_NOT) : lower_pred_source(l, &o[3]);
	for (unsigned k = 4; k < 6 && k < n; k++)
		t->selector |= (uint8_t)((int64_t)o[k].bits < 0 ? 1u << (k - 4) : 0);
	if (n > 6 && !has_registers && o[6].bits)
		t->flags |= ISA_TENSOR_COL_A;
	if (n > (has_registers ? 6u : 7u) && o[has_registers ? 6 : 7].bits)
		t->flags |= ISA_TENSOR_COL_B;
}

void lower_tensor(struct lower *l)
{
	const struct ptx_operand *o = l->in->operands;
	const uint32_t n = l->in->n_operands;
	struct ptx_tensor t;
	struct rows r = {.n = ISA_TENSOR_WORDS};

	tensor_read(l->op->op, &t);
	struct isa_tensor *i = &t.tensor;
	if (i->kind == ISA_TENSOR_WGMMA && !i->m) { /* the multiplication is over when its instruction is */
		l->insn.handler = ISA_H_membar;
		return;
	}
	if (i->kind == ISA_TENSOR_WGMMA && (i->flags & ISA_TENSOR_SPARSE || i->element[ISA_MATRIX_A] == ISA_EL_B1)) {
		lower_unsupported(l);
		return;
	}
	if (n < (isa_tensor_multiplies(i) ? 4u : 2u)) {
		lower_unsupported(l);
		return;
	}
	l->insn.vec = 1;
	l->insn.d = lower_const_row(l, UINT32_MAX, 0, 4);
	if (isa_tensor_multiplies(i)) {
		add_products(l, &r, i, o);
	} else if (i->kind == ISA_TENSOR_WGMMA) {
		if (n < 4) {
			lower_unsupported(l);
			return;
		}
		add_wgmma(l, &r, i, o, n);
	} else if (i->kind == ISA_TENSOR_MOVMATRIX) {
		add_row(l, &r, lower_dest(l, &o[0]));
		add_row(l, &r, lower_source(l, &o[1], ISA_B32));
	} else {
		add_memory(l, &r, i, o, n);
	}
	memcpy(r.word, i, sizeof *i);
	l->insn.aux = lower_aux(l, r.word, r.n);
}

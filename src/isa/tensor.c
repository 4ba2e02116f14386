#include "isa/tensor.h"

#include <string.h>

#include "isa/handlers.h"
#include "isa/opcodes.h"
#include "isa/program.h"

const struct isa_element_info isa_element_info[ISA_ELEMENT_COUNT] = {
	[ISA_EL_NONE] = {"", 0, 0, 0, ISA_ELEMENT_UNSIGNED},
#define ELEMENT(id, name, bits, exponent, fraction, kind) [ISA_EL_##id] = {name, bits, exponent, fraction, ISA_ELEMENT_##kind},
	ISA_ELEMENTS(ELEMENT)
#undef ELEMENT
};

enum isa_element isa_element_find(const char *s, size_t n)
{
	for (unsigned k = 1; k < ISA_ELEMENT_COUNT; k++)
		if (strlen(isa_element_info[k].name) == n && !memcmp(isa_element_info[k].name, s, n))
			return (enum isa_element)k;
	return ISA_EL_NONE;
}

bool isa_insn_has_tensor(const struct isa_insn *i)
{
	return isa_opcode_info[i->opcode].family == ISA_FAMILY_TENSOR && i->handler != ISA_H_UNSUPPORTED && i->handler != ISA_H_membar;
}

const struct isa_tensor *isa_tensor_of(const struct isa_program *p, const struct isa_insn *i)
{
	return (const struct isa_tensor *)(const void *)&p->aux[i->aux];
}

const uint32_t *isa_tensor_rows(const struct isa_program *p, const struct isa_insn *i, enum isa_matrix matrix)
{
	/* in the order of the instruction's operands */
	const struct isa_tensor *t = isa_tensor_of(p, i);
	const uint32_t *row = &p->aux[i->aux + ISA_TENSOR_WORDS];
	if (matrix == ISA_MATRIX_D)
		return row;
	row += t->n_rows[ISA_MATRIX_D];
	for (unsigned k = 0; k < matrix; k++)
		row += t->n_rows[k];
	return row;
}

const uint32_t *isa_tensor_extra(const struct isa_program *p, const struct isa_insn *i)
{
	return isa_tensor_rows(p, i, ISA_MATRIX_C) + isa_tensor_of(p, i)->n_rows[ISA_MATRIX_C];
}

/* ---- shapes ---- */

#define BIT(e) (1u << ISA_EL_##e)
#define HALF BIT(F16)
#define HALF_OR_F32 (BIT(F16) | BIT(F32))
#define BYTES (BIT(S8) | BIT(U8))
#define NIBBLES (BIT(S4) | BIT(U4))
#define FP8 (BIT(E4M3) | BIT(E5M2))
#define FP864 (FP8 | BIT(E3M2) | BIT(E2M3) | BIT(E2M1))
#define MMA(m, n, k, a, c, version, target, ...) {m, n, k, a, a, c, c, .ptx = version, .sm = target, __VA_ARGS__}
#define WMMA(m, n, k, a, c, version, target, ...) MMA(m, n, k, a, c, version, target, .is_wmma = true, .same_ab = true, __VA_ARGS__)
#define SPARSE(m, n, k, a, c, version, target, ...) MMA(m, n, k, a, c, version, target, .is_sparse = true, __VA_ARGS__)
#define ALIKE_CD .same_cd = true
#define ALIKE .same_ab = true, ALIKE_CD
#define ANY .same_cd = false

/* Source: PTX ISA, syntax of mma, mma.sp and wmma.mma; what ptxas 13.0 takes. */
static const struct isa_tensor_shape shapes[] = {
	MMA(8, 8, 4, HALF, HALF_OR_F32, 64, 70, .same_ab = true),
	MMA(16, 8, 8, HALF, HALF_OR_F32, 65, 75, ALIKE),
	MMA(16, 8, 16, HALF, HALF_OR_F32, 70, 80, ALIKE),
	MMA(16, 8, 8, BIT(BF16), BIT(F32), 70, 80, ALIKE),
	MMA(16, 8, 16, BIT(BF16), BIT(F32), 70, 80, ALIKE),
	MMA(16, 8, 4, BIT(TF32), BIT(F32), 70, 80, ALIKE),
	MMA(16, 8, 8, BIT(TF32), BIT(F32), 70, 80, ALIKE),
	MMA(8, 8, 4, BIT(F64), BIT(F64), 70, 80, ALIKE),
	MMA(16, 8, 4, BIT(F64), BIT(F64), 78, 90, ALIKE),
	MMA(16, 8, 8, BIT(F64), BIT(F64), 78, 90, ALIKE),
	MMA(16, 8, 16, BIT(F64), BIT(F64), 78, 90, ALIKE),
	MMA(8, 8, 16, BYTES, BIT(S32), 65, 75, ANY),
	MMA(16, 8, 16, BYTES, BIT(S32), 70, 80, ANY),
	MMA(16, 8, 32, BYTES, BIT(S32), 70, 80, ANY),
	MMA(8, 8, 32, NIBBLES, BIT(S32), 65, 75, ANY),
	MMA(16, 8, 32, NIBBLES, BIT(S32), 70, 80, ANY),
	MMA(16, 8, 64, NIBBLES, BIT(S32), 70, 80, ANY),
	MMA(8, 8, 128, BIT(B1), BIT(S32), 70, 75, ANY),
	MMA(16, 8, 128, BIT(B1), BIT(S32), 70, 80, ANY),
	MMA(16, 8, 256, BIT(B1), BIT(S32), 70, 80, ANY),
	MMA(16, 8, 16, FP8, HALF_OR_F32, 87, 89, ALIKE_CD),
	MMA(16, 8, 32, FP8, BIT(F32), 84, 89, ALIKE_CD),
	MMA(16, 8, 32, FP8, HALF, 87, 89, ALIKE_CD),
	MMA(16, 8, 32, FP864, HALF_OR_F32, 87, 120, ALIKE_CD, .has_kind = true, .is_specific = true),
	MMA(16, 8, 32, FP864, BIT(F32), 87, 120, ALIKE_CD, .has_kind = true, .is_specific = true, .is_scaled = true),
	MMA(16, 8, 64, BIT(E2M1), BIT(F32), 87, 120, ALIKE_CD, .is_specific = true, .is_scaled = true),

	SPARSE(16, 8, 16, HALF, HALF_OR_F32, 71, 80, ALIKE),
	SPARSE(16, 8, 32, HALF, HALF_OR_F32, 71, 80, ALIKE),
	SPARSE(16, 8, 16, BIT(BF16), BIT(F32), 71, 80, ALIKE),
	SPARSE(16, 8, 32, BIT(BF16), BIT(F32), 71, 80, ALIKE),
	SPARSE(16, 8, 8, BIT(TF32), BIT(F32), 71, 80, ALIKE),
	SPARSE(16, 8, 16, BIT(TF32), BIT(F32), 71, 80, ALIKE),
	SPARSE(16, 8, 32, BYTES, BIT(S32), 71, 80, ANY),
	SPARSE(16, 8, 64, BYTES, BIT(S32), 71, 80, ANY),
	SPARSE(16, 8, 64, NIBBLES, BIT(S32), 71, 80, ANY),
	SPARSE(16, 8, 128, NIBBLES, BIT(S32), 71, 80, ANY),
	SPARSE(16, 8, 64, FP8, BIT(F32), 84, 89, ALIKE_CD),
	SPARSE(16, 8, 64, FP8, HALF, 87, 89, ALIKE_CD),
	SPARSE(16, 8, 64, FP864, HALF_OR_F32, 87, 120, ALIKE_CD, .has_kind = true, .is_specific = true),
	SPARSE(16, 8, 64, FP864, BIT(F32), 87, 120, ALIKE_CD, .has_kind = true, .is_specific = true, .is_scaled = true),
	SPARSE(16, 8, 128, BIT(E2M1), BIT(F32), 87, 120, ALIKE_CD, .is_specific = true, .is_scaled = true),

	WMMA(16, 16, 16, HALF, HALF_OR_F32, 60, 70, ANY),
	WMMA(32, 8, 16, HALF, HALF_OR_F32, 61, 70, ANY),
	WMMA(8, 32, 16, HALF, HALF_OR_F32, 61, 70, ANY),
	WMMA(16, 16, 16, BIT(BF16), BIT(F32), 70, 80, ANY),
	WMMA(32, 8, 16, BIT(BF16), BIT(F32), 70, 80, ANY),
	WMMA(8, 32, 16, BIT(BF16), BIT(F32), 70, 80, ANY),
	WMMA(16, 16, 8, BIT(TF32), BIT(F32), 70, 80, ANY),
	WMMA(8, 8, 4, BIT(F64), BIT(F64), 70, 80, ANY),
	WMMA(16, 16, 16, BYTES, BIT(S32), 63, 72, ANY),
	WMMA(32, 8, 16, BYTES, BIT(S32), 63, 72, ANY),
	WMMA(8, 32, 16, BYTES, BIT(S32), 63, 72, ANY),
	WMMA(8, 8, 32, NIBBLES, BIT(S32), 63, 75, ANY),
	WMMA(8, 8, 128, BIT(B1), BIT(S32), 63, 75, ANY),
};

static bool fits(const struct isa_tensor_shape *s, const struct isa_tensor *t)
{
	const uint8_t *e = t->element;
	const bool in_sets = s->a >> e[ISA_MATRIX_A] & 1 && s->b >> e[ISA_MATRIX_B] & 1 && s->c >> e[ISA_MATRIX_C] & 1 && s->d >> e[ISA_MATRIX_D] & 1;
	const bool is_sparse = t->flags & ISA_TENSOR_SPARSE, is_scaled = t->flags & ISA_TENSOR_SCALED;
	return s->m == t->m && s->n == t->n && s->k == t->k && in_sets && s->is_wmma == (t->kind != ISA_TENSOR_MMA) && s->is_sparse == is_sparse &&
	       s->is_scaled == is_scaled && s->has_kind == ((t->flags & ISA_TENSOR_BYTES) != 0) &&
	       (!s->same_ab || e[ISA_MATRIX_A] == e[ISA_MATRIX_B]) && (!s->same_cd || e[ISA_MATRIX_C] == e[ISA_MATRIX_D]);
}

const struct isa_tensor_shape *isa_tensor_shape_find(const struct isa_tensor *t)
{
	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
		if (fits(&shapes[k], t))
			return &shapes[k];
	return NULL;
}

/* Returns the first row that has a matrix of this element with the shape of *t, or NULL. */
static const struct isa_tensor_shape *wmma_with(const struct isa_tensor *t, enum isa_matrix matrix, enum isa_element e)
{
	for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
		const struct isa_tensor_shape *s = &shapes[k];
		const uint32_t set = matrix == ISA_MATRIX_A ? s->a : matrix == ISA_MATRIX_B ? s->b : s->c;
		if (s->is_wmma && s->m == t->m && s->n == t->n && s->k == t->k && set >> e & 1)
			return s;
	}
	return NULL;
}

/* ---- fragments ---- */

static bool is_quads(const struct isa_tensor *t) { return t->kind == ISA_TENSOR_MMA && t->m == 8 && t->k == 4 && t->element[ISA_MATRIX_A] == ISA_EL_F16; }

/* Matrices of 8 x 8 halves, or of rows of 16 bytes, as ldmatrix spreads them: like the D of an mma, or the A of one with bytes. */
static bool memory_fragment(const struct isa_tensor *t, struct isa_fragment *f)
{
	const bool is_bytes = t->element[ISA_MATRIX_D] == ISA_EL_B8;
	f->rows = t->m;
	f->cols = t->n;
	f->matrix = is_bytes ? ISA_MATRIX_A : ISA_MATRIX_C;
	f->is_paired = is_bytes && t->m == 16;
	f->element = t->element[ISA_MATRIX_D];
	f->bits = isa_element_info[f->element].bits;
	f->n_rows = (uint8_t)(t->m * t->n * f->bits / 1024);
	return true;
}

bool isa_tensor_fragment(const struct isa_tensor *t, enum isa_matrix matrix, struct isa_fragment *f)
{
	*f = (struct isa_fragment){.matrix = (uint8_t)matrix, .reg_bytes = 4, .per_reg = 1};
	if (t->kind == ISA_TENSOR_LDMATRIX || t->kind == ISA_TENSOR_STMATRIX || t->kind == ISA_TENSOR_MOVMATRIX) {
		memory_fragment(t, f);
		f->per_reg = (uint8_t)(32 / f->bits);
		return true;
	}
	f->element = t->element[matrix];
	f->rows = matrix == ISA_MATRIX_B ? t->k : t->kind == ISA_TENSOR_WGMMA ? 16 : t->m;
	f->cols = matrix != ISA_MATRIX_A ? t->n : t->flags & ISA_TENSOR_SPARSE ? t->k / 2 : t->k;
	if (f->element == ISA_EL_NONE || !f->rows || !f->cols)
		return false;
	f->bits = isa_element_info[f->element].bits;
	if (t->flags & ISA_TENSOR_BYTES && matrix <= ISA_MATRIX_B) {
		f->shift = f->element == ISA_EL_E2M1 ? 2 : 0;
		f->bits = 8;
	}
	if (f->bits == 64)
		f->reg_bytes = 8;
	f->per_reg = (uint8_t)(8 * f->reg_bytes / f->bits);
	const unsigned matrices = is_quads(t) ? 4 : 1;
	f->n_rows = (uint8_t)(matrices * f->rows * f->cols * f->bits / (8u * f->reg_bytes * 32));
	if (matrices > 1) {
		const bool is_col = t->flags & (matrix == ISA_MATRIX_A ? ISA_TENSOR_COL_A : ISA_TENSOR_COL_B);
		f->quads = (uint8_t)(1 + (matrix <= ISA_MATRIX_B && is_col));
	}
	/* wmma.load of f16 gives 8 registers, whatever the shape */
	if (t->kind != ISA_TENSOR_MMA && t->kind != ISA_TENSOR_WGMMA && f->element == ISA_EL_F16 && matrix <= ISA_MATRIX_B)
		f->n_rows = 8;
	return true;
}

/* Columns of A, or rows of B, that a register of the four lanes of a row holds. */
static unsigned stride_of(const struct isa_fragment *f) { return 4u * f->per_reg; }

static struct isa_fragment_register register_of_a(const struct isa_fragment *f, unsigned r)
{
	const unsigned halves = f->rows >= 16 ? 2 : 1, in_block = halves * f->cols / stride_of(f), blocks = f->rows >= 16 ? f->rows / 16u : 1;
	const unsigned k = r % (in_block * blocks), in = k % in_block;
	return (struct isa_fragment_register){.row = (uint16_t)(k / in_block * 16 + in % halves * 8),
					      .col = (uint16_t)(in / halves * stride_of(f)),
					      .row_g = 1,
					      .col_t = f->per_reg,
					      .col_i = 1};
}

static struct isa_fragment_register register_of_b(const struct isa_fragment *f, unsigned r)
{
	const unsigned in_block = f->rows / stride_of(f), k = r % (in_block * f->cols / 8u);
	return (struct isa_fragment_register){.row = (uint16_t)(k % in_block * stride_of(f)),
					      .col = (uint16_t)(k / in_block * 8),
					      .row_t = f->per_reg,
					      .row_i = 1,
					      .col_g = 1};
}

/* Lanes of four hold two elements of a row each: in one register (f16) or in two. */
static struct isa_fragment_register register_of_c(const struct isa_fragment *f, unsigned r)
{
	const unsigned pairs = f->per_reg >= 2 ? r : r / 2, halves = f->rows >= 16 ? 2 : 1, in_row = f->cols / 8u;
	const unsigned block = pairs / halves;
	return (struct isa_fragment_register){.row = (uint16_t)(block / in_row * 16 + pairs % halves * 8),
					      .col = (uint16_t)(block % in_row * 8 + (f->per_reg >= 2 ? 0 : r % 2)),
					      .row_g = 1,
					      .col_t = 2,
					      .col_i = 1};
}

struct isa_fragment_register isa_fragment_register(const struct isa_fragment *f, unsigned r)
{
	switch (f->matrix) {
	case ISA_MATRIX_A: return register_of_a(f, r);
	case ISA_MATRIX_B: return register_of_b(f, r);
	default: return register_of_c(f, r);
	}
}

/* Source: PTX ISA "Matrix Fragments for mma.m8n8k4 with .f16". */
static struct isa_fragment_place place_in_quads(const struct isa_fragment *f, unsigned lane, unsigned r, unsigned i)
{
	const unsigned e = r * f->per_reg + i, low = lane % 4, high = lane >= 16 ? 4 : 0;
	unsigned row, col;
	if (f->matrix == ISA_MATRIX_A) {
		row = f->quads == 2 ? e % 4 + high : low + high;
		col = f->quads == 2 ? low : e;
	} else if (f->matrix == ISA_MATRIX_B) {
		row = f->quads == 2 ? e : low;
		col = f->quads == 2 ? low + high : e + high;
	} else if (f->bits == 16) {
		row = low + high;
		col = e;
	} else {
		row = (lane & 1) + (e & 2) + high;
		col = (e & 4) + (lane & 2) + (e & 1);
	}
	return (struct isa_fragment_place){(uint16_t)row, (uint16_t)col, (uint16_t)(lane % 16 / 4)};
}

struct isa_fragment_place isa_fragment_place(const struct isa_fragment *f, unsigned lane, unsigned r, unsigned i)
{
	const unsigned g = lane / 4, t = lane % 4;
	if (f->quads)
		return place_in_quads(f, lane, r, i);
	if (f->is_paired)
		return (struct isa_fragment_place){(uint16_t)(g + i / 2 * 8), (uint16_t)(t * f->cols / 4 + 2 * r + i % 2), 0};
	const struct isa_fragment_register at = isa_fragment_register(f, r);
	return (struct isa_fragment_place){(uint16_t)(at.row + g * at.row_g + t * at.row_t + i * at.row_i),
					   (uint16_t)(at.col + g * at.col_g + t * at.col_t + i * at.col_i), 0};
}

const struct isa_tensor_shape *isa_tensor_wmma_shape(const struct isa_tensor *t, enum isa_matrix matrix)
{
	return wmma_with(t, matrix, (enum isa_element)t->element[matrix]);
}

unsigned isa_tensor_selectors(const struct isa_tensor *t)
{
	/* bits of metadata for a row: those of all 16 rows lie in 1, 2 or 4 lanes of each four */
	const enum isa_element a = (enum isa_element)t->element[ISA_MATRIX_A];
	const bool is_pair = isa_element_info[a].bits == 4 && !(t->flags & ISA_TENSOR_BYTES);
	const unsigned bits = a == ISA_EL_TF32 ? 2u * t->k : is_pair ? t->k / 2u : t->k;
	return bits == 16 ? 4 : bits == 32 ? 2 : 1;
}

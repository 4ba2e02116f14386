/* Integer and single-bit matrices (PTX ISA "mma": sums wrap, or stay in range with .satfinite), and sparse A. */
#include "exec/tensor.h"

static int32_t extended(enum isa_element e, uint32_t bits)
{
	const unsigned unused = 32u - isa_element_info[e].bits;
	return isa_element_info[e].kind == ISA_ELEMENT_SIGNED ? (int32_t)(bits << unused) >> unused : (int32_t)bits;
}

static uint32_t store(const struct isa_tensor *t, int64_t sum)
{
	if (t->flags & ISA_TENSOR_SATFINITE)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (uint32_t)sum;
}

void exec_tensor_integers(const struct isa_tensor *t, struct exec_product *p)
{
	const enum isa_element a = (enum isa_element)t->element[ISA_MATRIX_A], b = (enum isa_element)t->element[ISA_MATRIX_B];
	const unsigned k = p->a.cols, n = p->b.cols;
	int32_t factor[EXEC_MATRIX_MAX];
	const bool differs = a == ISA_EL_B1 && t->flags & ISA_TENSOR_XOR;
	for (unsigned e = 0; e < p->b.rows * n; e++)
		factor[e] = extended(b, p->b.v[e]);
	for (unsigned row = 0; row < p->a.rows; row++) {
		/* at most 256 products of less than 2^16: 32 bits hold them */
		int32_t sum[64] = {0};
		for (unsigned s = 0; s < k; s++) {
			const int32_t v = extended(a, p->a.v[row * k + s]), *const f = &factor[p->sparse.at[row * k + s] * n];
			for (unsigned col = 0; col < n; col++)
				sum[col] += differs ? v ^ f[col] : v * f[col];
		}
		for (unsigned col = 0; col < n; col++)
			p->d.v[row * n + col] = store(t, (int64_t)(int32_t)p->c.v[row * n + col] + sum[col]);
	}
}

/* ---- sparse A ---- */

/* The lane of four whose metadata has part `part` of a row's (of 32 bits of indices), and whether its low half, high half or all of it has it. Source: PTX
 * ISA "Sparse Matrix Storage". */
static uint32_t metadata_of(const uint32_t *row, const struct isa_tensor *t, unsigned bits, unsigned r, unsigned at)
{
	const unsigned g = r % 8, high = r / 8;
	if (bits == 16) /* one lane of four has rows g and g + 8 */
		return row[4 * g + t->selector] >> (16 * high + at);
	if (bits == 32 && t->element[ISA_MATRIX_A] <= ISA_EL_TF32) /* two lanes, each 16 bits of both rows */
		return row[4 * g + 2u * (t->selector & 1) + at / 16] >> (16 * high + at % 16);
	if (bits == 32) /* two lanes: row g, row g + 8 */
		return row[4 * g + 2u * (t->selector & 1) + high] >> at;
	return row[4 * g + 2 * (at / 32) + high] >> at % 32; /* all four: row g, row g + 8, and the same of the right half */
}

void exec_sparse_read(const struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, unsigned rows, unsigned cols, struct exec_sparse *s)
{
	const enum isa_element a = (enum isa_element)t->element[ISA_MATRIX_A];
	if (!(t->flags & ISA_TENSOR_SPARSE)) {
		for (unsigned r = 0, e = 0; r < rows; r++)
			for (unsigned c = 0; c < cols; c++, e++)
				s->at[e] = (uint8_t)c;
		return;
	}
	/* of 4 columns 2 are there, of tf32's 2 one (4 bits of metadata), of elements of 4 bits two pairs of four pairs */
	const uint32_t *const metadata = exec_src32(x, isa_tensor_extra(x->program, i)[0]);
	const bool is_pair = isa_element_info[a].bits == 4 && !(t->flags & ISA_TENSOR_BYTES);
	const unsigned bits = a == ISA_EL_TF32 ? 4 * cols : is_pair ? cols : 2 * cols;
	for (unsigned r = 0; r < rows; r++) {
		for (unsigned e = 0; e < cols; e++) {
			unsigned column;
			if (a == ISA_EL_TF32)
				column = 2 * e + (metadata_of(metadata, t, bits, r, 4 * e) >> 1 & 1);
			else if (is_pair)
				column = e / 4 * 8 + (metadata_of(metadata, t, bits, r, e / 2 * 2) & 3) * 2 + e % 2;
			else
				column = e / 2 * 4 + (metadata_of(metadata, t, bits, r, 2 * e) & 3);
			s->at[r * cols + e] = (uint8_t)column;
		}
	}
}

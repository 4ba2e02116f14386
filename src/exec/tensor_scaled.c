/* mma with .block_scale: a scale for each block of a row of A and of a column of B (PTX ISA "Block Scaling for mma.sync").
 * .kind::mxf8f6f4 has one scale a row, whose exponent is added to those of the products; .kind::mxf4 and mxf4nvf4 add 16 products exactly, scale the sum,
 * and align these sums at 35 fraction bits. Source: MMA-Sim (exec/tensor.h). */
#include <math.h>

#include "exec/tensor.h"

/* The lanes of four with a row's scales are named by the selector's thread-id: lane `thread-id` of the lower half (A: lanes 0, 1 or 2, 3 hold
 * rows g, g + 8) or the lane itself (B). Bytes follow each other from byte-id on. */
static struct exec_tensor_scales scales_of(const struct exec *x, const uint32_t *rows, unsigned n, bool is_a, unsigned index)
{
	const uint32_t *data = exec_src32(x, rows[0]);
	const unsigned group = index % 8 * 4, byte = ((const uint16_t *)(const void *)exec_operand(x, rows[1]))[group] & 3u,
		       thread = ((const uint16_t *)(const void *)exec_operand(x, rows[2]))[group] & 3u;
	const unsigned lane = group + (is_a ? (thread & 1) * 2 + index / 8 : thread);
	struct exec_tensor_scales s;
	for (unsigned k = 0; k < 4; k++)
		s.v[k] = k < n ? data[lane] >> 8 * ((byte + k) & 3) & 0xff : 0;
	return s;
}

static bool has_nan(const struct exec_tensor_element *e)
{
	bool nan = exec_tensor_decode(ISA_EL_F32, e->c).class == EXEC_TENSOR_NAN;
	for (unsigned s = 0; s < e->t->scale_vec; s++)
		nan = nan || exec_tensor_decode((enum isa_element)e->t->scale, e->sa.v[s]).class == EXEC_TENSOR_NAN ||
		      exec_tensor_decode((enum isa_element)e->t->scale, e->sb.v[s]).class == EXEC_TENSOR_NAN;
	return nan;
}

/* Adds what alignment keeps of terms significand[n] * 2^exponent[n]. */
static uint32_t add_terms(const double *significand, const int *exponent, unsigned n, unsigned fraction)
{
	int most = exponent[0];
	double sum = 0;
	for (unsigned s = 1; s < n; s++)
		most = exponent[s] > most ? exponent[s] : most;
	for (unsigned s = 0; s < n; s++)
		sum += trunc(ldexp(significand[s], (int)fraction + exponent[s] - most));
	return exec_tensor_to_f32(ldexp(sum, most - (int)fraction), 23);
}

static double significand_of(enum isa_element e, struct exec_tensor_number n) { return ldexp(n.significand, -(int)isa_element_info[e].fraction); }

/* One scale: products with its exponent added. */
static uint32_t add_products(const struct exec_tensor_element *e)
{
	const enum isa_element a = (enum isa_element)e->t->element[0], b = (enum isa_element)e->t->element[1];
	const struct exec_tensor_number sa = exec_tensor_decode(ISA_EL_UE8M0, e->sa.v[0]), sb = exec_tensor_decode(ISA_EL_UE8M0, e->sb.v[0]),
					c = exec_tensor_decode(ISA_EL_F32, e->c);
	double term[65] = {significand_of(ISA_EL_F32, c)}, plain = exec_tensor_value(ISA_EL_F32, e->c);
	int exponent[65] = {c.exponent};
	bool is_finite = c.class == EXEC_TENSOR_FINITE;
	for (unsigned k = 0; k < e->k; k++) {
		const struct exec_tensor_number na = exec_tensor_decode(a, e->a[k]), nb = exec_tensor_decode(b, e->b[k]);
		term[k + 1] = significand_of(a, na) * significand_of(b, nb);
		exponent[k + 1] = na.exponent + nb.exponent + sa.exponent + sb.exponent;
		is_finite = is_finite && na.class == EXEC_TENSOR_FINITE && nb.class == EXEC_TENSOR_FINITE;
		plain += exec_tensor_value(a, e->a[k]) * exec_tensor_value(b, e->b[k]);
	}
	return is_finite ? add_terms(term, exponent, e->k + 1, 25) : exec_tensor_to_f32(plain, 23);
}

/* Several scales: sums of 16 products, each with its scales. */
static uint32_t add_blocks(const struct exec_tensor_element *e)
{
	const enum isa_element a = (enum isa_element)e->t->element[0], b = (enum isa_element)e->t->element[1], s = (enum isa_element)e->t->scale;
	const struct exec_tensor_number c = exec_tensor_decode(ISA_EL_F32, e->c);
	double term[9] = {significand_of(ISA_EL_F32, c)};
	int exponent[9] = {c.exponent};
	unsigned n = 1;
	for (unsigned first = 0; first < e->k; first += 16, n++) {
		const struct exec_tensor_number sa = exec_tensor_decode(s, e->sa.v[first / e->block]), sb = exec_tensor_decode(s, e->sb.v[first / e->block]);
		double sum = 0;
		for (unsigned k = first; k < first + 16; k++)
			sum += exec_tensor_value(a, e->a[k]) * exec_tensor_value(b, e->b[k]);
		term[n] = sum * significand_of(s, sa) * significand_of(s, sb);
		exponent[n] = sa.exponent + sb.exponent;
	}
	return c.class == EXEC_TENSOR_FINITE ? add_terms(term, exponent, n, 35) : e->c;
}

/* Returns the exact result, rounded once. */
static uint32_t add_exactly(const struct exec_tensor_element *e)
{
	const enum isa_element s = (enum isa_element)e->t->scale;
	const struct exec_tensor_types types = {ISA_EL_F64, ISA_EL_F64, ISA_EL_F32, ISA_EL_F32};
	uint64_t a[128], b[128];
	for (unsigned k = 0; k < e->k; k++) {
		const double va = exec_tensor_value((enum isa_element)e->t->element[0], e->a[k]) * exec_tensor_value(s, e->sa.v[k / e->block]),
			     vb = exec_tensor_value((enum isa_element)e->t->element[1], e->b[k]) * exec_tensor_value(s, e->sb.v[k / e->block]);
		memcpy(&a[k], &va, 8);
		memcpy(&b[k], &vb, 8);
	}
	return (uint32_t)exec_tensor_dot_exact(&types, a, b, e->k, e->c);
}

uint32_t exec_tensor_scaled_dot(const struct exec_tensor_element *e, bool is_exact)
{
	if (has_nan(e))
		return 0x7fffffffu;
	if (is_exact)
		return add_exactly(e);
	return e->t->scale_vec == 1 ? add_products(e) : add_blocks(e);
}

void exec_tensor_scaled(const struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, const struct exec_tensor_rules *r, struct exec_product *p)
{
	const uint32_t *rows = isa_tensor_extra(x->program, i) + (t->flags & ISA_TENSOR_SPARSE ? 1 : 0);
	const unsigned k = p->a.cols, n = p->b.cols;
	uint32_t column[128];
	struct exec_tensor_element e = {.t = t, .k = k, .b = column, .block = k / t->scale_vec};
	for (unsigned row = 0; row < p->a.rows; row++) {
		e.sa = scales_of(x, rows, t->scale_vec, true, row);
		e.a = &p->a.v[row * k];
		for (unsigned col = 0; col < n; col++) {
			e.sb = scales_of(x, rows + 3, t->scale_vec, false, col);
			e.c = p->c.v[row * n + col];
			for (unsigned s = 0; s < k; s++)
				column[s] = p->b.v[p->sparse.at[row * k + s] * n + col];
			p->d.v[row * n + col] = exec_tensor_scaled_dot(&e, r->is_exact);
		}
	}
}

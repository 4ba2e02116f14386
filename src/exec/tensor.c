/* mma, wmma.mma and movmatrix: all lanes of a warp meet, matrices are read out of its registers, multiplied and written. */
#include "exec/tensor.h"

#include "exec/effect.h"
#include "exec/rounding.h"
#include "exec/warp_sync.h"

/* ---- matrices and registers ---- */

static uint32_t element_mask(const struct isa_fragment *f)
{
	const unsigned bits = isa_element_info[f->element].bits;
	return bits >= 32 ? UINT32_MAX : (1u << bits) - 1;
}

static void gather_quads(const struct exec *x, const uint32_t *rows, const struct isa_fragment *f, unsigned quad, struct exec_matrix *out)
{
	for (unsigned r = 0; r < f->n_rows; r++) {
		const uint32_t *reg = exec_src32(x, rows[r]);
		for (unsigned lane = 0; lane < LANES; lane++) {
			for (unsigned i = 0; i < f->per_reg; i++) {
				const struct isa_fragment_place at = isa_fragment_place(f, lane, r, i);
				if (at.matrix == quad)
					out->v[at.row * out->cols + at.col] = reg[lane] >> i * f->bits & element_mask(f);
			}
		}
	}
}

/* Stores how far the elements of each lane are from those of lane 0: the same for all registers. */
static void lane_offsets(const struct isa_fragment *f, uint16_t offset[LANES])
{
	const struct isa_fragment_register at = isa_fragment_register(f, 0);
	const unsigned cols = f->cols, step_g = at.row_g * cols + at.col_g, step_t = at.row_t * cols + at.col_t;
	for (unsigned lane = 0; lane < LANES; lane++)
		offset[lane] = (uint16_t)(lane / 4 * step_g + lane % 4 * step_t);
}

void exec_matrix_gather(const struct exec *x, const uint32_t *rows, const struct isa_fragment *f, unsigned quad, struct exec_matrix *out)
{
	const uint32_t mask = element_mask(f);
	const unsigned cols = f->cols;
	out->rows = f->rows;
	out->cols = cols;
	if (f->quads) {
		gather_quads(x, rows, f, quad, out);
		return;
	}
	uint16_t offset[LANES];
	lane_offsets(f, offset);
	for (unsigned r = 0; r < f->n_rows; r++) {
		const struct isa_fragment_register at = isa_fragment_register(f, r);
		const uint32_t *reg = exec_src32(x, rows[r]);
		for (unsigned i = 0; i < f->per_reg; i++) {
			uint32_t *to = &out->v[(at.row + i * at.row_i) * cols + at.col + i * at.col_i];
			const unsigned shift = i * f->bits + f->shift;
			for (unsigned lane = 0; lane < LANES; lane++)
				to[offset[lane]] = reg[lane] >> shift & mask;
		}
	}
}

/* Returns register r of a lane, made of the matrix's elements. */
static uint32_t register_of(const struct isa_fragment *f, unsigned quad, const struct exec_matrix *in, unsigned lane, unsigned r)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < f->per_reg; i++) {
		const struct isa_fragment_place at = isa_fragment_place(f, lane, r, i);
		if (at.matrix == quad)
			v |= in->v[at.row * in->cols + at.col] << i * f->bits;
	}
	return v;
}

/* Computes register r of all lanes of a fragment without quads. */
static void registers_of(const struct isa_fragment *f, const struct exec_matrix *in, const uint16_t offset[LANES], unsigned r, uint32_t v[LANES])
{
	const struct isa_fragment_register at = isa_fragment_register(f, r);
	memset(v, 0, LANES * sizeof *v);
	for (unsigned i = 0; i < f->per_reg; i++) {
		const uint32_t *from = &in->v[(at.row + i * at.row_i) * in->cols + at.col + i * at.col_i];
		for (unsigned lane = 0; lane < LANES; lane++)
			v[lane] |= from[offset[lane]] << i * f->bits;
	}
}

void exec_matrix_scatter(struct exec *x, const uint32_t *rows, const struct isa_fragment *f, unsigned quad, const struct exec_matrix *in)
{
	uint16_t offset[LANES];
	uint32_t v[LANES];
	if (!f->quads)
		lane_offsets(f, offset);
	for (unsigned r = 0; r < f->n_rows && !f->quads; r++) {
		if (rows[r] == ISA_REF_NONE)
			continue;
		registers_of(f, in, offset, r, v);
		uint32_t *reg = exec_dst32(x, rows[r]);
		LANES_EACH (lane, x->mask)
			reg[lane] = v[lane];
	}
	for (unsigned r = 0; r < f->n_rows && f->quads; r++) {
		if (rows[r] == ISA_REF_NONE)
			continue;
		uint32_t *reg = exec_dst32(x, rows[r]);
		LANES_EACH (lane, x->mask)
			if (lane % 16 / 4 == quad)
				reg[lane] = register_of(f, quad, in, lane, r);
	}
}

void exec_product_read(const struct exec *x, const struct isa_insn *i, unsigned quad, struct exec_product *p)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	struct exec_matrix *const to[] = {&p->a, &p->b, &p->c};
	for (unsigned m = ISA_MATRIX_A; m <= ISA_MATRIX_C; m++) {
		isa_tensor_fragment(t, (enum isa_matrix)m, &p->fragment[m]);
		exec_matrix_gather(x, isa_tensor_rows(x->program, i, (enum isa_matrix)m), &p->fragment[m], quad, to[m]);
	}
	isa_tensor_fragment(t, ISA_MATRIX_D, &p->fragment[ISA_MATRIX_D]);
	p->d.rows = p->fragment[ISA_MATRIX_D].rows;
	p->d.cols = p->fragment[ISA_MATRIX_D].cols;
	exec_sparse_read(x, i, t, p->a.rows, p->a.cols, &p->sparse);
}

/* ---- all lanes meet ---- */

bool exec_tensor_has_all_lanes(struct exec *x)
{
	const struct exec_warp *w = x->warp;
	const uint32_t missing = ~w->lanes | w->exited;
	if (__builtin_expect(!missing, 1))
		return true;
	struct exec_misuse misuse = {.kind = EXEC_MISUSE_MISSING, .lanes = x->mask, .missing = missing, .other_pc = ISA_NO_TARGET};
	return effect_misuse(x, &misuse, "it needs all 32 lanes of the warp; lanes 0x%08x %s", missing,
			     w->exited & missing ? "have exited" : "don't exist: the block's threads are no multiple of 32");
}

/* A handler whose body is executed once for all lanes of the warp. */
#define WARP_HANDLER(name) \
	static void whole_##name(struct exec *x, const struct isa_insn *i); \
	EXEC_HANDLER(name) \
	{ \
		if (!exec_tensor_has_all_lanes(x)) \
			return; \
		if (__builtin_expect(warp_is_whole(x), 1)) \
			whole_##name(x, i); \
		else \
			warp_sync_meet(x, i, whole_##name); \
	} \
	static void whole_##name(struct exec *x, const struct isa_insn *i)

/* ---- products ---- */

static void multiply(struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, const struct exec_tensor_rules *r)
{
	struct exec_product p;
	const unsigned quads = t->kind == ISA_TENSOR_MMA && t->m == 8 && t->k == 4 ? 4 : 1;
	for (unsigned q = 0; q < quads; q++) {
		exec_product_read(x, i, q, &p);
		if (t->flags & ISA_TENSOR_SCALED)
			exec_tensor_scaled(x, i, t, r, &p);
		else if (isa_element_info[t->element[ISA_MATRIX_A]].kind != ISA_ELEMENT_FLOAT)
			exec_tensor_integers(t, &p);
		else
			exec_tensor_exact(t, &p);
		exec_matrix_scatter(x, isa_tensor_rows(x->program, i, ISA_MATRIX_D), &p.fragment[ISA_MATRIX_D], q, &p.d);
	}
}

WARP_HANDLER(mma)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	const enum isa_element a = (enum isa_element)t->element[ISA_MATRIX_A];
	const struct exec_tensor_rules r = exec_tensor_rules((enum exec_tensor)x->launch->tensor, t);
	if (a == ISA_EL_F64)
		exec_tensor_f64(x, i, t, &r);
	else if (isa_element_info[a].kind != ISA_ELEMENT_FLOAT || r.is_exact || t->flags & ISA_TENSOR_SCALED)
		multiply(x, i, t, &r);
	else
		x->plain[ISA_H_mma_float](x, i);
}

/* Integers, and the exact sum of floats. */
static void wgmma_plainly(struct exec *x, const struct isa_insn *i, const struct isa_tensor *t)
{
	struct exec_product p;
	for (unsigned first = 0; first < t->n; first += 64) {
		if (!exec_wgmma_read(x, i, first, t->n - first < 64 ? t->n - first : 64, &p))
			return;
		if (isa_element_info[t->element[ISA_MATRIX_A]].kind == ISA_ELEMENT_FLOAT)
			exec_tensor_exact(t, &p);
		else
			exec_tensor_integers(t, &p);
		exec_wgmma_write(x, i, first, &p);
	}
}

WARP_HANDLER(wgmma)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	if (isa_element_info[t->element[ISA_MATRIX_A]].kind != ISA_ELEMENT_FLOAT || x->launch->tensor == EXEC_TENSOR_EXACT)
		wgmma_plainly(x, i, t);
	else
		x->plain[ISA_H_wgmma_float](x, i);
}

/* Thread 4 * r + c holds elements (r, 2c) and (r, 2c + 1). */
WARP_HANDLER(movmatrix)
{
	const uint32_t *rows = &x->program->aux[i->aux + ISA_TENSOR_WORDS], *a = exec_src32(x, rows[1]);
	uint32_t d[LANES];
	for (unsigned lane = 0; lane < LANES; lane++) {
		const unsigned row = lane / 4, col = lane % 4 * 2, half = 16 * (row % 2);
		const uint32_t low = a[4 * col + row / 2] >> half & 0xffff, high = a[4 * (col + 1) + row / 2] >> half & 0xffff;
		d[lane] = low | high << 16;
	}
	uint32_t *to = exec_dst32(x, rows[0]);
	LANES_EACH (lane, x->mask)
		to[lane] = d[lane];
}

/* ---- f64 ---- */

struct f64_matrix {
	double v[256];
};

static void gather_f64(const struct exec *x, const uint32_t *rows, const struct isa_fragment *f, double *out)
{
	for (unsigned r = 0; r < f->n_rows; r++) {
		const uint64_t *reg = exec_src64(x, rows[r]);
		for (unsigned lane = 0; lane < LANES; lane++) {
			const struct isa_fragment_place at = isa_fragment_place(f, lane, r, 0);
			memcpy(&out[at.row * f->cols + at.col], &reg[lane], sizeof *out);
		}
	}
}

static void scatter_f64(struct exec *x, const uint32_t *rows, const struct isa_fragment *f, const double *in)
{
	for (unsigned r = 0; r < f->n_rows; r++) {
		if (rows[r] == ISA_REF_NONE)
			continue;
		uint64_t *reg = exec_dst64(x, rows[r]);
		LANES_EACH (lane, x->mask) {
			const struct isa_fragment_place at = isa_fragment_place(f, lane, r, 0);
			memcpy(&reg[lane], &in[at.row * f->cols + at.col], sizeof *in);
		}
	}
}

static void exact_f64(const struct isa_tensor *t, const double *a, const double *b, double *c)
{
	const struct exec_tensor_types types = {ISA_EL_F64, ISA_EL_F64, ISA_EL_F64, ISA_EL_F64};
	uint64_t row[16], col[16], sum;
	for (unsigned e = 0; e < (unsigned)t->m * t->n; e++) {
		for (unsigned k = 0; k < t->k; k++) {
			memcpy(&row[k], &a[e / t->n * t->k + k], 8);
			memcpy(&col[k], &b[k * t->n + e % t->n], 8);
		}
		memcpy(&sum, &c[e], 8);
		sum = exec_tensor_dot_exact(&types, row, col, t->k, sum);
		memcpy(&c[e], &sum, 8);
	}
}

/* A row of 32 elements at a time. */
static void chain_f64(const struct isa_tensor *t, const double *a, const double *b, double *c)
{
	double row[LANES], col[LANES];
	for (unsigned first = 0; first < (unsigned)t->m * t->n; first += LANES) {
		for (unsigned k = 0; k < t->k; k++) {
			for (unsigned l = 0; l < LANES; l++) {
				row[l] = a[(first + l) / t->n * t->k + k];
				col[l] = b[k * t->n + (first + l) % t->n];
			}
			round_f64(ROUND_FMA, (enum isa_round)t->rnd, row, col, &c[first], &c[first]);
		}
	}
}

void exec_tensor_f64(struct exec *x, const struct isa_insn *i, const struct isa_tensor *t, const struct exec_tensor_rules *r)
{
	struct f64_matrix m[3];
	struct isa_fragment f;
	for (unsigned k = ISA_MATRIX_A; k <= ISA_MATRIX_C; k++) {
		isa_tensor_fragment(t, (enum isa_matrix)k, &f);
		gather_f64(x, isa_tensor_rows(x->program, i, (enum isa_matrix)k), &f, m[k].v);
	}
	if (r->is_exact)
		exact_f64(t, m[0].v, m[1].v, m[2].v);
	else
		chain_f64(t, m[0].v, m[1].v, m[2].v);
	scatter_f64(x, isa_tensor_rows(x->program, i, ISA_MATRIX_D), &f, m[2].v);
}

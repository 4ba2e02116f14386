/* mma of f16, bf16, tf32 and the formats of 8 bits and less, eight columns of D at a time. exec/tensor.h says what is computed, tensor_dot.c computes
 * one element of it: those with infinities and NaN are left to that file. */
#include "exec/lanes.h"
#include "exec/tensor.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* every function that returns a vector is inlined */

#define WIDE 8u
typedef int32_t v8i __attribute__((vector_size(32), may_alias));
typedef float v8f __attribute__((vector_size(32), may_alias));
typedef int64_t v8l __attribute__((vector_size(64), may_alias));
typedef double v8d __attribute__((vector_size(64), may_alias));

#define EIGHT static inline __attribute__((always_inline))
#define FACTORS 2048u

/* Factors as significand, from 1 to 2 or below, and exponent. A product of two significands is exact in f32. */
struct factors {
	float significand[FACTORS] LANES_ALIGNED;
	int32_t exponent[FACTORS] LANES_ALIGNED;
	bool is_special[64]; /* the row of A, or column of B, has an infinity or NaN */
	bool any_special;
};

struct work {
	struct exec_product p;
	struct factors a, b;
	struct exec_tensor_rules rules;
	struct exec_tensor_types types;
};

/* ---- factors ---- */

/* Decodes n elements. Returns true if one of them is infinite or NaN. */
static bool decode_all(enum isa_element e, const uint32_t *restrict v, unsigned n, struct factors *restrict f)
{
	const struct isa_element_info *info = &isa_element_info[e];
	const int cut = e == ISA_EL_TF32 ? 13 : 0, fraction = info->fraction, all = (1 << info->exponent) - 1, bias = all >> 1;
	const int sign = fraction + info->exponent, implicit = 1 << fraction;
	const float unit = 1.0f / (float)implicit;
	/* the smallest pattern, without sign, of an infinity or NaN */
	const int special = e == ISA_EL_E4M3 ? 0x7f : e <= ISA_EL_F32 || e == ISA_EL_E5M2 ? all << fraction : INT32_MAX;
	int any = 0;
	for (unsigned k = 0; k < n; k++) {
		const int bits = (int)(v[k] >> cut), size = bits & ((1 << sign) - 1), exponent = size >> fraction;
		const int magnitude = (size & (implicit - 1)) | (exponent ? implicit : 0);
		any |= size >= special;
		f->significand[k] = (float)(bits >> sign & 1 ? -magnitude : magnitude) * unit;
		f->exponent[k] = magnitude ? (exponent ? exponent : 1) - bias : EXEC_TENSOR_ZERO_EXPONENT;
	}
	return any;
}

static bool is_special(enum isa_element e, uint32_t bits) { return exec_tensor_decode(e, bits).class != EXEC_TENSOR_FINITE; }

/* Notes which rows (of A) or columns (of B) have an infinity or NaN. */
static void note_specials(const struct exec_matrix *m, enum isa_element e, bool by_column, struct factors *f)
{
	memset(f->is_special, 0, sizeof f->is_special);
	for (unsigned k = 0; k < m->rows * m->cols && f->any_special; k++)
		f->is_special[by_column ? k % m->cols : k / m->cols] |= is_special(e, m->v[k]);
}

static void read_factors(struct work *w)
{
	w->a.any_special = decode_all((enum isa_element)w->types.a, w->p.a.v, w->p.a.rows * w->p.a.cols, &w->a);
	w->b.any_special = decode_all((enum isa_element)w->types.b, w->p.b.v, w->p.b.rows * w->p.b.cols, &w->b);
	note_specials(&w->p.a, (enum isa_element)w->types.a, false, &w->a);
	note_specials(&w->p.b, (enum isa_element)w->types.b, true, &w->b);
}

/* ---- addends and results ---- */

/* Eight numbers of f32 or f16 as significand and exponent. */
struct addend {
	v8f significand;
	v8i exponent;
	v8i is_special; /* all ones: infinite or NaN */
};

EIGHT struct addend decode_f32(v8i bits)
{
	const v8i field = bits >> 23 & 255, fraction = bits & 0x7fffff, sign = bits >> 31, normal = field != 0;
	const v8i magnitude = fraction | (normal & 0x800000), exponent = (normal & (field - 1)) - 126;
	return (struct addend){__builtin_convertvector((magnitude ^ sign) - sign, v8f) * 0x1p-23f, exponent, field == 255};
}

EIGHT struct addend decode_f16(v8i bits)
{
	const v8i field = bits >> 10 & 31, fraction = bits & 0x3ff, sign = -(bits >> 15 & 1), normal = field != 0;
	const v8i magnitude = fraction | (normal & 0x400), zero = magnitude == 0;
	const v8i exponent = (normal & (field - 1)) - 14;
	return (struct addend){__builtin_convertvector((magnitude ^ sign) - sign, v8f) * 0x1p-10f,
			       (exponent & ~zero) | (EXEC_TENSOR_ZERO_EXPONENT & zero), field == 31};
}

/* Cuts sums to f32. Those below the normal numbers are left to tensor_dot.c. */
EIGHT v8i to_f32(v8d v, unsigned result)
{
	const v8l bits = (v8l)v, size = bits & INT64_MAX;
	const v8l tiny = (size < INT64_C(0x3810000000000000)) & (size != 0);
	const v8f f = __builtin_convertvector((v8d)(bits & ~((INT64_C(1) << (52 - result)) - 1)), v8f);
	v8i out = (v8i)f;
	v8i is_tiny = __builtin_convertvector(tiny, v8i);
	for (unsigned k = 0; k < WIDE; k++)
		if (__builtin_expect(is_tiny[k], 0))
			out[k] = (int32_t)exec_tensor_to_f32(v[k], result);
	return out;
}

/* Rounds sums to f16. */
EIGHT v8i to_f16(v8d v)
{
	const v8l bits = (v8l)v, size = bits & INT64_MAX;
	const v8l rounded = (size + ((INT64_C(1) << 41) - 1) + (size >> 42 & 1)) >> 42; /* exponent of f64, fraction of f16 */
	const v8l normal = rounded - (INT64_C(1008) << 10), infinite = normal >= 0x7c00, tiny = (size < INT64_C(0x3f10000000000000)) & (size != 0);
	const v8l value = ((normal & ~infinite) | (0x7c00 & infinite) | (bits >> 48 & 0x8000)) & (size != 0);
	v8i out = __builtin_convertvector(value, v8i);
	const v8i is_tiny = __builtin_convertvector(tiny, v8i);
	for (unsigned k = 0; k < WIDE; k++)
		if (__builtin_expect(is_tiny[k], 0))
			out[k] = (int32_t)exec_tensor_to_f16(v[k]);
	return out;
}

/* ---- sums ---- */

EIGHT v8i larger(v8i a, v8i b)
{
#if defined(__AVX2__)
	return (v8i)__builtin_ia32_pmaxsd256(a, b);
#else
	const v8i which = a > b;
	return (which & a) | (~which & b);
#endif
}

/* Returns 2^e as f32; 0 where e is too small for a normal number. */
EIGHT v8f power(v8i e) { return (v8f)(larger(e + 127, (v8i){0}) << 23); }

/* A row of A, eight columns of B. */
struct strip {
	const float *sa, *sb;
	const int32_t *ea, *eb;
	const uint8_t *at;
	unsigned n; /* columns of B */
};

/* Adds products first to end - 1 of a strip to the addend. Returns the sums. A conversion to integers cuts off what is behind the last kept bit. */
EIGHT v8d add_step(const struct work *w, const struct strip *s, const struct addend *c, unsigned first, unsigned end)
{
	const int fraction = w->rules.fraction;
	v8i most = c->exponent;
	for (unsigned k = first; k < end; k++)
		most = larger(most, s->ea[k] + *(const v8i *)(const void *)&s->eb[s->at[k] * s->n]);
	const v8i unit = fraction - most;
	v8i sum = __builtin_convertvector(c->significand * power(unit + c->exponent), v8i);
	v8d total = {0};
	for (unsigned k = first; k < end; k++) {
		/* 8 products of at most 2^27 fit an int32 */
		if (k > first && (k - first) % 8 == 0) {
			total += __builtin_convertvector(sum, v8d);
			sum = (v8i){0};
		}
		const v8f product = s->sa[k] * *(const v8f *)(const void *)&s->sb[s->at[k] * s->n];
		sum += __builtin_convertvector(product * power(unit + s->ea[k] + *(const v8i *)(const void *)&s->eb[s->at[k] * s->n]), v8i);
	}
	total += __builtin_convertvector(sum, v8d);
	/* the sum's last bit is worth 2^(most - fraction) */
	const v8l scale = __builtin_convertvector(1023 - unit, v8l) << 52;
	return total * (v8d)scale;
}

/* Computes eight elements of a row of D from those of C. */
EIGHT v8i add_row(const struct work *w, const struct strip *s, v8i c, bool c_is_f16, bool d_is_f16)
{
	const unsigned k = w->p.a.cols;
	for (unsigned first = 0; first < k; first += w->rules.step) {
		const unsigned end = first + w->rules.step < k ? first + w->rules.step : k;
		const struct addend addend = c_is_f16 ? decode_f16(c) : decode_f32(c);
		const v8d sum = add_step(w, s, &addend, first, end);
		const v8i d = d_is_f16 ? to_f16(sum) : to_f32(sum, w->rules.result);
		c = (d & ~addend.is_special) | (c & addend.is_special);
		c_is_f16 = d_is_f16;
	}
	return c;
}

/* Computes the elements that have infinities or NaN among their operands. */
static void add_specials(struct work *w, unsigned row, unsigned col)
{
	const unsigned k = w->p.a.cols, n = w->p.b.cols;
	uint32_t b[128];
	for (unsigned e = 0; e < k; e++)
		b[e] = w->p.b.v[w->p.sparse.at[row * k + e] * n + col];
	w->p.d.v[row * n + col] = exec_tensor_dot(&w->rules, &w->types, &w->p.a.v[row * k], b, k, w->p.c.v[row * n + col], NULL);
}

/* Returns true if an element has an exponent of all ones. */
static bool has_special(const struct exec_matrix *m, uint32_t exponent)
{
	unsigned any = 0;
	for (unsigned k = 0; k < m->rows * m->cols; k++)
		any |= (m->v[k] & exponent) == exponent;
	return any;
}

static void multiply(struct work *w)
{
	const unsigned k = w->p.a.cols, n = w->p.b.cols;
	const enum isa_element c_type = (enum isa_element)w->types.c;
	const bool c_is_f16 = c_type == ISA_EL_F16, d_is_f16 = w->types.d == ISA_EL_F16;
	const bool any_special = w->a.any_special || w->b.any_special || has_special(&w->p.c, c_is_f16 ? 0x7c00u : 0x7f800000u);
	for (unsigned row = 0; row < w->p.a.rows; row++) {
		for (unsigned col = 0; col < n; col += WIDE) {
			const struct strip s = {&w->a.significand[row * k], &w->b.significand[col],   &w->a.exponent[row * k],
						&w->b.exponent[col],	    &w->p.sparse.at[row * k], n};
			v8i *d = (v8i *)(void *)&w->p.d.v[row * n + col];
			const v8i c = *(const v8i *)(const void *)&w->p.c.v[row * n + col];
			if (d_is_f16)
				*d = add_row(w, &s, c, c_is_f16, true);
			else
				*d = add_row(w, &s, c, false, false);
		}
		for (unsigned col = 0; col < n && any_special; col++)
			if (w->a.is_special[row] || w->b.is_special[col] || is_special(c_type, w->p.c.v[row * n + col]))
				add_specials(w, row, col);
	}
}

/* A result in f32 takes an addend of f16 as f32. */
static void widen(struct work *w)
{
	for (unsigned k = 0; k < w->p.c.rows * w->p.c.cols; k++)
		w->p.c.v[k] = exec_tensor_to_f32(exec_tensor_value(ISA_EL_F16, w->p.c.v[k]), 23);
	w->types.c = ISA_EL_F32;
}

LANES_HANDLER(mma_float)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	const unsigned quads = t->kind == ISA_TENSOR_MMA && t->m == 8 && t->k == 4 ? 4 : 1;
	struct work w;
	w.rules = exec_tensor_rules((enum exec_tensor)x->launch->tensor, t);
	for (unsigned q = 0; q < quads; q++) {
		w.types = (struct exec_tensor_types){t->element[0], t->element[1], t->element[2], t->element[3]};
		exec_product_read(x, i, q, &w.p);
		if (w.types.c == ISA_EL_F16 && w.types.d == ISA_EL_F32)
			widen(&w);
		read_factors(&w);
		multiply(&w);
		exec_matrix_scatter(x, isa_tensor_rows(x->program, i, ISA_MATRIX_D), &w.p.fragment[ISA_MATRIX_D], q, &w.p.d);
	}
}

/* 64 columns of D at a time. */
LANES_HANDLER(wgmma_float)
{
	const struct isa_tensor *t = isa_tensor_of(x->program, i);
	struct work w;
	w.rules = exec_tensor_wgmma_rules(t);
	w.types = (struct exec_tensor_types){t->element[0], t->element[1], t->element[2], t->element[3]};
	for (unsigned first = 0; first < t->n; first += 64) {
		if (!exec_wgmma_read(x, i, first, t->n - first < 64 ? t->n - first : 64, &w.p))
			return;
		read_factors(&w);
		multiply(&w);
		exec_wgmma_write(x, i, first, &w.p);
	}
}

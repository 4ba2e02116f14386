/* Tensor instructions as a warp executes them, with random matrices: each shape and type, each generation, each build of the lane code. What an element of
 * D must be: tensor_dot.c's function of one element, which test_tensor_bits holds against MMA-Sim, and plain C for integers and f64. Where elements live:
 * the formulas of the PTX ISA, written down again here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "gpu/gpu.h"
#include "gpu/input.h"
#include "frontend/frontend.h"
#include "kernel_run.h"
#include "tensor_vectors.h"

#if defined(__x86_64__)
static const char *const levels[] = {"v2", "v3", "v4"};
#else
static const char *const levels[] = {"generic"};
#endif

/* ---- the PTX ISA's formulas ---- */

/* Element i of a lane of a matrix whose registers hold p elements. */
static void place_of(const struct isa_fragment *f, unsigned lane, unsigned i, unsigned *row, unsigned *col)
{
	const unsigned g = lane >> 2, t = lane & 3, p = f->per_reg;
	if (f->matrix == ISA_MATRIX_A) {
		*row = f->rows == 8 || i / p % 2 == 0 ? g : g + 8;
		*col = t * p + i % p + (f->rows == 8 ? i / p : i / (2 * p)) * 4 * p;
	} else if (f->matrix == ISA_MATRIX_B) {
		*row = t * p + i % p + i / p * 4 * p;
		*col = g;
	} else {
		*row = i < 2 ? g : g + 8;
		*col = t * 2 + (i & 1);
	}
}

/* m8n8k4 of f16: one of four matrices for lanes of a quad pair. */
static unsigned quad_place_of(const struct isa_fragment *f, unsigned lane, unsigned i, bool is_col, unsigned *row, unsigned *col)
{
	const unsigned upper = lane < 16 ? 0 : 4;
	if (f->matrix == ISA_MATRIX_A && !is_col) {
		*row = lane % 4 + upper;
		*col = i;
	} else if (f->matrix == ISA_MATRIX_A) {
		*row = i % 4 + upper;
		*col = lane % 4;
	} else if (f->matrix == ISA_MATRIX_B && !is_col) {
		*row = lane % 4;
		*col = i + upper;
	} else if (f->matrix == ISA_MATRIX_B) {
		*row = i;
		*col = lane % 4 + upper;
	} else if (f->element == ISA_EL_F16) {
		*row = lane % 4 + upper;
		*col = i;
	} else {
		*row = (lane & 1) + (i & 2) + upper;
		*col = (i & 4) + (lane & 2) + (i & 1);
	}
	return lane % 16 / 4;
}

/* ---- matrices ---- */

struct matrices {
	uint64_t a[4][32 * 256], b[4][256 * 32], c[4][32 * 32], d[4][32 * 32];
};

static uint64_t draw(struct vector_random *r, enum isa_element e, unsigned mode)
{
	if (e == ISA_EL_F64) {
		const double v = (double)(int64_t)(vector_next(r) >> 24) * 0x1p-30 - 512;
		uint64_t bits;
		memcpy(&bits, &v, sizeof bits);
		return bits;
	}
	if (isa_element_info[e].kind != ISA_ELEMENT_FLOAT)
		return vector_next(r) & ((UINT64_C(1) << isa_element_info[e].bits) - 1);
	return vector_element(r, e, mode);
}

static void fill(struct vector_random *r, const struct isa_tensor *t, unsigned mode, struct matrices *m)
{
	for (unsigned q = 0; q < 4; q++) {
		for (unsigned i = 0; i < (unsigned)t->m * t->k; i++)
			m->a[q][i] = draw(r, (enum isa_element)t->element[ISA_MATRIX_A], mode);
		for (unsigned i = 0; i < (unsigned)t->k * t->n; i++)
			m->b[q][i] = draw(r, (enum isa_element)t->element[ISA_MATRIX_B], mode);
		for (unsigned i = 0; i < (unsigned)t->m * t->n; i++)
			m->c[q][i] = draw(r, (enum isa_element)t->element[ISA_MATRIX_C], mode);
	}
}

static int64_t integer(enum isa_element e, uint64_t v)
{
	const unsigned bits = isa_element_info[e].bits;
	return isa_element_info[e].kind == ISA_ELEMENT_SIGNED && v >> (bits - 1) & 1 ? (int64_t)v - (INT64_C(1) << bits) : (int64_t)v;
}

static uint64_t expected_integer(const struct isa_tensor *t, const uint64_t *a, const uint64_t *b, uint64_t c)
{
	const enum isa_element ea = (enum isa_element)t->element[ISA_MATRIX_A], eb = (enum isa_element)t->element[ISA_MATRIX_B];
	int64_t sum = (int32_t)c;
	for (unsigned k = 0; k < t->k; k++) {
		if (ea == ISA_EL_B1)
			sum += (int64_t)(t->flags & ISA_TENSOR_XOR ? a[k] ^ b[k] : a[k] & b[k]);
		else
			sum += integer(ea, a[k]) * integer(eb, b[k]);
	}
	if (t->flags & ISA_TENSOR_SATFINITE)
		sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
	return (uint32_t)sum;
}

static uint64_t expected_f64(const struct isa_tensor *t, const uint64_t *a, const uint64_t *b, uint64_t c)
{
	double sum, x, y;
	memcpy(&sum, &c, 8);
	for (unsigned k = 0; k < t->k; k++) {
		memcpy(&x, &a[k], 8);
		memcpy(&y, &b[k], 8);
		sum = fma(x, y, sum);
	}
	memcpy(&c, &sum, 8);
	return c;
}

static uint64_t expected(const struct isa_tensor *t, enum exec_tensor generation, const struct matrices *m, unsigned q, unsigned row, unsigned col)
{
	const struct exec_tensor_types types = {t->element[0], t->element[1], t->element[2], t->element[3]};
	const struct exec_tensor_rules r = exec_tensor_rules(generation, t);
	uint64_t a[256], b[256];
	uint32_t a32[256], b32[256];
	for (unsigned k = 0; k < t->k; k++) {
		a32[k] = (uint32_t)(a[k] = m->a[q][row * t->k + k]);
		b32[k] = (uint32_t)(b[k] = m->b[q][k * t->n + col]);
	}
	const uint64_t c = m->c[q][row * t->n + col];
	if (isa_element_info[types.a].kind != ISA_ELEMENT_FLOAT)
		return expected_integer(t, a, b, c);
	if (r.is_exact)
		return exec_tensor_dot_exact(&types, a, b, t->k, c);
	if (types.a == ISA_EL_F64)
		return expected_f64(t, a, b, c);
	return exec_tensor_dot(&r, &types, a32, b32, t->k, (uint32_t)c, NULL);
}

/* ---- registers ---- */

/* In memory: register r of a lane is word lane * 64 + r of its matrix, 8 bytes each. */
#define REGISTERS 64u
struct registers {
	uint64_t v[LANES * REGISTERS];
};

static void pack(const struct isa_tensor *t, enum isa_matrix which, const struct matrices *m, struct registers *out)
{
	const uint64_t (*from)[32 * 256] = which == ISA_MATRIX_A ? m->a : m->b;
	struct isa_fragment f;
	memset(out, 0, sizeof *out);
	isa_tensor_fragment(t, which, &f);
	for (unsigned lane = 0; lane < LANES; lane++) {
		for (unsigned i = 0; i < (unsigned)f.n_rows * f.per_reg; i++) {
			unsigned row, col, q = 0;
			if (f.quads)
				q = quad_place_of(&f, lane, i, t->flags & (which == ISA_MATRIX_A ? ISA_TENSOR_COL_A : ISA_TENSOR_COL_B), &row, &col);
			else
				place_of(&f, lane, i, &row, &col);
			const uint64_t v = which == ISA_MATRIX_C ? m->c[q][row * f.cols + col] : from[q][row * f.cols + col];
			out->v[lane * REGISTERS + i / f.per_reg] |= v << (i % f.per_reg * f.bits + f.shift);
		}
	}
}

static void check_result(const struct isa_tensor *t, enum exec_tensor generation, const struct matrices *m, const struct registers *d, const char *text)
{
	struct isa_fragment f;
	isa_tensor_fragment(t, ISA_MATRIX_D, &f);
	for (unsigned lane = 0; lane < LANES; lane++) {
		for (unsigned i = 0; i < (unsigned)f.n_rows * f.per_reg; i++) {
			unsigned row, col, q = 0;
			if (f.quads)
				q = quad_place_of(&f, lane, i, false, &row, &col);
			else
				place_of(&f, lane, i, &row, &col);
			const uint64_t word = d->v[lane * REGISTERS + i / f.per_reg] >> i % f.per_reg * f.bits;
			const uint64_t have = f.bits == 64 ? word : word & ((UINT64_C(1) << f.bits) - 1), want = expected(t, generation, m, q, row, col);
			if (have != want)
				fail_msg("%s, generation %u: D[%u][%u] of lane %u is 0x%llx, expected 0x%llx", text, generation, row, col, lane,
					 (unsigned long long)have, (unsigned long long)want);
		}
	}
}

/* ---- kernels ---- */

static void add_vector(struct text *t, const char *name, unsigned n)
{
	text_add(t, "{");
	for (unsigned k = 0; k < n; k++)
		text_addf(t, "%s%%%s%u", k ? ", " : "", name, k);
	text_add(t, "}");
}

/* A kernel that reads A, B and C from memory, a register after the other, multiplies and writes D. */
static char *kernel_of(const char *opcode, const struct isa_tensor *t, const char *extra)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	struct text s = {0};
	struct isa_fragment f;
	text_add(&s, ".version 9.0\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n{\n"
		     ".reg .b64 %p<4>, %o; .reg .b32 %t, %e, %sa, %sb;\n mov.u32 %t, %laneid; mul.wide.u32 %o, %t, 512; \n");
	for (unsigned m = 0; m < ISA_MATRICES; m++) {
		isa_tensor_fragment(t, (enum isa_matrix)m, &f);
		const char *type = f.reg_bytes == 8 ? "f64" : f.element == ISA_EL_F32 ? "f32" : "b32";
		text_addf(&s, ".reg .%s %%%s<%u>;\n ld.param.u64 %%p%u, [p%s]; add.u64 %%p%u, %%p%u, %%o;\n", type, names[m], f.n_rows, m, names[m], m, m);
		for (unsigned r = 0; r < f.n_rows && m < ISA_MATRIX_D; r++)
			text_addf(&s, " ld.global.%s %%%s%u, [%%p%u+%u];\n", type, names[m], r, m, 8 * r);
	}
	text_add(&s, " ld.global.b32 %e, [%p2+504]; ld.global.b32 %sa, [%p2+496]; ld.global.b32 %sb, [%p2+488];\n");
	text_addf(&s, " %s ", opcode);
	static const enum isa_matrix order[] = {ISA_MATRIX_D, ISA_MATRIX_A, ISA_MATRIX_B, ISA_MATRIX_C};
	for (unsigned k = 0; k < 4; k++) {
		isa_tensor_fragment(t, order[k], &f);
		text_add(&s, k ? ", " : "");
		add_vector(&s, names[order[k]], f.n_rows);
	}
	text_addf(&s, "%s;\n", extra);
	isa_tensor_fragment(t, ISA_MATRIX_D, &f);
	for (unsigned r = 0; r < f.n_rows; r++)
		text_addf(&s, " st.global.%s [%%p3+%u], %%d%u;\n", f.reg_bytes == 8 ? "f64" : f.element == ISA_EL_F32 ? "f32" : "b32", 8 * r, r);
	text_add(&s, " ret;\n}\n");
	return s.s;
}


static struct gpu *load(const char *ptx, const char *level)
{
	struct gpu *g = gpu_create(NULL, level, NULL);
	struct diag_list diags = {0};
	assert_non_null(g);
	const bool ok = frontend_load_text(gpu_program(g), 0, "k.ptx", ptx, strlen(ptx), &diags);
	if (!ok || diags.n)
		fail_msg("refused:\n%s", ptx);
	gpu_program_changed(g);
	diag_list_free(&diags);
	return g;
}

/* ---- shapes and types ---- */

struct shape {
	const char *opcode; /* without types, from behind mma.sync.aligned */
	const char *types;  /* D.A.B.C, an alternative in each line */
};
static const struct shape shapes[] = {
	{"m8n8k4.row.col", "f32.f16.f16.f32 f32.f16.f16.f16 f16.f16.f16.f16"},
	{"m8n8k4.col.row", "f32.f16.f16.f32 f16.f16.f16.f16"},
	{"m16n8k8.row.col", "f32.f16.f16.f32 f16.f16.f16.f16 f32.bf16.bf16.f32 f32.tf32.tf32.f32"},
	{"m16n8k16.row.col", "f32.f16.f16.f32 f16.f16.f16.f16 f32.bf16.bf16.f32 f32.e4m3.e5m2.f32 f16.e5m2.e4m3.f16"},
	{"m16n8k4.row.col", "f32.tf32.tf32.f32 f64.f64.f64.f64"},
	{"m8n8k4.row.col", "f64.f64.f64.f64"},
	{"m16n8k8.row.col", "f64.f64.f64.f64"},
	{"m16n8k16.row.col", "f64.f64.f64.f64"},
	{"m16n8k32.row.col", "f32.e4m3.e4m3.f32 f32.e5m2.e4m3.f32 f16.e4m3.e5m2.f16 f16.e5m2.e5m2.f16"},
	{"m16n8k32.row.col.kind::f8f6f4", "f32.e3m2.e2m3.f32 f32.e2m1.e4m3.f32 f16.e2m3.e2m1.f16 f32.e5m2.e3m2.f32"},
	{"m8n8k16.row.col", "s32.s8.u8.s32 s32.u8.u8.s32"},
	{"m16n8k16.row.col.satfinite", "s32.s8.s8.s32 s32.u8.s8.s32"},
	{"m16n8k32.row.col", "s32.s8.s8.s32 s32.u4.s4.s32"},
	{"m8n8k32.row.col.satfinite", "s32.s4.s4.s32"},
	{"m16n8k64.row.col", "s32.s4.u4.s32"},
	{"m8n8k128.row.col", "s32.b1.b1.s32.xor.popc s32.b1.b1.s32.and.popc"},
	{"m16n8k128.row.col", "s32.b1.b1.s32.xor.popc"},
	{"m16n8k256.row.col", "s32.b1.b1.s32.and.popc s32.b1.b1.s32.xor.popc"},
};

/* The description of an mma, made without the parser. */
static struct isa_tensor describe(const struct shape *s, const char *types)
{
	struct isa_tensor t;
	char text[128];
	snprintf(text, sizeof text, "%.*s.%s", (int)strcspn(s->opcode, "."), s->opcode, types);
	vector_tensor(text, &t);
	t.flags = (uint8_t)((strstr(s->opcode, ".satfinite") ? ISA_TENSOR_SATFINITE : 0) | (strstr(types, "xor") ? ISA_TENSOR_XOR : 0) |
			    (strstr(s->opcode, "kind::f8f6f4") ? ISA_TENSOR_BYTES : 0));
	if (strstr(s->opcode, "k4.col"))
		t.flags |= ISA_TENSOR_COL_A;
	if (!strstr(s->opcode, "col.row"))
		t.flags |= ISA_TENSOR_COL_B;
	return t;
}

static void run(struct gpu *g, const struct isa_tensor *t, enum exec_tensor generation, struct vector_random *r, const char *text)
{
	static struct matrices m;
	static struct registers reg;
	uint64_t params[ISA_MATRICES];
	struct text why = {0};
	fill(r, t, (unsigned)(vector_next(r) % 4), &m);
	assert_int_equal(gpu_input(g, &(struct gpu_input){.kind = GPU_INPUT_TENSOR_ROUNDING, .numbered = {generation + 1u}}, &why), 1);
	for (unsigned k = 0; k < ISA_MATRICES; k++) {
		params[k] = gpu_alloc(g, sizeof reg, "m");
		if (k < ISA_MATRIX_D) {
			pack(t, (enum isa_matrix)k, &m, &reg);
			assert_true(gpu_write(g, params[k], &reg, sizeof reg));
		}
	}
	const struct gpu_launch_spec spec = {.grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = params, .n_params = sizeof params};
	assert_int_equal(kernel_run(g, "k", spec), GPU_EVENT_KERNEL_DONE);
	assert_true(gpu_read(g, params[ISA_MATRIX_D], &reg, sizeof reg));
	check_result(t, generation, &m, &reg, text);
	for (unsigned k = 0; k < ISA_MATRICES; k++)
		gpu_free(g, params[k]);
	text_free(&why);
}

static void check_types(const struct shape *s, const char *types, const char *level, struct vector_random *r)
{
	char opcode[160];
	const struct isa_tensor t = describe(s, types);
	snprintf(opcode, sizeof opcode, "mma.sync.aligned.%s.%s", s->opcode, types);
	char *ptx = kernel_of(opcode, &t, "");
	struct gpu *g = load(ptx, level);
	const bool is_float = isa_element_info[t.element[ISA_MATRIX_A]].kind == ISA_ELEMENT_FLOAT;
	for (unsigned generation = 0; generation < EXEC_TENSORS; generation++)
		for (unsigned n = 0; n < (is_float ? 3 : 1); n++)
			run(g, &t, (enum exec_tensor)generation, r, opcode);
	gpu_destroy(g);
	free(ptx);
}

static void products(void **state)
{
	struct vector_random r = {1};
	(void)state;
	for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
		if (!exec_level_runs(levels[l]))
			continue;
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
			char types[256], *save;
			snprintf(types, sizeof types, "%s", shapes[k].types);
			for (char *one = strtok_r(types, " ", &save); one; one = strtok_r(NULL, " ", &save))
				check_types(&shapes[k], one, levels[l], &r);
		}
	}
}

/* ---- sparse A and scales ---- */

/* Lanes' words besides A, B and C: the last ones of C's registers. */
enum { WORD_METADATA = 63, WORD_SCALE_A = 62, WORD_SCALE_B = 61 };

/* Returns the bits of a small integer in a format. */
static uint32_t bits_of(enum isa_element e, int v)
{
	const unsigned width = isa_element_info[e].bits;
	const unsigned shift = e == ISA_EL_TF32 ? 13 : e == ISA_EL_F32 ? 23 - 7 : 0;
	if (isa_element_info[e].kind != ISA_ELEMENT_FLOAT)
		return (uint32_t)v & (uint32_t)((UINT64_C(1) << width) - 1);
	for (uint32_t k = 0; k < 1u << (width - shift); k++)
		if (exec_tensor_decode(e, k << shift).class == EXEC_TENSOR_FINITE && exec_tensor_value(e, k << shift) == v)
			return k << shift;
	fail_msg("%d in %s", v, isa_element_info[e].name);
	return 0;
}

/* Puts the index of a kept element where the PTX ISA has it: rows g and g + 8 share lanes of the same four. */
static void put_index(struct registers *c, const struct isa_tensor *t, unsigned selector, unsigned row, unsigned bit, unsigned value, unsigned row_bits)
{
	const unsigned four = 4 * (row % 8), low = row / 8;
	unsigned lane, at;
	if (row_bits == 16) {
		lane = four + selector;
		at = 16 * low + bit;
	} else if (row_bits == 32 && isa_element_info[t->element[ISA_MATRIX_A]].bits >= 16) {
		lane = four + 2 * selector + bit / 16;
		at = 16 * low + bit % 16;
	} else if (row_bits == 32) {
		lane = four + 2 * selector + low;
		at = bit;
	} else {
		lane = four + bit / 32 * 2 + low;
		at = bit % 32;
	}
	c->v[lane * REGISTERS + WORD_METADATA] |= (uint64_t)value << at;
}

/* Chooses which elements of a row are kept. Fills column[] and the metadata. */
static void choose_columns(struct vector_random *r, const struct isa_tensor *t, unsigned selector, unsigned row, uint8_t column[128], struct registers *c)
{
	const enum isa_element a = (enum isa_element)t->element[ISA_MATRIX_A];
	const unsigned kept = t->k / 2u;
	const bool is_pair = isa_element_info[a].bits == 4;
	for (unsigned e = 0; e < kept;) {
		static const uint8_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
		const uint8_t *p = pairs[vector_next(r) % 6];
		if (a == ISA_EL_TF32) { /* one of two, as two halves of four */
			const unsigned which = (unsigned)(vector_next(r) & 1);
			column[e] = (uint8_t)(2 * e + which);
			put_index(c, t, selector, row, 4 * e, which ? 0xe : 0x4, 2u * t->k);
			e++;
			continue;
		}
		for (unsigned h = 0; h < 2; h++) {
			if (is_pair) {
				column[e + 2 * h] = (uint8_t)(2 * e + 2 * p[h]);
				column[e + 2 * h + 1] = (uint8_t)(2 * e + 2 * p[h] + 1);
				put_index(c, t, selector, row, e + 2 * h, p[h], t->k / 2u);
			} else {
				column[e + h] = (uint8_t)(2 * e + p[h]);
				put_index(c, t, selector, row, 2 * (e + h), p[h], t->k);
			}
		}
		e += is_pair ? 4 : 2;
	}
}

static void sparse_run(const char *opcode, struct isa_tensor t, unsigned selector, struct vector_random *r)
{
	static struct matrices m;
	static struct registers reg[ISA_MATRICES];
	static uint8_t column[16][128];
	static int a[16][128], b[128][8];
	char extra[64];
	uint64_t params[ISA_MATRICES];
	const unsigned kept = t.k / 2u;
	t.flags |= ISA_TENSOR_SPARSE;
	memset(&m, 0, sizeof m);
	for (unsigned i = 0; i < 16 * kept; i++)
		m.a[0][i] = bits_of((enum isa_element)t.element[0], a[i / kept][i % kept] = (int)(vector_next(r) % 3));
	for (unsigned i = 0; i < t.k * 8u; i++)
		m.b[0][i] = bits_of((enum isa_element)t.element[1], b[i / 8][i % 8] = (int)(vector_next(r) % 5));
	pack(&t, ISA_MATRIX_A, &m, &reg[ISA_MATRIX_A]);
	pack(&t, ISA_MATRIX_B, &m, &reg[ISA_MATRIX_B]);
	pack(&t, ISA_MATRIX_C, &m, &reg[ISA_MATRIX_C]);
	for (unsigned row = 0; row < 16; row++)
		choose_columns(r, &t, selector, row, column[row], &reg[ISA_MATRIX_C]);
	snprintf(extra, sizeof extra, ", %%e, %u", selector);
	char *ptx = kernel_of(opcode, &t, extra);
	struct gpu *g = load(ptx, NULL);
	for (unsigned k = 0; k < ISA_MATRICES; k++) {
		params[k] = gpu_alloc(g, sizeof *reg, "m");
		assert_true(gpu_write(g, params[k], &reg[k], sizeof *reg));
	}
	const struct gpu_launch_spec spec = {.grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = params, .n_params = sizeof params};
	assert_int_equal(kernel_run(g, "k", spec), GPU_EVENT_KERNEL_DONE);
	assert_true(gpu_read(g, params[ISA_MATRIX_D], &reg[ISA_MATRIX_D], sizeof *reg));
	struct isa_fragment f;
	isa_tensor_fragment(&t, ISA_MATRIX_D, &f);
	for (unsigned lane = 0; lane < LANES; lane++) {
		for (unsigned i = 0; i < (unsigned)f.n_rows * f.per_reg; i++) {
			unsigned row, col;
			int sum = 0;
			place_of(&f, lane, i, &row, &col);
			for (unsigned k = 0; k < kept; k++)
				sum += a[row][k] * b[column[row][k]][col];
			const uint64_t have = reg[ISA_MATRIX_D].v[lane * REGISTERS + i / f.per_reg] >> i % f.per_reg * f.bits & ((UINT64_C(1) << f.bits) - 1);
			const double v = f.element == ISA_EL_S32 ? (double)(int32_t)have : exec_tensor_value((enum isa_element)f.element, (uint32_t)have);
			if (v != sum)
				fail_msg("%s: D[%u][%u] is %g, expected %d", opcode, row, col, v, sum);
		}
	}
	gpu_destroy(g);
	free(ptx);
}

static void sparse(void **state)
{
	static const struct {
		const char *shape, *types;
		unsigned selectors;
	} rows[] = {{"m16n8k16", "f32.f16.f16.f32", 4}, {"m16n8k32", "f16.f16.f16.f16", 2}, {"m16n8k16", "f32.bf16.bf16.f32", 4}, {"m16n8k8", "f32.tf32.tf32.f32", 4},
		    {"m16n8k16", "f32.tf32.tf32.f32", 2}, {"m16n8k32", "s32.s8.u8.s32", 2}, {"m16n8k64", "s32.u8.s8.s32", 1}, {"m16n8k64", "s32.u4.u4.s32", 2},
		    {"m16n8k128", "s32.u4.u4.s32", 1}, {"m16n8k64", "f32.e4m3.e5m2.f32", 1}};
	struct vector_random r = {5};
	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const struct shape s = {rows[k].shape, rows[k].types};
		char opcode[160];
		snprintf(opcode, sizeof opcode, "mma.sp::ordered_metadata.sync.aligned.%s.row.col.%s", s.opcode, s.types);
		for (unsigned selector = 0; selector < rows[k].selectors; selector++)
			sparse_run(opcode, describe(&s, s.types), selector, &r);
	}
}

/* The scales of a row or column: lanes of four that the thread-id names, bytes from the byte-id on. Source: PTX ISA "Block Scaling for mma.sync". */
static struct exec_tensor_scales scales_at(const struct registers *c, unsigned word, bool is_a, unsigned index, unsigned byte, unsigned thread, unsigned n)
{
	const unsigned lane = 4 * (index % 8) + (is_a ? 2 * thread + index / 8 : thread);
	struct exec_tensor_scales s = {{0}};
	for (unsigned k = 0; k < n; k++)
		s.v[k] = (uint32_t)(c->v[lane * REGISTERS + word] >> 8 * (byte + k)) & 0xff;
	return s;
}

static void scaled_run(const char *opcode, const struct isa_tensor *t, unsigned byte, unsigned thread, struct vector_random *r)
{
	static struct matrices m;
	static struct registers reg[ISA_MATRICES];
	char extra[128];
	uint64_t params[ISA_MATRICES];
	fill(r, t, 1, &m);
	for (unsigned k = 0; k < ISA_MATRIX_D; k++)
		pack(t, (enum isa_matrix)k, &m, &reg[k]);
	for (unsigned lane = 0; lane < LANES; lane++)
		for (unsigned k = 0; k < 4; k++) {
			reg[ISA_MATRIX_C].v[lane * REGISTERS + WORD_SCALE_A] |= (uint64_t)vector_element(r, (enum isa_element)t->scale, 1) << 8 * k;
			reg[ISA_MATRIX_C].v[lane * REGISTERS + WORD_SCALE_B] |= (uint64_t)vector_element(r, (enum isa_element)t->scale, 1) << 8 * k;
		}
	snprintf(extra, sizeof extra, ", %%sa, {%u, %u}, %%sb, {%u, %u}", byte, thread, byte, 3 - thread);
	char *ptx = kernel_of(opcode, t, extra);
	struct gpu *g = load(ptx, NULL);
	for (unsigned k = 0; k < ISA_MATRICES; k++) {
		params[k] = gpu_alloc(g, sizeof *reg, "m");
		assert_true(gpu_write(g, params[k], &reg[k], sizeof *reg));
	}
	const struct gpu_launch_spec spec = {.grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = params, .n_params = sizeof params};
	assert_int_equal(kernel_run(g, "k", spec), GPU_EVENT_KERNEL_DONE);
	assert_true(gpu_read(g, params[ISA_MATRIX_D], &reg[ISA_MATRIX_D], sizeof *reg));
	for (unsigned row = 0; row < 16; row++) {
		for (unsigned col = 0; col < 8; col++) {
			uint32_t a[64], b[64];
			for (unsigned k = 0; k < t->k; k++) {
				a[k] = (uint32_t)m.a[0][row * t->k + k];
				b[k] = (uint32_t)m.b[0][k * 8 + col];
			}
			const struct exec_tensor_element e = {t, a, b, t->k, (unsigned)t->k / t->scale_vec, (uint32_t)m.c[0][row * 8 + col],
							      scales_at(&reg[ISA_MATRIX_C], WORD_SCALE_A, true, row, byte, thread, t->scale_vec),
							      scales_at(&reg[ISA_MATRIX_C], WORD_SCALE_B, false, col, byte, 3 - thread, t->scale_vec)};
			const unsigned lane = row % 8 * 4 + col / 2, word = row / 8 * 2 + col % 2;
			assert_int_equal((uint32_t)reg[ISA_MATRIX_D].v[lane * REGISTERS + word], exec_tensor_scaled_dot(&e, false));
		}
	}
	gpu_destroy(g);
	free(ptx);
}

static void scaled(void **state)
{
	static const struct {
		const char *shape, *kind, *types, *scale;
		unsigned vec;
	} rows[] = {{"m16n8k32", "kind::mxf8f6f4.block_scale.scale_vec::1X", "f32.e4m3.e2m3.f32", "ue8m0", 1},
		    {"m16n8k32", "kind::mxf8f6f4.block_scale", "f32.e2m1.e5m2.f32", "ue8m0", 1},
		    {"m16n8k64", "kind::mxf4.block_scale.scale_vec::2X", "f32.e2m1.e2m1.f32", "ue8m0", 2},
		    {"m16n8k64", "kind::mxf4nvf4.block_scale.scale_vec::4X", "f32.e2m1.e2m1.f32", "ue4m3", 4}};
	struct vector_random r = {9};
	(void)state;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const struct shape s = {rows[k].shape, rows[k].types};
		char opcode[200];
		struct isa_tensor t = describe(&s, s.types);
		snprintf(opcode, sizeof opcode, "mma.sync.aligned.%s.row.col.%s.%s.%s", s.opcode, rows[k].kind, s.types, rows[k].scale);
		t.flags |= ISA_TENSOR_SCALED | (t.k == 32 ? ISA_TENSOR_BYTES : 0);
		t.scale = (uint8_t)isa_element_find(rows[k].scale, 5);
		t.scale_vec = (uint8_t)rows[k].vec;
		for (unsigned thread = 0; thread < 2; thread++)
			for (unsigned byte = 0; byte + rows[k].vec <= 4; byte += rows[k].vec)
				scaled_run(opcode, &t, byte, thread, &r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(sparse), cmocka_unit_test(scaled)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

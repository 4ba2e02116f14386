/* info fragment: the matrices of a tensor instruction, or of registers that are named, as rows and columns. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/info.h"
#include "debug/ground/scan.h"
#include "debug/view/view.h"
#include "exec/tensor.h"
#include "isa/opcodes.h"
#include "isa/program.h"

#define ROWS_MAX 256u
#define WORD_BITS 32u /* of b1 in one column */

/* Registers with a matrix: rows of the focused warp's frame. */
struct matrix {
	struct isa_fragment f;
	const void *row[ISA_TENSOR_ROWS_MAX];
	const char *name[ISA_TENSOR_ROWS_MAX];
	char names[ISA_TENSOR_ROWS_MAX][24];
	unsigned n;
};

/* ---- elements ---- */

static uint64_t element_bits(const struct matrix *m, unsigned lane, unsigned r, unsigned e)
{
	const struct isa_fragment *f = &m->f;
	uint64_t v = 0;
	memcpy(&v, (const char *)m->row[r] + (size_t)f->reg_bytes * lane, f->reg_bytes);
	const unsigned bits = isa_element_info[f->element].bits;
	v >>= e * f->bits + f->shift;
	return bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static void add_value(struct report *answer, enum isa_element e, uint64_t bits)
{
	const unsigned width = isa_element_info[e].bits;
	char look[40];
	double v;
	if (isa_element_info[e].kind != ISA_ELEMENT_FLOAT) {
		const bool is_signed = isa_element_info[e].kind == ISA_ELEMENT_SIGNED;
		report_signed(answer, NULL, is_signed ? (int64_t)(bits << (64 - width)) >> (64 - width) : (int64_t)bits);
		return;
	}
	if (e == ISA_EL_F64)
		memcpy(&v, &bits, sizeof v);
	else
		v = exec_tensor_value(e, (uint32_t)bits);
	snprintf(look, sizeof look, e == ISA_EL_F64 ? "%.17g" : e == ISA_EL_F32 ? "%.9g" : "%.7g", v);
	report_real(answer, NULL, v, look);
}

/* The elements of one matrix by their places. */
struct grid {
	uint64_t *v;
	unsigned rows, cols;
};

static void fill_grid(const struct matrix *m, unsigned quad, struct grid *g)
{
	for (unsigned r = 0; r < m->n; r++)
		for (unsigned lane = 0; lane < LANES; lane++)
			for (unsigned e = 0; m->row[r] && e < m->f.per_reg; e++) {
				const struct isa_fragment_place at = isa_fragment_place(&m->f, lane, r, e);
				if (at.matrix == quad && at.row < g->rows && at.col < g->cols)
					g->v[at.row * g->cols + at.col] = element_bits(m, lane, r, e);
			}
}

/* ---- tables ---- */

/* Titles outlive the report. */
#define TEN(t) t "0", t "1", t "2", t "3", t "4", t "5", t "6", t "7", t "8", t "9"
static const char *const titles[] = {"Row", TEN(""), TEN("1"), TEN("2"), TEN("3"), TEN("4"), TEN("5"), TEN("6"), TEN("7"), TEN("8"), TEN("9"),
				     TEN("10"), TEN("11"), TEN("12")};
#define COLUMNS_MAX (sizeof titles / sizeof *titles - 1)

static void add_rows(struct report *answer, const struct matrix *m, const struct grid *g)
{
	const enum isa_element e = (enum isa_element)m->f.element;
	const unsigned step = e == ISA_EL_B1 ? WORD_BITS : 1;
	report_table(answer, "elements", titles, 1 + g->cols / step);
	for (unsigned row = 0; row < g->rows; row++) {
		report_row(answer, false);
		report_number(answer, NULL, row);
		for (unsigned col = 0; col < g->cols; col += step) {
			uint64_t word = 0;
			for (unsigned k = 0; e == ISA_EL_B1 && k < step; k++)
				word |= g->v[row * g->cols + col + k] << k;
			if (e == ISA_EL_B1)
				report_mask(answer, NULL, word, 8);
			else
				add_value(answer, e, g->v[row * g->cols + col]);
		}
	}
	report_close(answer);
}

/* Where the elements of the lane in focus lie: `lane 5: %r4 = (1,2) (1,3)`. */
static void add_lane(struct report *answer, const struct matrix *m, unsigned lane)
{
	struct text t = {0};
	for (unsigned r = 0; r < m->n; r++) {
		if (!m->row[r])
			continue;
		text_addf(&t, "%s%s =", t.n ? ", " : "", m->name[r]);
		for (unsigned e = 0; e < m->f.per_reg && e < 8; e++) {
			const struct isa_fragment_place at = isa_fragment_place(&m->f, lane, r, e);
			text_addf(&t, " (%u,%u)", at.row, at.col);
		}
		text_add(&t, m->f.per_reg > 8 ? " ..." : "");
	}
	report_number(answer, "lane", lane);
	report_text(answer, "places", text_str(&t));
	report_line(answer, "lane {lane}: {places}\n");
	text_free(&t);
}

static void add_matrix(struct report *answer, const struct matrix *m, unsigned lane)
{
	static const char *const letters[] = {"A", "B", "C", "D"};
	struct grid g = {NULL, m->f.rows, m->f.cols};
	g.v = xcalloc((size_t)g.rows * g.cols, sizeof *g.v);
	for (unsigned quad = 0; quad < (m->f.quads ? 4u : 1u); quad++) {
		report_open(answer, NULL);
		report_text(answer, "matrix", letters[m->f.matrix]);
		report_number(answer, "rows", g.rows);
		report_number(answer, "columns", g.cols);
		report_text(answer, "type", isa_element_info[m->f.element].name);
		if (m->f.quads) {
			report_number(answer, "quad_pair", quad);
			report_line(answer, "{matrix} of quad pair {quad_pair}: {rows} x {columns} {type}\n");
		} else {
			report_line(answer, "{matrix}: {rows} x {columns} {type}\n");
		}
		fill_grid(m, quad, &g);
		add_rows(answer, m, &g);
		if (!m->f.quads || lane % 16 / 4 == quad)
			add_lane(answer, m, lane);
		report_close(answer);
	}
	free(g.v);
}

/* ---- an instruction ---- */

static bool add_register(struct debug *d, const struct debug_where *w, const struct isa_function *f, uint32_t ref, struct matrix *m)
{
	if (m->n == ISA_TENSOR_ROWS_MAX)
		return false;
	m->row[m->n] = ref == ISA_REF_NONE ? NULL : exec_row(gpu_exec(d->g), w->w, w->simt->frame, ref);
	if (!isa_function_reg_name(f, ISA_RW_ROW(ref), m->names[m->n], sizeof m->names[m->n]))
		snprintf(m->names[m->n], sizeof m->names[m->n], "constant");
	m->name[m->n] = m->names[m->n];
	m->n++;
	return true;
}

static void instruction_matrix(struct debug *d, const struct debug_where *w, const struct isa_insn *i, enum isa_matrix which, struct report *answer)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_tensor *t = isa_tensor_of(p, i);
	const uint32_t *rows = isa_tensor_rows(p, i, which);
	struct matrix m = {.n = 0};
	if (!t->n_rows[which] || !isa_tensor_fragment(t, which, &m.f))
		return;
	for (unsigned r = 0; r < t->n_rows[which]; r++)
		add_register(d, w, isa_program_function_at(p, w->pc), rows[r], &m);
	m.f.n_rows = (uint8_t)m.n;
	add_matrix(answer, &m, w->lane);
}

static bool fragments_of_instruction(struct debug *d, const struct debug_where *w, struct report *answer, struct text *why)
{
	const struct isa_program *p = debug_program(d);
	const struct isa_insn *i = &p->insns[w->pc];
	if (!isa_insn_has_tensor(i) && w->pc && isa_insn_has_tensor(i - 1) && isa_program_function_at(p, w->pc - 1) == isa_program_function_at(p, w->pc))
		i--; /* it has just been executed: D is there */
	if (!isa_insn_has_tensor(i))
		return debug_fail(why, "the instruction in focus is no tensor instruction; usage: info fragment REGS a|b|c|d SHAPE [TYPE]");
	const struct isa_tensor *t = isa_tensor_of(p, i);
	if (t->kind == ISA_TENSOR_LDMATRIX || t->kind == ISA_TENSOR_STMATRIX || t->kind == ISA_TENSOR_MOVMATRIX)
		return debug_fail(why, "%s has matrices of 8 rows for an mma to come; name its registers: info fragment REGS a|b|c|d SHAPE [TYPE]",
				  isa_opcode_info[i->opcode].name);
	report_list(answer, "matrices");
	for (unsigned m = ISA_MATRIX_A; m <= ISA_MATRIX_D; m++)
		instruction_matrix(d, w, i, (enum isa_matrix)m, answer);
	report_close(answer);
	return true;
}

/* ---- registers that are named ---- */

static size_t name_length(const char *s)
{
	size_t n = 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$' || s[n] == '%')
		n++;
	return n;
}

static bool named_register(struct debug *d, const struct debug_where *w, const char *name, size_t n, struct matrix *m, uint8_t *type, struct text *why)
{
	const struct isa_function *f = isa_program_function_at(debug_program(d), w->pc);
	struct isa_reg_place at;
	if (!isa_function_find_reg(f, name, n, w->pc, &at) || at.is_pred)
		return debug_fail(why, "no register %.*s", (int)n, name);
	*type = (uint8_t)at.type;
	m->f.reg_bytes = (uint8_t)isa_type_bytes(at.type);
	if (m->f.reg_bytes != 4 && m->f.reg_bytes != 8)
		return debug_fail(why, "%.*s is no register of 32 or 64 bits", (int)n, name);
	return add_register(d, w, f, at.ref, m) || debug_fail(why, "more than %u registers", ISA_TENSOR_ROWS_MAX);
}

/* %r4..%r7: the names differ in the number at their end. */
static bool register_range(struct debug *d, const struct debug_where *w, const char *first, size_t n, const char *last, size_t n_last, struct matrix *m,
			   uint8_t *type, struct text *why)
{
	size_t stem = n;
	while (stem && isdigit((unsigned char)first[stem - 1]))
		stem--;
	const unsigned long from = strtoul(first + stem, NULL, 10), to = n_last > stem ? strtoul(last + stem, NULL, 10) : 0;
	if (stem == n || n_last <= stem || strncmp(first, last, stem) || to < from || to - from >= ISA_TENSOR_ROWS_MAX)
		return debug_fail(why, "%.*s..%.*s is no range of registers", (int)n, first, (int)n_last, last);
	for (unsigned long k = from; k <= to; k++) {
		char name[64];
		const int length = snprintf(name, sizeof name, "%.*s%lu", (int)(stem < 40 ? stem : 40), first, k);
		if (!named_register(d, w, name, (size_t)length, m, type, why))
			return false;
	}
	return true;
}

/* Registers, separated by commas or in a range, perhaps in braces. *s is moved behind them. */
static bool read_registers(struct debug *d, const struct debug_where *w, const char **s, struct matrix *m, uint8_t *type, struct text *why)
{
	const char *at = scan_blanks(*s);
	const bool braces = *at == '{';
	for (at += braces;; at++) {
		at = scan_blanks(at);
		const size_t n = name_length(at);
		if (n && at[n] == '.' && at[n + 1] == '.') {
			const char *last = at + n + 2;
			const size_t n_last = name_length(last);
			if (!register_range(d, w, at, n, last, n_last, m, type, why))
				return false;
			at = last + n_last;
		} else {
			if (!named_register(d, w, at, n, m, type, why))
				return false;
			at += n;
		}
		at = braces ? scan_blanks(at) : at;
		if (*at != ',')
			break;
	}
	*s = scan_blanks(at + (braces && *at == '}'));
	return true;
}

/* The type of elements that the registers and the shape leave open. */
static enum isa_element guess(enum isa_matrix which, uint8_t type, unsigned bits)
{
	if (type == ISA_F64 || bits == 64)
		return ISA_EL_F64;
	if (bits == 32)
		return type == ISA_F32 ? ISA_EL_F32 : which <= ISA_MATRIX_B ? ISA_EL_TF32 : ISA_EL_S32;
	return bits == 16 ? ISA_EL_F16 : bits == 8 ? ISA_EL_S8 : bits == 4 ? ISA_EL_S4 : bits == 1 ? ISA_EL_B1 : ISA_EL_NONE;
}

static bool read_shape(const char **s, struct isa_tensor *t)
{
	unsigned m, n, k;
	int length;
	if (sscanf(*s, "m%un%uk%u%n", &m, &n, &k, &length) != 3 || m > 64 || n > ROWS_MAX || k > ROWS_MAX || !m || !n || !k)
		return false;
	t->m = (uint16_t)m;
	t->n = (uint16_t)n;
	t->k = (uint16_t)k;
	*s = scan_blanks(*s + length);
	return true;
}

/* a m16n8k16 [f16] */
static bool read_description(const char *s, uint8_t type, struct matrix *m, struct text *why)
{
	struct isa_tensor t = {.kind = ISA_TENSOR_MMA};
	const enum isa_matrix which = (enum isa_matrix)(*s - 'a');
	const bool is_matrix = *s >= 'a' && *s <= 'd' && (s[1] == ' ' || s[1] == '\t');
	s = is_matrix ? scan_blanks(s + 1) : s;
	if (!is_matrix || !read_shape(&s, &t))
		return debug_fail(why, "usage: info fragment REGS a|b|c|d SHAPE [TYPE], as in info fragment %%r4..%%r7 a m16n8k16 bf16");
	const unsigned rows = which == ISA_MATRIX_B ? t.k : t.m, cols = which == ISA_MATRIX_A ? t.k : t.n;
	const unsigned bits = m->n * m->f.reg_bytes * 8 * LANES / (rows * cols);
	const size_t n = strcspn(s, " \t");
	t.element[which] = (uint8_t)(n ? isa_element_find(s, n) : guess(which, type, bits));
	if (t.element[which] == ISA_EL_NONE || (n && *scan_blanks(s + n)))
		return debug_fail(why, "no type of elements fits these registers; types: f16 bf16 tf32 f32 f64 e4m3 e5m2 s8 u8 s4 u4 b1 s32");
	/* m8n8k4 of f16 is row-major here; elements of 4 and 6 bits with registers for 8 lie in bytes */
	if (isa_element_info[t.element[which]].bits < 8 && bits == 8)
		t.flags |= ISA_TENSOR_BYTES;
	if (t.m == 8 && t.k == 4 && t.element[which] != ISA_EL_F64)
		t.element[ISA_MATRIX_A] = ISA_EL_F16;
	if (t.m > 16 || t.n > 8)
		t.kind = ISA_TENSOR_WMMA;
	if (!isa_tensor_fragment(&t, which, &m->f) || m->f.n_rows != m->n || cols > COLUMNS_MAX * (t.element[which] == ISA_EL_B1 ? WORD_BITS : 1))
		return debug_fail(why, "matrix %c of m%un%uk%u with elements of type %s takes %u registers, not %u", 'a' + (int)which, t.m, t.n, t.k,
				  isa_element_info[t.element[which]].name, m->f.n_rows, m->n);
	return true;
}

bool info_fragment(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct matrix m = {.n = 0};
	uint8_t type = ISA_B32;
	const char *s = scan_blanks(args);
	if (!debug_focus_where(d, &w) || !w.w || !w.simt)
		return debug_fail(why, "There is no running thread in focus.");
	if (!*s)
		return fragments_of_instruction(d, &w, answer, why);
	if (!read_registers(d, &w, &s, &m, &type, why) || !read_description(s, type, &m, why))
		return false;
	report_list(answer, "matrices");
	add_matrix(answer, &m, w.lane);
	report_close(answer);
	return true;
}

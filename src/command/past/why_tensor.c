/* `why EXPR` of an element of D of a tensor instruction: its row and column, the products it was made of, and what the alignment of the products cut off. */
#include <stdio.h>
#include <string.h>

#include "command/past/why_chain.h"
#include "debug/view/view.h"
#include "exec/tensor.h"
#include "isa/program.h"

#define PRODUCTS_TOLD 16u
#define ELEMENTS_TOLD 2u /* of a register */

static const struct isa_insn *insn_at(const struct why_chain *c, uint32_t pc)
{
	return &gpu_program(debug_gpu(history_debug(c->h)))->insns[pc];
}

bool why_is_tensor(const struct why_chain *c, uint32_t pc)
{
	const struct isa_program *p = gpu_program(debug_gpu(history_debug(c->h)));
	return isa_insn_has_tensor(insn_at(c, pc)) && isa_tensor_multiplies(isa_tensor_of(p, insn_at(c, pc)));
}

/* The element that is asked about, and the operands of its sum. */
struct element {
	const struct isa_tensor *t;
	struct isa_fragment_place at;
	double c, a[256], b[256];
	uint32_t c_bits, a_bits[256], b_bits[256];
	unsigned k;
	uint8_t column[256]; /* of A */
};

static double value_of(enum isa_element e, uint64_t bits)
{
	const unsigned unused = 64u - isa_element_info[e].bits;
	double v;
	if (e == ISA_EL_F64) {
		memcpy(&v, &bits, sizeof v);
		return v;
	}
	if (isa_element_info[e].kind == ISA_ELEMENT_FLOAT)
		return exec_tensor_value(e, (uint32_t)bits);
	return isa_element_info[e].kind == ISA_ELEMENT_SIGNED ? (double)((int64_t)(bits << unused) >> unused) : (double)bits;
}

/* Finds an element of a matrix in the registers of the warp. */
static uint64_t find_bits(const struct exec *x, const struct debug_where *w, const struct isa_insn *i, enum isa_matrix m, struct isa_fragment_place want)
{
	const uint32_t *rows = isa_tensor_rows(x->program, i, m);
	struct isa_fragment f;
	isa_tensor_fragment(isa_tensor_of(x->program, i), m, &f);
	for (unsigned r = 0; r < f.n_rows; r++) {
		const char *row = exec_row(x, w->w, w->simt->frame, rows[r]);
		for (unsigned lane = 0; lane < LANES && row; lane++) {
			for (unsigned e = 0; e < f.per_reg; e++) {
				const struct isa_fragment_place at = isa_fragment_place(&f, lane, r, e);
				if (at.row != want.row || at.col != want.col || at.matrix != want.matrix)
					continue;
				uint64_t v = 0;
				memcpy(&v, row + (size_t)f.reg_bytes * lane, f.reg_bytes);
				const unsigned bits = isa_element_info[f.element].bits;
				v >>= e * f.bits + f.shift;
				return bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
			}
		}
	}
	return 0;
}

static void read_element(const struct exec *x, const struct debug_where *w, const struct isa_insn *i, struct element *e)
{
	struct isa_fragment a;
	struct exec_sparse s;
	const enum isa_element ea = (enum isa_element)e->t->element[ISA_MATRIX_A], eb = (enum isa_element)e->t->element[ISA_MATRIX_B],
			       ec = (enum isa_element)e->t->element[ISA_MATRIX_C];
	isa_tensor_fragment(e->t, ISA_MATRIX_A, &a);
	exec_sparse_read(x, i, e->t, a.rows, a.cols, &s);
	e->k = a.cols;
	for (unsigned k = 0; k < e->k; k++) {
		e->column[k] = s.at[e->at.row * a.cols + k];
		const uint64_t va = find_bits(x, w, i, ISA_MATRIX_A, (struct isa_fragment_place){e->at.row, (uint16_t)k, e->at.matrix}),
			       vb = find_bits(x, w, i, ISA_MATRIX_B, (struct isa_fragment_place){e->column[k], e->at.col, e->at.matrix});
		e->a_bits[k] = (uint32_t)va;
		e->b_bits[k] = (uint32_t)vb;
		e->a[k] = value_of(ea, va);
		e->b[k] = value_of(eb, vb);
	}
	const uint64_t vc = find_bits(x, w, i, ISA_MATRIX_C, e->at);
	e->c_bits = (uint32_t)vc;
	e->c = value_of(ec, vc);
}

/* ---- lines ---- */

static void products_line(struct why_chain *c, const struct element *e)
{
	struct text t = {0};
	unsigned told = 0, more = 0;
	report_list(c->answer, "products");
	for (unsigned k = 0; k < e->k; k++) {
		report_open(c->answer, NULL);
		report_number(c->answer, "k", e->column[k]);
		report_real(c->answer, "a", e->a[k], "");
		report_real(c->answer, "b", e->b[k], "");
		report_close(c->answer);
		if (e->a[k] == 0 || e->b[k] == 0)
			continue;
		if (told == PRODUCTS_TOLD) {
			more++;
			continue;
		}
		text_addf(&t, "%s%.6g*%.6g", told++ ? " + " : "", e->a[k], e->b[k]);
	}
	report_close(c->answer);
	report_say(c->answer, "D(%u,%u) = %.9g (C) + row %u of A * column %u of B: %s", e->at.row, e->at.col, e->c, e->at.row, e->at.col,
		   told ? text_str(&t) : "all products are 0");
	if (more)
		report_say(c->answer, " and %u more", more);
	text_free(&t);
}

/* What the hardware's way of adding has lost. */
static void lost_words(struct why_chain *c, const struct exec *x, const struct element *e)
{
	const struct exec_tensor_types types = {e->t->element[0], e->t->element[1], e->t->element[2], e->t->element[3]};
	const struct exec_tensor_rules r = exec_tensor_rules((enum exec_tensor)x->launch->tensor, e->t);
	struct exec_tensor_trace trace;
	double lost = 0, rounded = 0;
	if (isa_element_info[types.a].kind != ISA_ELEMENT_FLOAT || types.a == ISA_EL_F64 || r.is_exact || e->t->flags & ISA_TENSOR_SCALED)
		return;
	exec_tensor_dot(&r, &types, e->a_bits, e->b_bits, e->k, e->c_bits, &trace);
	for (unsigned k = 0; k < trace.n; k++) {
		lost += trace.step[k].lost;
		rounded += trace.step[k].result_lost;
	}
	report_real(c->answer, "lost_by_alignment", lost, "");
	report_real(c->answer, "lost_by_result", rounded, "");
	report_number(c->answer, "steps", trace.n);
	if (lost == 0 && rounded == 0)
		report_say(c->answer, "; nothing was cut off");
	else
		report_say(c->answer, "; alignment cut off %.3g, the result %.3g, in %u step%s of %u products", lost, rounded, trace.n, trace.n == 1 ? "" : "s", r.step);
}

static void element_line(struct why_chain *c, const struct debug_where *w, const struct isa_insn *i, struct element *e, uint32_t depth)
{
	const struct exec *x = gpu_exec(debug_gpu(history_debug(c->h)));
	char name[32];
	read_element(x, w, i, e);
	if (!why_line_begin(c, depth))
		return;
	snprintf(name, sizeof name, "D(%u,%u)", e->at.row, e->at.col);
	report_text(c->answer, "element", name);
	report_number(c->answer, "row", e->at.row);
	report_number(c->answer, "column", e->at.col);
	report_real(c->answer, "c", e->c, "");
	products_line(c, e);
	lost_words(c, x, e);
	report_say(c->answer, "\n");
	why_line_over(c);
}

bool why_tensor_lines(struct why_chain *c, const struct why_at *a, const struct debug_step *s, uint32_t which, uint32_t depth)
{
	const struct isa_insn *i = insn_at(c, s->pc);
	struct debug_where w;
	struct isa_fragment f;
	if (!trace_go(c->h, &a->thread, a->point.executed, &c->here) || !debug_thread_where(c->d, &a->thread, &w) || !w.w || !w.simt)
		return false;
	const struct isa_tensor *t = isa_tensor_of(gpu_program(debug_gpu(history_debug(c->h))), i);
	isa_tensor_fragment(t, ISA_MATRIX_D, &f);
	for (unsigned k = 0; k < f.per_reg && k < ELEMENTS_TOLD; k++) {
		struct element e = {.t = t, .at = isa_fragment_place(&f, w.lane, which, k)};
		element_line(c, &w, i, &e, depth);
	}
	return true;
}

/* info registers, locals, args, lanes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/clocals.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/scan.h"
#include "debug/setup/launch.h"
#include "debug/info.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static bool need_frame(struct debug *d, struct debug_where *w, struct debug_frame *f, struct text *why)
{
	if (!debug_focus_where(d, w) || !debug_frame_get(d, w, d->frame, f)) {
		debug_fail(why, "There is no thread in focus.");
		return false;
	}
	if (!f->has_state && !f->waiting) {
		debug_fail(why, "The focused thread has finished, its registers are gone.");
		return false;
	}
	return true;
}

static void read_place(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
		       const struct isa_reg_place *r, struct expr_value *v)
{
	unsigned char bytes[16] = {0};
	bool has = f->has_state || f->waiting;
	if (has && r->is_pred)
		bytes[0] = debug_pred_read(d, w, f->frame, r->ref);
	else if (has)
		debug_row_read(d, w, f->frame, r->ref, debug_reg_bytes(r->type), bytes);
	value_load(v, r->type, 0, bytes);
}

/* ---- which registers code uses ---- */

/* Bits of the rows and slots that instructions name; index: rows by 64 bytes, slots after them. */
struct used {
	unsigned char *bits;
	uint32_t n_rows;
};

static uint32_t used_index(const struct used *u, uint32_t word)
{
	return ISA_RW_IS_PRED(word) ? u->n_rows + ISA_RW_PRED_SLOT(word) : ISA_REF_OFFSET(word) / 64;
}

/* Of the function's instructions [first, end). */
static void find_used(struct debug *d, const struct isa_function *f, uint32_t first, uint32_t end, struct used *u)
{
	const struct isa_program *p = debug_program(d);
	u->n_rows = f->frame_bytes / 64 + 1;
	u->bits = xcalloc((u->n_rows + f->n_preds) / 8 + 2, 1);
	for (uint32_t pc = first; pc < end; pc++) {
		const struct isa_where *w = &p->where[pc];
		for (uint32_t k = 0; k < (uint32_t)w->n_writes + w->n_reads; k++) {
			uint32_t i = used_index(u, p->rw[w->rw + k]);
			if (i < u->n_rows + f->n_preds)
				u->bits[i / 8] |= (unsigned char)(1u << i % 8);
		}
	}
}

static bool is_used(const struct used *u, const struct isa_reg_place *r)
{
	uint32_t i = used_index(u, r->is_pred ? ISA_RW_PRED(r->ref) : ISA_RW_ROW(r->ref));
	return u->bits[i / 8] >> i % 8 & 1;
}

typedef void reg_fn(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
		    const struct isa_reg_place *r, const char *name, struct text *out);

/* Those of the registers that are visible here, as declared; none that are also in `but` (NULL: all). Their number; fn NULL: they are
 * counted only. */
static uint32_t each_of(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const struct used *u,
			const struct used *but, reg_fn *fn, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < f->function->n_regs; k++) {
		const struct isa_reg *r = &f->function->regs[k];
		if (f->pc < r->scope_first || f->pc >= r->scope_end)
			continue;
		struct isa_reg_place at = {.type = (enum isa_type)r->type, .is_pred = r->type == ISA_PRED};
		uint32_t step = at.is_pred ? 1 : isa_row_bytes(isa_type_bytes(at.type));
		for (uint32_t i = 0; i < (r->count ? r->count : 1); i++) {
			char name[160];
			at.ref = r->first + i * step;
			if (!is_used(u, &at) || (but && is_used(but, &at)))
				continue;
			n++;
			snprintf(name, sizeof name, r->count ? "%s%u" : "%s", r->name, i);
			if (fn)
				fn(d, w, f, &at, name, out);
		}
	}
	return n;
}

/* All that the function uses. */
static void each_used(struct debug *d, const struct debug_where *w, const struct debug_frame *f, reg_fn *fn,
		      struct text *out)
{
	struct used u;
	find_used(d, f->function, f->function->first, f->function->end, &u);
	each_of(d, w, f, &u, NULL, fn, out);
	free(u.bits);
}

/* gdb's columns: name, raw, natural. */
static void register_line(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
			  const struct isa_reg_place *r, const char *name, struct text *out)
{
	struct expr_value v;
	struct format_spec hex = {.format = 'x'};
	struct text natural = {0}, raw = {0};
	read_place(d, w, f, r, &v);
	format_value(d, &v, NULL, &natural);
	format_value(d, &v, &hex, &raw);
	if (isa_type_is_float(v.type))
		text_addf(out, "%-15s%-19s(raw %s)\n", name, text_str(&natural), text_str(&raw));
	else
		text_addf(out, "%-15s%-19s%s\n", name, text_str(&raw), text_str(&natural));
	text_free(&natural);
	text_free(&raw);
}

static bool vector_lines(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			 struct text *out)
{
	struct text part = {0};
	struct isa_reg_place r;
	bool any = false;
	for (const char *dim = "xyzw"; *dim; dim++) {
		text_clear(&part);
		text_addf(&part, "%s.%c", name, *dim);
		if (!isa_function_find_reg(f->function, text_str(&part), part.n, f->pc, &r))
			break;
		register_line(d, w, f, &r, text_str(&part), out);
		any = true;
	}
	text_free(&part);
	return any;
}

/* r1 and $r1, as gdb's users write them, are %r1 if nothing is called r1. */
static void with_percent(const struct debug_frame *f, char *name, size_t size)
{
	char copy[160];
	struct isa_reg_place r;
	bool known = isa_function_find_reg(f->function, name, strlen(name), f->pc, &r);
	if (known || *name == '%' || strlen(name) + 4 > sizeof copy)
		return;
	snprintf(copy, sizeof copy, "%%%.150s", name);
	known = isa_function_find_reg(f->function, copy, strlen(copy), f->pc, &r);
	if (!known) {
		snprintf(copy, sizeof copy, "%%%.150s.x", name);
		known = isa_function_find_reg(f->function, copy, strlen(copy), f->pc, &r);
		copy[strlen(copy) - 2] = '\0';
	}
	if (known)
		snprintf(name, size, "%s", copy);
}

bool info_registers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct debug_where w;
	struct debug_frame f = {0};
	if (!need_frame(d, &w, &f, why))
		return false;
	const char *s = scan_blanks(args);
	if (!*s)
		each_used(d, &w, &f, register_line, out);
	while (*s) {
		size_t n = strcspn(s, " \t,");
		struct isa_reg_place r;
		struct expr_value v;
		char name[160];
		snprintf(name, sizeof name, "%.*s", (int)(n < 150 ? n : 150) - (*s == '$'), s + (*s == '$'));
		with_percent(&f, name, sizeof name);
		if (isa_function_find_reg(f.function, name, strlen(name), f.pc, &r)) {
			register_line(d, &w, &f, &r, name, out);
		} else if (vector_lines(d, &w, &f, name, out)) {
			; /* a line for each element */
		} else if (debug_special_read(d, &w, name, strlen(name), &v)) {
			text_addf(out, "%-15s0x%-17llx%llu\n", name, (unsigned long long)v.u.u64,
				  (unsigned long long)v.u.u64);
		} else if (!strcmp(name, "$pc") || !strcmp(name, "pc")) {
			text_addf(out, "%-15s0x%-17x", "pc", f.pc * ISA_INSN_BYTES);
			debug_pc_symbol(d, f.pc, out);
			text_addc(out, '\n');
		} else {
			return debug_fail(why, "Invalid register `%s'", name);
		}
		s = scan_blanks(s + n);
		s = scan_blanks(s + (*s == ','));
	}
	return true;
}

/* ---- variables ---- */

/* NAME = VALUE of anything an expression can name. */
static void named_value(struct debug *d, const char *name, struct text *out)
{
	struct expr_value v;
	struct text why = {0};
	text_addf(out, "%s = ", name);
	if (debug_eval(d, name, &v, &why)) {
		format_value(d, &v, NULL, out);
		const bool may_point = !v.is_array && isa_type_bytes(v.type) == 8 && !isa_type_is_float(v.type);
		uint64_t offset;
		const struct gpu_allocation *a = may_point ? debug_named_at(d, v.u.u64, &offset) : NULL;
		if (a)
			text_addf(out, offset ? " (%s+%llu)" : " (%s)", a->name, (unsigned long long)offset);
		expr_value_free(&v);
	} else {
		text_addf(out, "<error: %s>", text_str(&why));
	}
	text_addc(out, '\n');
	text_free(&why);
}

static void local_line(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
		       const struct isa_reg_place *r, const char *name, struct text *out)
{
	struct expr_value v;
	read_place(d, w, f, r, &v);
	text_addf(out, "%s = ", name);
	format_value(d, &v, NULL, out);
	text_addc(out, '\n');
}

/* The registers that the block of code around the frame's place uses, then the function's others, or how many these are. */
static void locals_of_blocks(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool all,
			     struct text *out)
{
	struct used function, block;
	uint32_t first, end;
	debug_block_at(d, f->function, f->pc, &first, &end);
	find_used(d, f->function, first, end, &block);
	find_used(d, f->function, f->function->first, f->function->end, &function);
	uint32_t n = each_of(d, w, f, &block, NULL, local_line, out);
	uint32_t others = each_of(d, w, f, &function, &block, all ? local_line : NULL, out);
	if (others && !all)
		text_addf(out, "(%u %sregister%s outside of this block: `info locals all`)\n", others, n ? "more " : "",
			  others == 1 ? "" : "s");
	free(function.bits);
	free(block.bits);
}

bool info_locals(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct debug_where w;
	struct debug_frame f = {0};
	bool all = scan_word(&args, "all");
	if (!scan_end(args, why) || !need_frame(d, &w, &f, why))
		return false;
	if (clocals_show(d, &w, &f, false, out))
		return true;
	size_t before = out->n;
	for (uint32_t k = 0; k < f.function->n_vars; k++)
		named_value(d, f.function->vars[k].name, out);
	locals_of_blocks(d, &w, &f, all, out);
	if (out->n == before)
		text_add(out, "No locals.\n");
	return true;
}

bool info_args(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	struct debug_where w;
	struct debug_frame f = {0};
	if (!scan_end(args, why) || !need_frame(d, &w, &f, why))
		return false;
	if (clocals_show(d, &w, &f, true, out))
		return true;
	for (uint32_t k = 0; k < f.function->n_params; k++)
		named_value(d, f.function->params[k].name, out);
	if (!f.function->n_params)
		text_add(out, "No arguments.\n");
	return true;
}

/* ---- one expression over the lanes of a warp ---- */

struct lane_values {
	struct expr_value v[LANES];
	uint32_t has; /* lanes that have a value: active ones */
};

static bool same_value(const struct expr_value *a, const struct expr_value *b)
{
	unsigned char x[16] = {0}, y[16] = {0};
	value_store(a, x);
	value_store(b, y);
	return !memcmp(x, y, sizeof x);
}

/* Lanes that don't follow `first + lane * step` of integers, or equality if step is 0. */
static uint32_t strangers(const struct lane_values *l, unsigned first, uint64_t step)
{
	uint32_t out = 0;
	LANES_EACH (lane, l->has) {
		struct expr_value want = l->v[first];
		if (step)
			value_int(&want, want.type, l->v[first].u.u64 + (lane - first) * step);
		if (!same_value(&want, &l->v[lane]))
			out |= lanes_bit(lane);
	}
	return out;
}

static void lane_names(uint32_t lanes, struct text *out)
{
	text_add(out, lanes_count(lanes) == 1 ? "lane" : "lanes");
	LANES_EACH (lane, lanes)
		text_addf(out, " %u", lane);
}

/* What the values have in common: all equal, in steps from lane to lane, or so but for a few. */
static void pattern_note(struct debug *d, const struct lane_values *l, struct text *out)
{
	unsigned n = lanes_count(l->has);
	if (n < 2)
		return;
	uint32_t few = n / 8 ? n / 8 : n > 2, best = LANES_ALL;
	unsigned best_first = 0;
	uint64_t best_step = 0;
	bool integers = !isa_type_is_float(l->v[lanes_first(l->has)].type) &&
			l->v[lanes_first(l->has)].type != ISA_PRED && l->v[lanes_first(l->has)].type != ISA_B128;
	LANES_EACH (first, l->has) {
		uint32_t rest = l->has & ~((lanes_bit(first) << 1) - 1);
		uint32_t s = strangers(l, first, 0);
		if (lanes_count(s) < lanes_count(best)) {
			best = s;
			best_first = first;
			best_step = 0;
		}
		if (!integers || !rest || n < 3)
			continue;
		unsigned next = lanes_first(rest);
		uint64_t delta = l->v[next].u.u64 - l->v[first].u.u64;
		uint64_t step = (uint64_t)((int64_t)delta / (int64_t)(next - first));
		s = step ? strangers(l, first, step) : LANES_ALL;
		if (lanes_count(s) < lanes_count(best)) {
			best = s;
			best_first = first;
			best_step = step;
		}
		if (!best)
			break;
	}
	if (lanes_count(best) > few)
		return;
	if (best_step)
		text_addf(out, "affine: %lld %s %lld * lane",
			  (long long)(l->v[best_first].u.u64 - best_first * best_step),
			  (int64_t)best_step < 0 ? "-" : "+",
			  (long long)((int64_t)best_step < 0 ? -best_step : best_step));
	else {
		text_add(out, "uniform: ");
		format_value(d, &l->v[best_first], NULL, out);
	}
	if (best) {
		text_add(out, ", except ");
		lane_names(best, out);
	}
	text_addc(out, '\n');
}

static bool eval_lanes(struct debug *d, const struct expr *e, const struct debug_where *w, uint32_t active,
		       struct lane_values *l, struct text *why)
{
	LANES_EACH (lane, active) {
		struct debug_thread t = w->thread;
		t.thread = w->warp_index * LANES + lane;
		if (!expr_eval(d, e, &t, d->frame, &l->v[lane], why))
			return false;
		l->has |= lanes_bit(lane);
		if (l->v[lane].is_array || l->v[lane].is_string || l->v[lane].is_object ||
		    (l->v[lane].type == ISA_NOTYPE && !l->v[lane].pointers))
			return debug_fail(why, "%s is no single value", expr_text(e));
	}
	return true;
}

static uint32_t existing_lanes(const struct debug_where *w)
{
	uint32_t left = w->launch.threads_per_cta - w->warp_index * LANES;
	return left >= LANES ? LANES_ALL : lanes_bit(left) - 1;
}

/* Lanes that run with the focused one: the SIMT entry on top; in a block that isn't placed all. */
static uint32_t active_lanes(struct debug *d, const struct debug_where *w)
{
	if (w->state == DEBUG_THREAD_WAITING)
		return existing_lanes(w);
	return w->w && w->w->n_simt && w->w->state != EXEC_WARP_DONE ? exec_simt_top(gpu_exec(d->g), w->w)->mask : 0;
}

static bool lanes_of_expression(struct debug *d, const char *text, const struct debug_where *w, struct text *out,
				struct text *why)
{
	struct format_spec f;
	const char *expr;
	struct lane_values *l = xcalloc(1, sizeof *l);
	struct expr *e = NULL;
	uint32_t active = active_lanes(d, w);
	bool ok = format_parse(text, &expr, &f, why) && (e = expr_parse(expr, NULL, why)) != NULL &&
		  eval_lanes(d, e, w, active, l, why);
	if (ok) {
		struct text type = {0};
		text_addf(out, "%s", expr_text(e));
		if (active)
			text_addf(out, " (%s)", value_type_text(&l->v[lanes_first(active)], &type));
		text_free(&type);
		text_addf(out, ", warp %u of block (%u,%u,%u), active lanes 0x%08x\n", w->warp_index, w->block_id[0],
			  w->block_id[1], w->block_id[2], active);
		for (unsigned lane = 0; lane < LANES; lane++) {
			text_addf(out, "%2u ", lane);
			if (active & lanes_bit(lane))
				format_value(d, &l->v[lane], &f, out);
			else
				text_addc(out, '-');
			text_addc(out, '\n');
		}
		pattern_note(d, l, out);
	}
	for (unsigned i = 0; i < LANES; i++)
		expr_value_free(&l->v[i]);
	free(l);
	expr_free(e);
	return ok;
}

static void lane_table(struct debug *d, const struct debug_where *w, struct report *answer)
{
	static const char *const titles[] = {"Lane", "Uid", "<Thread", "<State", "PC", "<Place"};
	uint32_t active = active_lanes(d, w);
	report_table(answer, "lanes", titles, 6);
	LANES_EACH (lane, existing_lanes(w)) {
		struct debug_thread at = w->thread;
		struct debug_where x;
		struct text place = {0};
		at.thread = w->warp_index * LANES + lane;
		debug_thread_where(d, &at, &x);
		report_row(answer, lane == w->lane);
		report_number(answer, NULL, lane);
		report_number(answer, NULL, x.uid);
		report_triple(answer, NULL, x.thread_id);
		report_text(answer, NULL, x.state == DEBUG_THREAD_EXITED    ? "exited"
			   : x.state == DEBUG_THREAD_WAITING ? "not started"
			   : active & lanes_bit(lane)	     ? "active"
							     : "inactive");
		report_hex(answer, NULL, x.pc * ISA_INSN_BYTES);
		debug_place_text(d, x.pc, &place);
		report_text(answer, NULL, text_str(&place));
		text_free(&place);
	}
	report_close(answer);
}

bool info_lanes(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	if (!debug_focus_where(d, &w))
		return debug_fail(why, "There is no thread in focus.");
	if (*scan_blanks(args))
		return lanes_of_expression(d, scan_blanks(args), &w, report_prose(answer), why);
	lane_table(d, &w, answer);
	return true;
}

/* info registers, locals, args, lanes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/show/clocals.h"
#include "debug/describe.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "command/info.h"
#include "debug/view/focus.h"
#include "debug/view/parameters.h"
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
		    const struct isa_reg_place *r, const char *name, struct report *answer);

/* Those of the registers that are visible here, as declared; none that are also in `but` (NULL: all). Their number; fn NULL: they are
 * counted only. */
static uint32_t each_of(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const struct used *u,
			const struct used *but, reg_fn *fn, struct report *answer)
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
				fn(d, w, f, &at, name, answer);
		}
	}
	return n;
}

/* All that the function uses. */
static void each_used(struct debug *d, const struct debug_where *w, const struct debug_frame *f, reg_fn *fn,
		      struct report *answer)
{
	struct used u;
	find_used(d, f->function, f->function->first, f->function->end, &u);
	each_of(d, w, f, &u, NULL, fn, answer);
	free(u.bits);
}

/* Adds a value's bits as `raw`. */
static void describe_raw(struct debug *d, const struct expr_value *v, struct report *answer)
{
	const struct format_spec hex = {.format = 'x'};
	struct text look = {0};
	uint64_t bits[2] = {0};
	value_store(v, bits);
	format_value(d, v, &hex, &look);
	if (bits[1])
		report_text(answer, "raw", text_str(&look));
	else
		report_number(answer, "raw", bits[0]);
	report_look(answer, "%s", text_str(&look));
	text_free(&look);
}

/* Opens an object for a register, with `name`, `type` and `value`, and stores the value in *v. */
static void open_register(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const struct isa_reg_place *r,
			  const char *name, struct report *answer, struct expr_value *v)
{
	read_place(d, w, f, r, v);
	report_open(answer, NULL);
	report_text(answer, "name", name);
	report_text(answer, "type", isa_type_info[r->type].name);
	value_describe(d, answer, "value", v, NULL);
}

/* Adds a register: `name`, `type`, `value` and `raw`. People read gdb's columns. */
static void describe_register(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
			      const struct isa_reg_place *r, const char *name, struct report *answer)
{
	struct expr_value v;
	open_register(d, w, f, r, name, answer, &v);
	describe_raw(d, &v, answer);
	report_line(answer, v.type == ISA_FLAGS ? "{name} = {value} (raw {raw})\n" : isa_type_is_float(v.type) ? "{name:-15}{value:-19}(raw {raw})\n" : "{name:-15}{raw:-19}{value}\n");
	report_close(answer);
}

/* Adds the registers %v.x, %v.y ... of a vector. Returns false if there are none. */
static bool describe_vector(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name,
			    struct report *answer)
{
	struct text part = {0};
	struct isa_reg_place r;
	bool any = false;
	for (const char *dim = "xyzw"; *dim; dim++) {
		text_clear(&part);
		text_addf(&part, "%s.%c", name, *dim);
		if (!isa_function_find_reg(f->function, text_str(&part), part.n, f->pc, &r))
			break;
		describe_register(d, w, f, &r, text_str(&part), answer);
		any = true;
	}
	text_free(&part);
	return any;
}

/* Adds a special register. */
static void describe_special(const char *name, const struct expr_value *v, struct report *answer)
{
	report_open(answer, NULL);
	report_text(answer, "name", name);
	report_text(answer, "type", isa_type_info[v->type].name);
	report_number(answer, "value", v->u.u64);
	report_hex(answer, "raw", v->u.u64);
	report_line(answer, "{name:-15}{raw:-19}{value}\n");
	report_close(answer);
}

/* Adds the frame's pc. */
static void describe_pc(struct debug *d, uint32_t pc, struct report *answer)
{
	struct text symbol = {0};
	debug_pc_symbol(d, pc, &symbol);
	report_open(answer, NULL);
	report_text(answer, "name", "pc");
	report_hex(answer, "value", pc * ISA_INSN_BYTES);
	report_text(answer, "symbol", text_str(&symbol));
	report_line(answer, "{name:-15}{value:-19}{symbol}\n");
	report_close(answer);
	text_free(&symbol);
}

/* r1 and $r1, as gdb's users write them, are %r1 if nothing is called r1. */
static void with_percent(const struct debug_frame *f, char *name, size_t size)
{
	char copy[160];
	struct isa_reg_place r;
	bool known = isa_function_find_reg(f->function, name, strlen(name), f->pc, &r);
	if (known || *name == '%' || strlen(name) + 4 > sizeof copy)
		return;
	snprintf(copy, sizeof copy, "$%.150s", name); /* PTXPlus */
	if (isa_function_find_reg(f->function, copy, strlen(copy), f->pc, &r)) {
		snprintf(name, size, "%s", copy);
		return;
	}
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

/* Adds what a name of a register means. Returns false if it means nothing. */
static bool describe_named_register(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const char *name, struct report *answer)
{
	struct isa_reg_place r;
	struct expr_value v;
	if (isa_function_find_reg(f->function, name, strlen(name), f->pc, &r))
		describe_register(d, w, f, &r, name, answer);
	else if (describe_vector(d, w, f, name, answer))
		return true;
	else if (debug_special_read(d, w, name, strlen(name), &v))
		describe_special(name, &v, answer);
	else if (!strcmp(name, "$pc") || !strcmp(name, "pc"))
		describe_pc(d, f->pc, answer);
	else
		return false;
	return true;
}

bool info_registers(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct debug_frame f = {0};
	bool ok = true;
	if (!need_frame(d, &w, &f, why))
		return false;
	const char *s = scan_blanks(args);
	report_list(answer, "registers");
	if (!*s)
		each_used(d, &w, &f, describe_register, answer);
	while (*s && ok) {
		size_t n = strcspn(s, " \t,");
		char name[160];
		snprintf(name, sizeof name, "%.*s", (int)(n < 150 ? n : 150) - (*s == '$'), s + (*s == '$'));
		with_percent(&f, name, sizeof name);
		ok = describe_named_register(d, &w, &f, name, answer) || debug_fail(why, "Invalid register `%s'", name);
		s = scan_blanks(s + n);
		s = scan_blanks(s + (*s == ','));
	}
	report_close(answer);
	return ok;
}

/* ---- variables ---- */

/* Adds a variable: `name`, `type`, `value` and the allocation that it points into; or `error`, if it can't be read. */
static void describe_variable(struct debug *d, const char *name, struct report *answer)
{
	struct expr_value v;
	struct text why = {0};
	report_open(answer, NULL);
	report_text(answer, "name", name);
	if (debug_eval(d, name, &v, &why)) {
		value_type_describe(d, answer, "type", &v);
		value_describe(d, answer, "value", &v, NULL);
		if (!v.is_array && isa_type_bytes(v.type) == 8 && !isa_type_is_float(v.type))
			describe_allocation(d, answer, "allocation", v.u.u64);
		report_line(answer, "{name} = {value}[ ({allocation})]\n");
		expr_value_free(&v);
	} else {
		report_text(answer, "error", text_str(&why));
		report_line(answer, "{name} = <error: {error}>\n");
	}
	report_close(answer);
	text_free(&why);
}

/* Adds a parameter by the name and type that the source gives it: `name`, `ptx`, `type`, `value` and the allocation that it points into, or of a structure
 * `size_bytes`. */
static void describe_parameter(struct debug *d, const struct isa_function *f, uint32_t k, struct report *answer)
{
	const char *name = debug_parameter_name(d, f, k), *type = debug_parameter_type(d, f, k);
	struct text look = {0}, why = {0};
	struct expr_value v;
	if (!name || !debug_eval(d, f->params[k].name, &v, &why)) {
		text_free(&why);
		describe_variable(d, f->params[k].name, answer);
		return;
	}
	report_open(answer, NULL);
	report_text(answer, "name", name);
	report_text(answer, "ptx", f->params[k].name);
	if (type)
		report_text(answer, "type", type);
	if (v.is_array)
		report_number(answer, "size_bytes", f->params[k].bytes);
	value_describe(d, answer, "value", &v, NULL);
	parameter_look(d, &f->params[k], type, &v, &look);
	report_look(answer, "%s", text_str(&look));
	if (!v.is_array && isa_type_bytes(v.type) == 8 && !isa_type_is_float(v.type))
		describe_allocation(d, answer, "allocation", v.u.u64);
	report_line(answer, "{name} = {value}\n");
	report_close(answer);
	expr_value_free(&v);
	text_free(&look);
}

/* Adds a register as a variable. */
static void describe_local_register(struct debug *d, const struct debug_where *w, const struct debug_frame *f,
				    const struct isa_reg_place *r, const char *name, struct report *answer)
{
	struct expr_value v;
	open_register(d, w, f, r, name, answer, &v);
	report_line(answer, "{name} = {value}\n");
	report_close(answer);
	expr_value_free(&v);
}

/* Adds the registers that the block of code around the frame's place uses, then, with `all`, the function's others. Returns the number of others that
 * were not added; *n gets how many were. */
static uint32_t locals_of_blocks(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool all, uint32_t *n, struct report *answer)
{
	struct used function, block;
	uint32_t first, end;
	isa_program_block(debug_program(d), f->function, f->pc, &first, &end);
	find_used(d, f->function, first, end, &block);
	find_used(d, f->function, f->function->first, f->function->end, &function);
	*n = each_of(d, w, f, &block, NULL, describe_local_register, answer);
	uint32_t others = each_of(d, w, f, &function, &block, all ? describe_local_register : NULL, answer);
	*n += all ? others : 0;
	free(function.bits);
	free(block.bits);
	return all ? 0 : others;
}

/* Returns the name of a function's variable in the source where it means that variable there, else its name in PTX. */
static const char *shortest_name(struct debug *d, const struct debug_where *w, const struct debug_frame *f, const struct isa_variable *v)
{
	struct debug_symbol s = {0};
	const bool is_its = v->plain && debug_lookup(d, w, f, v->plain, strlen(v->plain), &s) && s.kind == SYMBOL_VARIABLE && s.var == v;
	return is_its ? v->plain : v->name;
}

/* Adds the list `locals` of what a function of PTX has: its variables, and the registers. */
static void locals_of_ptx(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool all, struct report *answer)
{
	uint32_t n;
	report_list(answer, "locals");
	for (uint32_t k = 0; k < f->function->n_vars; k++)
		describe_variable(d, shortest_name(d, w, f, &f->function->vars[k]), answer);
	const uint32_t others = locals_of_blocks(d, w, f, all, &n, answer);
	report_close(answer);
	if (others) {
		report_number(answer, "other_registers", others);
		report_line(answer, n ? "({other_registers} more register{other_registers|s} outside of this block: `info locals all`)\n"
				      : "({other_registers} register{other_registers|s} outside of this block: `info locals all`)\n");
	}
	if (!others && !n && !f->function->n_vars)
		report_say(answer, "No locals.\n");
}

bool info_locals(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct debug_frame f = {0};
	bool all = scan_word(&args, "all");
	if (!scan_end(args, why) || !need_frame(d, &w, &f, why))
		return false;
	if (!clocals_describe(d, &w, &f, false, answer))
		locals_of_ptx(d, &w, &f, all, answer);
	return true;
}

bool info_args(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_where w;
	struct debug_frame f = {0};
	if (!scan_end(args, why) || !need_frame(d, &w, &f, why))
		return false;
	if (clocals_describe(d, &w, &f, true, answer))
		return true;
	report_list(answer, "args");
	for (uint32_t k = 0; k < f.function->n_params; k++)
		describe_parameter(d, f.function, k, answer);
	report_close(answer);
	if (!f.function->n_params)
		report_say(answer, "No arguments.\n");
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

/* Adds the lanes that a pattern doesn't hold for as `except`. */
static void describe_exceptions(uint32_t lanes, struct report *answer)
{
	struct text look = {0};
	text_add(&look, lanes_count(lanes) == 1 ? "lane" : "lanes");
	report_list(answer, "except");
	LANES_EACH (lane, lanes) {
		text_addf(&look, " %u", lane);
		report_number(answer, NULL, lane);
	}
	report_close(answer);
	report_look(answer, "%s", text_str(&look));
	text_free(&look);
}

/* Adds what the values have in common as `pattern`: all equal, in steps from lane to lane, or so but for a few. */
static void describe_pattern(struct debug *d, const struct lane_values *l, struct report *answer)
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
	report_open(answer, "pattern");
	if (best_step) {
		report_signed(answer, "start", (int64_t)(l->v[best_first].u.u64 - best_first * best_step));
		report_signed(answer, "step", (int64_t)best_step);
		report_look(answer, "%" PRIu64, (int64_t)best_step < 0 ? -best_step : best_step);
	} else {
		value_describe(d, answer, "value", &l->v[best_first], NULL);
	}
	if (best)
		describe_exceptions(best, answer);
	report_line(answer, !best_step		  ? "uniform: {value}[, except {except}]\n"
			    : (int64_t)best_step < 0 ? "affine: {start} - {step} * lane[, except {except}]\n"
						  : "affine: {start} + {step} * lane[, except {except}]\n");
	report_close(answer);
}

static bool eval_lanes(struct debug *d, const struct expr *e, const struct debug_where *w, uint32_t active,
		       struct lane_values *l, struct text *why)
{
	LANES_EACH (lane, active) {
		struct debug_thread t = w->thread;
		t.thread = debug_thread_of(d, w->warp_index, lane);
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
	return w->warp_lanes;
}

/* Lanes that run with the focused one: the SIMT entry on top; in a block that isn't placed all. */
static uint32_t active_lanes(struct debug *d, const struct debug_where *w)
{
	if (w->state == DEBUG_THREAD_WAITING)
		return existing_lanes(w);
	return w->w && w->w->n_simt && w->w->state != EXEC_WARP_DONE ? exec_simt_top(gpu_exec(d->g), w->w)->mask : 0;
}

/* Adds the list `lanes`: of each its `value`, null for a lane that isn't active. */
static void describe_lanes(struct debug *d, const struct lane_values *l, uint32_t active, const struct format_spec *f, struct report *answer)
{
	report_list(answer, "lanes");
	for (unsigned lane = 0; lane < LANES; lane++) {
		report_open(answer, NULL);
		report_number(answer, "lane", lane);
		if (active & lanes_bit(lane))
			value_describe(d, answer, "value", &l->v[lane], f);
		else
			report_none(answer, "value", "-");
		report_line(answer, "{lane:2} {value}\n");
		report_close(answer);
	}
	report_close(answer);
}

static bool lanes_of_expression(struct debug *d, const char *text, const struct debug_where *w, struct report *answer, struct text *why)
{
	struct format_spec f;
	const char *expr;
	struct lane_values *l = xcalloc(1, sizeof *l);
	struct expr *e = NULL;
	uint32_t active = active_lanes(d, w);
	bool ok = format_parse(text, &expr, &f, why) && (e = expr_parse(d, expr, NULL, why)) != NULL &&
		  eval_lanes(d, e, w, active, l, why);
	if (ok) {
		struct text type = {0};
		report_text(answer, "expression", expr_text(e));
		if (active)
			report_text(answer, "type", value_type_text(&l->v[lanes_first(active)], &type));
		text_free(&type);
		report_number(answer, "warp", w->warp_index);
		report_triple(answer, "block", w->block_id);
		report_lanes(answer, "active", active);
		report_line(answer, "{expression}[ ({type})], warp {warp} of block {block}, active lanes {active}\n");
		describe_lanes(d, l, active, &f, answer);
		describe_pattern(d, l, answer);
	}
	for (unsigned i = 0; i < LANES; i++)
		expr_value_free(&l->v[i]);
	free(l);
	expr_free(e);
	return ok;
}

static void lane_table(struct debug *d, const struct debug_where *w, bool only_active, struct report *answer)
{
	static const char *const titles[] = {"Lane", "Uid", "<Thread", "<State", "PC", "<Place"};
	uint32_t active = active_lanes(d, w);
	report_table(answer, "lanes", titles, 6);
	LANES_EACH (lane, only_active ? active : existing_lanes(w)) {
		struct debug_thread at = w->thread;
		struct debug_where x;
		struct text place = {0};
		at.thread = debug_thread_of(d, w->warp_index, lane);
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
	const char *rest = scan_blanks(args);
	const bool only_active = !strcmp(rest, "-active");
	if (*rest && !only_active)
		return lanes_of_expression(d, rest, &w, answer, why);
	lane_table(d, &w, only_active, answer);
	return true;
}

/* What $NAME stands for: the value history, the debugger's own variables, user variables, special registers, labels. */
#include <stdio.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/room.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/view/view.h"

static bool is_digits(const char *s) { return *s && strspn(s, "0123456789") == strlen(s); }

/* Reads $, $$, $7 or $$2. */
static bool read_history(struct eval *v, const char *name, struct expr_value *out)
{
	size_t last = v->d->expr->n_history;
	uint64_t k = 0;
	const char *digits = *name == '$' ? name + 1 : name;
	if (*digits && !scan_u64(&digits, &k))
		return debug_fail(v->why, "History number $%s is too large.", name);
	if (*name == '$') {
		uint64_t back = name[1] ? k : 1;
		k = back < last ? last - back : 0;
	} else if (!*name) {
		k = last;
	}
	const struct expr_value *h = k && k <= last ? &v->d->expr->history[k - 1] : NULL;
	if (!h && is_digits(name) && k)
		return debug_fail(v->why, "History has not yet reached $%llu.", (unsigned long long)k);
	memset(out, 0, sizeof *out);
	if (h)
		expr_value_copy(out, h);
	return true;
}

/* Reads $laneid, $tid_x: special registers by the names that gdb has for them at the stub. Returns false if the name is none of these. */
static bool read_special(struct eval *v, const char *name, struct expr_value *out)
{
	char special[32];
	int n = snprintf(special, sizeof special, "%%%s", name);
	if (n < 3 || n >= (int)sizeof special)
		return false;
	if (special[n - 2] == '_' && strchr("xyzw", special[n - 1]))
		special[n - 2] = '.';
	return debug_special_read(v->d, &v->w, special, (size_t)n, out);
}

/* ---- the debugger's own variables ---- */

static void value_pc(uint32_t pc, struct expr_value *out)
{
	value_pointer(out, ISA_NOTYPE, 1, (uint64_t)pc * ISA_INSN_BYTES);
	out->place.kind = EXPR_PC;
}

static void get_cycle(struct eval *v, struct expr_value *out) { value_int(out, ISA_U64, gpu_cycle(v->d->g)); }
static void get_findings(struct eval *v, struct expr_value *out) { value_int(out, ISA_U32, v->d->check ? check_errors(v->d->check) + check_notes(v->d->check) : 0); }
static void get_bpnum(struct eval *v, struct expr_value *out) { value_int(out, ISA_S32, v->d->last_breakpoint); }

/* The address that `x` showed last. */
static void get_examined(struct eval *v, struct expr_value *out)
{
	const struct expr_value *x = expr_examined(v->d);
	memset(out, 0, sizeof *out);
	if (x)
		value_pointer(out, x->type, 1, x->place.address);
}

/* The value there. */
static void get_examined_value(struct eval *v, struct expr_value *out)
{
	const struct expr_value *x = expr_examined(v->d);
	memset(out, 0, sizeof *out);
	if (x)
		expr_value_copy(out, x);
}

static void get_pc(struct eval *v, struct expr_value *out) { value_pc(v->f.pc, out); }

/* cuda-gdb's: the pc of the exception that stopped the machine. */
static void get_errorpc(struct eval *v, struct expr_value *out)
{
	memset(out, 0, sizeof *out);
	if (v->d->has_last && v->d->last.reason == DEBUG_STOP_EXCEPTION)
		value_pc(v->d->last.pc, out);
}

static void get_uid(struct eval *v, struct expr_value *out) { value_int(out, ISA_U64, v->w.uid); }
static void get_active(struct eval *v, struct expr_value *out) { value_int(out, ISA_U32, debug_lanes_with(v->d, &v->w)); }
static void get_lane(struct eval *v, struct expr_value *out) { value_int(out, ISA_S32, v->w.lane); }
static void get_warp(struct eval *v, struct expr_value *out) { value_int(out, ISA_S32, v->w.warp); }
static void get_core(struct eval *v, struct expr_value *out) { value_int(out, ISA_S32, v->w.core); }
static void get_kernel(struct eval *v, struct expr_value *out) { value_int(out, ISA_S32, v->w.thread.launch); }

enum dollar_kind {
	DOLLAR_OWN,	 /* a user variable of that name hides it */
	DOLLAR_THREAD,	 /* likewise; only with a thread in focus */
	DOLLAR_FIXED,	 /* can't be hidden */
	DOLLAR_FIXED_THREAD /* likewise; only with a thread in focus */
};

static const struct dollar_row {
	const char *name;
	enum dollar_kind kind;
	void (*get)(struct eval *v, struct expr_value *out);
} rows[] = {
	{"pc", DOLLAR_FIXED_THREAD, get_pc},
	{"cycle", DOLLAR_FIXED, get_cycle},
	{"uid", DOLLAR_FIXED_THREAD, get_uid},
	{"_", DOLLAR_OWN, get_examined},
	{"__", DOLLAR_OWN, get_examined_value},
	{"_findings", DOLLAR_OWN, get_findings},
	{"bpnum", DOLLAR_OWN, get_bpnum},
	{"errorpc", DOLLAR_THREAD, get_errorpc},
	{"_thread", DOLLAR_THREAD, get_uid},
	{"_gthread", DOLLAR_THREAD, get_uid},
	{"active", DOLLAR_THREAD, get_active},
	{"lane", DOLLAR_THREAD, get_lane},
	{"warp", DOLLAR_THREAD, get_warp},
	{"core", DOLLAR_THREAD, get_core},
	{"sm", DOLLAR_THREAD, get_core},
	{"kernel", DOLLAR_THREAD, get_kernel},
};
#define ROWS (sizeof rows / sizeof *rows)

const char *expr_dollar_name(size_t k) { return k < ROWS ? rows[k].name : NULL; }

static const struct dollar_row *row_of(const char *name)
{
	for (size_t k = 0; k < ROWS; k++)
		if (!strcmp(rows[k].name, name))
			return &rows[k];
	return NULL;
}

/* Reads one of the debugger's variables or a special register. Returns false if the name is neither, or needs a thread. */
static bool read_own(struct eval *v, const struct dollar_row *row, const char *name, struct expr_value *out)
{
	const bool needs_thread = !row || row->kind == DOLLAR_THREAD || row->kind == DOLLAR_FIXED_THREAD;
	if (needs_thread && !v->has_thread)
		return false;
	if (!row)
		return read_special(v, name, out);
	row->get(v, out);
	return true;
}

static bool read_label(struct eval *v, const char *name, struct expr_value *out)
{
	char label[160];
	const int n = snprintf(label, sizeof label, "$%s", name);
	return n < (int)sizeof label &&
	       eval_code(v, isa_program_find_function(debug_program(v->d), label), label, (size_t)n, out);
}

bool eval_dollar(struct eval *v, const struct node *n, struct expr_value *out)
{
	const char *name = n->text;
	if (!*name || is_digits(name) || *name == '$')
		return read_history(v, name, out);
	const struct dollar_row *row = row_of(name);
	const struct expr_value *user = debug_variable_get(v->d, name);
	const bool is_fixed = row && (row->kind == DOLLAR_FIXED || row->kind == DOLLAR_FIXED_THREAD);
	if ((is_fixed || !user) && read_own(v, row, name, out))
		return true;
	if (is_fixed)
		return debug_fail(v->why, "$%s has no value: there is no thread in focus", name);
	if (!user && read_label(v, name, out))
		return true;
	memset(out, 0, sizeof *out);
	if (user)
		expr_value_copy(out, user);
	out->place.kind = EXPR_VARIABLE;
	snprintf(out->place.name, sizeof out->place.name, "%s", name);
	return true;
}

/* print and its relatives. */
#include <ctype.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/expr.h"
#include "debug/expr/expr_internal.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/ground/scan.h"
#include "command/inspect.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

static bool print_spec(const char *args, const char **rest, struct format_spec *f, const char *command,
		       struct text *why)
{
	if (!format_parse(args, rest, f, why))
		return false;
	if (f->has_count && f->count != 1)
		return debug_fail(why, "Item count other than 1 is meaningless in \"%s\" command.", command);
	if (f->unit)
		return debug_fail(why, "Size letters are meaningless in \"%s\" command.", command);
	if (f->format == 'i')
		return debug_fail(why, "Format letter \"i\" is meaningless in \"%s\" command.", command);
	return true;
}

static bool print_value(struct debug *d, const char *expr, struct expr_value *v, struct text *why)
{
	if (*expr)
		return debug_eval(d, expr, v, why);
	memset(v, 0, sizeof *v);
	if (debug_history_last(d))
		expr_value_copy(v, debug_history_last(d));
	return true;
}

/* ---- print -OPTION... -- EXPR ---- */

static bool on_off(const char **s, bool *out)
{
	*out = !scan_word(s, "off");
	if (*out && !scan_word(s, "on"))
		return true;
	*s = scan_blanks(*s);
	return true;
}

static bool option_number(const char **s, uint32_t *out, const char *name, struct text *why)
{
	uint64_t n;
	*s = scan_blanks(*s);
	if (scan_word(s, "unlimited"))
		n = 0;
	else if (!scan_u64(s, &n) || n > UINT32_MAX)
		return debug_fail(why, "-%s requires an argument", name);
	*out = (uint32_t)n;
	*s = scan_blanks(*s);
	return true;
}

/* gdb's options in front of an expression: those that mean something here change the settings, which the caller puts back. What is no
 * option's whole name is an expression. */
static bool print_options(struct debug *d, const char **at, struct text *why)
{
	static const char *const others[] = {"array",  "array-indexes", "memory-tag-violations",
					     "null-stop", "object", "raw-values",    "static-members",
					     "symbol",	  "union",  "vtbl"};
	const char *s = scan_blanks(*at);
	bool on = true;
	while (*s == '-' && isalpha((unsigned char)s[1])) {
		const char *name = s + 1;
		bool known = true;
		if (scan_word(&name, "elements")) {
			if (!option_number(&name, &d->settings.print_elements, "elements", why))
				return false;
		} else if (scan_word(&name, "repeats")) {
			if (!option_number(&name, &d->settings.print_repeats, "repeats", why))
				return false;
		} else if (scan_word(&name, "address")) {
			on_off(&name, &d->settings.print_address);
		} else if (scan_word(&name, "pretty")) {
			on_off(&name, &d->settings.print_pretty);
		} else {
			known = false;
			for (size_t i = 0; i < sizeof others / sizeof *others && !known; i++)
				known = scan_word(&name, others[i]) && on_off(&name, &on);
		}
		if (!known)
			break;
		s = scan_blanks(name);
	}
	if (s[0] == '-' && s[1] == '-' && (!s[2] || isspace((unsigned char)s[2])))
		s = scan_blanks(s + 2);
	*at = s;
	return true;
}

/* Adds `expression`, `type` and `value` to the open object. */
static void describe_evaluated(struct debug *d, struct report *answer, const char *expr, const struct expr_value *v, const struct format_spec *f)
{
	report_text(answer, "expression", expr);
	value_type_describe(d, answer, "type", v);
	value_describe(d, answer, "value", v, f);
	if (v->place.kind == EXPR_MEMORY && gpu_is_freed(d->g, v->place.address))
		report_text(answer, "state", "freed");
}

static bool print_one(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct format_spec f;
	struct expr_value v;
	const char *expr;
	if (!print_spec(scan_blanks(args), &expr, &f, "print", why) || !print_value(d, expr, &v, why))
		return false;
	if (!*expr && !debug_history_last(d)) {
		expr_value_free(&v);
		return debug_fail(why, "the value history is empty");
	}
	report_number(answer, "number", debug_history_add(d, &v));
	describe_evaluated(d, answer, expr, &v, &f);
	report_line(answer, "${number} = {value}[ ({state})]\n");
	expr_value_free(&v);
	return true;
}

bool command_print(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	const struct debug_settings before = d->settings;
	bool ok = print_options(d, &args, why) && print_one(d, args, answer, why);
	d->settings = before;
	return ok;
}

bool command_output(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct format_spec f;
	struct expr_value v;
	const char *expr;
	if (!print_spec(scan_blanks(args), &expr, &f, "output", why))
		return false;
	if (!*expr)
		return debug_fail(why, "Argument required (expression to compute).");
	if (!debug_eval(d, expr, &v, why))
		return false;
	describe_evaluated(d, answer, expr, &v, &f);
	report_line(answer, "{value}[ ({state})]");
	expr_value_free(&v);
	return true;
}

bool command_assert(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct expr_value v;
	(void)answer;
	if (!*scan_blanks(args))
		return debug_fail(why, "usage: assert EXPR");
	if (!debug_eval(d, args, &v, why))
		return false;
	bool holds = expr_value_is_true(&v);
	expr_value_free(&v);
	return holds || debug_fail(why, "assertion failed: %s", scan_blanks(args));
}

/* A type of the source by its name. A typedef's is taken off once, as gdb does. */
static bool named_type(struct debug *d, const char *args, bool expanded, bool needs_keyword, struct text *out,
		       struct text *why)
{
	struct source_type t;
	const char *s = args;
	if (!expr_scan_source_type(&s, &t) || *scan_blanks(s) || (needs_keyword && t.kind == CTYPE_VOID))
		return false;
	const struct ctype *c = expr_source_type(d, &t, why);
	if (!c)
		return false;
	ctype_text(c->kind == CTYPE_TYPEDEF ? c->target : c, expanded, out);
	return true;
}

/* Appends the type of a vector, with its members if `expanded`. */
static void vector_type(const struct expr_value *v, bool expanded, struct text *out)
{
	const char *element = isa_type_info[v->type].name;
	text_add(out, expanded ? "struct " : "");
	value_vector_type(v, out);
	if (!expanded)
		return;
	text_add(out, " {\n");
	for (uint64_t k = 0; k < v->count; k++)
		text_addf(out, "    %s %c;\n", element, "xyzw"[k & 3]);
	text_addc(out, '}');
}

/* What an expression's value is of. */
static bool type_of_value(struct debug *d, const char *args, bool expanded, struct text *out, struct text *why)
{
	struct expr_value v = {.count = 1};
	struct text ignored = {0};
	if (!debug_eval_type(d, args, &v, why)) {
		bool known = named_type(d, args, expanded, false, out, &ignored);
		text_free(&ignored);
		if (known)
			text_clear(why);
		return known;
	}
	if (v.function)
		debug_function_type(d, v.function, v.is_function ? "" : "(*)", out);
	else if (v.is_dim3)
		vector_type(&v, expanded, out);
	else if (v.c)
		ctype_text(v.c, expanded, out);
	else
		value_type_text(&v, out);
	expr_value_free(&v);
	return true;
}

/* Adds the list `members` of a structure: `name`, `type`, `offset` and `size_bytes` of each, and of a bit-field its bits. */
static void describe_members(struct report *answer, const struct ctype *structure)
{
	report_list(answer, "members");
	for (uint32_t i = 0; i < structure->n_members; i++) {
		const struct ctype_member *m = &structure->members[i];
		struct text type = {0};
		ctype_text(m->type, false, &type);
		report_open(answer, NULL);
		if (m->name)
			report_text(answer, "name", m->name);
		report_text(answer, "type", text_str(&type));
		report_number(answer, "offset", m->offset);
		if (m->bit_size) {
			report_number(answer, "bit_size", m->bit_size);
			report_number(answer, "bit_shift", m->bit_shift);
		} else {
			report_number(answer, "size_bytes", ctype_bytes(m->type));
		}
		report_close(answer);
		text_free(&type);
	}
	report_close(answer);
}

/* Adds a structure of the source with the offset of each member. Returns false, with nothing done, if the text names no structure. */
static bool offsets_of_type(struct debug *d, const char *args, struct report *answer)
{
	struct source_type t;
	const char *s = args;
	struct text ignored = {0}, name = {0};
	struct expr_value v = {.count = 1};
	const struct ctype *c = NULL;
	if (debug_eval_type(d, args, &v, &ignored)) {
		c = v.c;
		expr_value_free(&v);
	} else if (expr_scan_source_type(&s, &t) && !*scan_blanks(s)) {
		c = expr_source_type(d, &t, &ignored);
	}
	text_free(&ignored);
	c = c ? ctype_value(c) : NULL;
	if (!c || !ctype_is_struct(c))
		return false;
	ctype_text(c, false, &name);
	report_text(answer, "type", text_str(&name));
	report_number(answer, "size_bytes", c->bytes);
	describe_members(answer, c);
	ctype_offsets_text(c, report_prose(answer));
	text_free(&name);
	return true;
}

/* Takes gdb's flags off the arguments. `o` is for offsets; what the others are about isn't in PTX. */
static bool type_flags(const char **args, bool *has_offsets, struct text *why)
{
	*has_offsets = false;
	*args = scan_blanks(*args);
	if (**args != '/')
		return true;
	const size_t n = strcspn(*args, " \t");
	*has_offsets = memchr(*args, 'o', n) != NULL;
	if (strspn(*args + 1, "rmMtTodxo") != n - 1)
		return debug_fail(why, "unrecognized flag '%s'", *args + 1);
	*args = scan_blanks(*args + n);
	return true;
}

static bool type_of(struct debug *d, const char *args, bool expanded, struct text *out, struct text *why)
{
	const char *s = args;
	struct expr_value v = {.count = 1};
	struct text unknown = {0};
	if (!*args)
		return debug_fail(why, "The history is empty.");
	if (expr_parse_type(&s, &v.type, &v.pointers) && !*scan_blanks(s)) {
		value_type_text(&v, out);
		return true;
	}
	bool known = named_type(d, args, expanded, true, out, &unknown);
	bool ok = known ||
		  (unknown.n ? debug_fail(why, "%s", text_str(&unknown)) : type_of_value(d, args, expanded, out, why));
	text_free(&unknown);
	return ok;
}

static bool describe_type(struct debug *d, const char *args, bool expanded, struct report *answer, struct text *why)
{
	struct text type = {0};
	bool has_offsets;
	if (!type_flags(&args, &has_offsets, why))
		return false;
	if (expanded && has_offsets && offsets_of_type(d, args, answer))
		return true;
	const bool ok = type_of(d, args, expanded, &type, why);
	if (ok) {
		report_text(answer, "type", text_str(&type));
		report_line(answer, "type = {type}\n");
	}
	text_free(&type);
	return ok;
}

bool command_ptype(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return describe_type(d, args, true, answer, why);
}

bool command_whatis(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return describe_type(d, args, false, answer, why);
}

bool display_answer(struct debug *d, int number, const char *args, struct report *answer, struct text *why)
{
	struct format_spec f;
	const char *expr;
	args = scan_blanks(args);
	if (!format_parse(args, &expr, &f, why))
		return false;
	const bool is_memory = f.format == 'i' || f.format == 's' || f.unit || f.has_count;
	report_number(answer, "number", (uint64_t)number);
	report_text(answer, "display", args);
	report_line(answer, is_memory ? "{number}: x{display}\n" : "{number}: {display} = ");
	const bool ok = is_memory ? command_x(d, args, answer, why) : command_output(d, args, answer, why);
	if (ok && !is_memory)
		report_say(answer, "\n");
	return ok;
}

bool display_may_wait(struct debug *d, const char *args)
{
	struct format_spec f;
	const char *text;
	struct text why = {0};
	struct expr *e =
		d->has_focus || !format_parse(scan_blanks(args), &text, &f, &why) ? NULL : expr_parse(d, text, NULL, &why);
	bool known = e && expr_check_names(d, e, NULL, 0, &why);
	expr_free(e);
	text_free(&why);
	return known;
}

/* ---- printf, echo ---- */

static void add_escape(const char **s, struct text *out)
{
	static const char from[] = "abfnrtv\\\"'e", to[] = "\a\b\f\n\r\t\v\\\"'\033";
	char c = *++*s;
	const char *p = c ? strchr(from, c) : NULL;
	if (c >= '0' && c <= '7') {
		unsigned v = 0;
		for (int n = 0; n < 3 && **s >= '0' && **s <= '7'; n++)
			v = v * 8 + (unsigned)(*(*s)++ - '0');
		text_addc(out, (char)v);
		return;
	}
	if (p)
		text_addc(out, to[p - from]);
	else if (c)
		text_addc(out, c);
	*s += c != '\0';
}

bool command_echo(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	(void)d;
	(void)why;
	for (const char *s = scan_blanks(args); *s;)
		if (*s == '\\')
			add_escape(&s, out);
		else
			text_addc(out, *s++);
	return true;
}

/* One conversion: `spec` is %... without length letters, which are ours to choose. */
static bool convert(struct text *spec, char letter, struct expr_value *v, struct text *out, struct text *why)
{
	if (!letter)
		return debug_fail(why, "Bad format string");
	if (strchr("diuxXoc", letter)) {
		if (!value_convert(v,
				   strchr("di", letter)			      ? ISA_S64
				   : v->type == ISA_U64 || v->type == ISA_U32 ? ISA_U64
									      : v->type,
				   0, why))
			return false;
		uint64_t bits = v->u.u64;
		unsigned n = isa_type_bytes(v->type);
		if (isa_type_is_float(v->type)) {
			if (!value_convert(v, ISA_S64, 0, why))
				return false;
			bits = v->u.u64;
		} else if (n && n < 8 && letter != 'c') {
			bits &= (UINT64_C(1) << 8 * n) - 1;
		}
		text_addf(spec, letter == 'c' ? "c" : "ll%c", letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		if (letter == 'c')
			text_addf(out, text_str(spec), (int)bits);
		else
			text_addf(out, text_str(spec), (unsigned long long)bits);
	} else if (strchr("fFgGeEaA", letter)) {
		if (!value_convert(v, ISA_F64, 0, why))
			return false;
		text_addc(spec, letter);
		text_addf(out, text_str(spec), v->u.f64);
	} else if (letter == 's' && (v->is_string || v->is_array)) {
		text_addc(spec, letter);
		size_t n = v->is_string ? v->count : strnlen((const char *)v->data, v->count);
		char *copy = xstrndup((const char *)v->data, n);
		text_addf(out, text_str(spec), copy);
		free(copy);
	} else if (letter == 'p') {
		if (!value_convert(v, ISA_U64, 0, why))
			return false;
		text_addf(out, "0x%llx", (unsigned long long)v->u.u64);
	} else {
		return debug_fail(why, letter == 's' ? "%%s wants an array of characters" : "Bad format string");
	}
#pragma GCC diagnostic pop
	return true;
}

#define STRING_MAX 65536u

/* %s of an address: the characters there. */
static bool string_at(struct debug *d, struct expr_value *v, struct text *why)
{
	struct debug_where w;
	struct text t = {0};
	int64_t address = 0;
	if (v->is_string || v->is_array || isa_type_is_float(v->type) || !expr_value_integer(v, &address))
		return true;
	if (!address)
		text_add(&t, "(null)");
	else if (!debug_read_string(d, (uint64_t)address, STRING_MAX, &t)) {
		text_free(&t);
		return debug_access_fail(d, debug_focus_where(d, &w) ? &w : NULL, (uint64_t)address, why);
	}
	expr_value_free(v);
	*v = (struct expr_value){.type = ISA_S8, .is_string = true, .count = t.n};
	v->data = (unsigned char *)text_take(&t);
	return true;
}

/* A conversion at *s, which stands on the %; takes one argument off *args unless it is %%. */
static bool format_argument(struct debug *d, const char **s, const char **args, struct text *out, struct text *why)
{
	struct text spec = {0};
	struct expr_value v = {0};
	const char *p = *s + 1;
	if (*p == '%') {
		text_addc(out, '%');
		*s = p + 1;
		return true;
	}
	text_addc(&spec, '%');
	while (*p && strchr("-+ #0123456789.", *p) && spec.n < 24)
		text_addc(&spec, *p++);
	while (*p && strchr("hljzt", *p))
		p++;
	*args = scan_blanks(*args);
	bool ok = **args == ',' || debug_fail(why, "Bad format string, missing arguments");
	struct expr *e = ok ? expr_parse(d, *args + 1, args, why) : NULL;
	ok = e && expr_eval(d, e, d->has_focus ? &d->focus : NULL, d->frame, &v, why) &&
	     (*p != 's' || string_at(d, &v, why)) && convert(&spec, *p, &v, out, why);
	expr_free(e);
	expr_value_free(&v);
	text_free(&spec);
	*s = p + (*p != '\0');
	return ok;
}

/* Widths like %99999999d would ask for that much memory. */
static bool widths_are_sane(const char *s)
{
	for (unsigned digits = 0; *s; s++) {
		digits = isdigit((unsigned char)*s) ? digits + 1 : 0;
		if (digits > 5)
			return false;
	}
	return true;
}

bool command_printf(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct text *out = report_prose(answer);
	const char *s = scan_blanks(args), *end;
	struct text made = {0};
	if (*s != '"')
		return debug_fail(why, "usage: printf \"FORMAT\", EXPR, ...");
	for (end = s + 1; *end && *end != '"'; end++)
		end += *end == '\\' && end[1];
	if (!*end)
		return debug_fail(why, "Bad format string, non-terminated '\"'");
	char *format = xstrndup(s + 1, (size_t)(end - s - 1));
	const char *rest = end + 1;
	bool ok = widths_are_sane(format) || debug_fail(why, "Bad format string");
	for (const char *p = format; ok && *p;)
		if (*p == '%')
			ok = format_argument(d, &p, &rest, &made, why);
		else if (*p == '\\')
			add_escape(&p, &made);
		else
			text_addc(&made, *p++);
	if (ok && *scan_blanks(rest))
		ok = debug_fail(why, "Bad format string, too many arguments");
	if (ok)
		text_addn(out, text_str(&made), made.n);
	text_free(&made);
	free(format);
	return ok;
}

/* Commands that list, switch, change and delete breakpoints. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "debug/setup/launch.h"
#include "debug/stop/breakpoint.h"
#include "debug/stop/stop.h"
#include "debug/stop/stop.h"
#include "debug/view/inlined.h"
#include "debug/view/source.h"
#include "command/stop/stop_commands.h"
#include "command/info.h"

static bool is_hidden(const struct breakpoint *b) { return b->internal || b->fired; }

/* ---- numbers: N, N-M, $variable, several ---- */

static bool take_range(struct debug *d, const char **s, uint32_t *first, uint32_t *last, struct text *why)
{
	*s = scan_blanks(*s);
	size_t n = scan_part(*s, true), dash = 0;
	uint64_t a, b;
	while (dash < n && (*s)[dash] != '-')
		dash++;
	if (!n || !debug_eval_count(d, *s, dash < n ? dash : n, &a, why))
		return why->n ? false : debug_fail(why, "a breakpoint number is missing");
	b = a;
	if (dash < n && !debug_eval_count(d, *s + dash + 1, n - dash - 1, &b, why))
		return false;
	if (!a || b < a || b > UINT32_MAX / 2)
		return debug_fail(why, "Bad breakpoint number '%.*s'", (int)n, *s);
	*first = (uint32_t)a;
	*last = (uint32_t)b;
	*s = scan_blanks(*s + n);
	if (**s == ',')
		*s = scan_blanks(*s + 1);
	return true;
}

typedef void visit_fn(struct debug *d, struct breakpoint *b);

/* Does something to a breakpoint, and adds its number to the open list. */
static void visit_one(struct debug *d, struct breakpoint *b, visit_fn *visit, struct report *answer)
{
	report_number(answer, NULL, b->number);
	visit(d, b);
}

/* Does something to the numbered breakpoints, to all of them without arguments; checks all numbers before it does anything. Adds the list `numbers`. */
static bool for_numbers(struct debug *d, const char *args, visit_fn *visit, struct report *answer, struct text *why)
{
	uint32_t first, last;
	bool ok = true;
	report_list(answer, "numbers");
	for (size_t i = *scan_blanks(args) ? 0 : breakpoint_count(d); i-- > 0;)
		if (!is_hidden(breakpoint_at(d, i)))
			visit_one(d, breakpoint_at(d, i), visit, answer);
	for (int pass = 0; pass < 2 && ok; pass++)
		for (const char *s = args; *scan_blanks(s) && ok;) {
			ok = take_range(d, &s, &first, &last, why);
			bool any = false;
			for (size_t i = ok ? breakpoint_count(d) : 0; i-- > 0;) {
				struct breakpoint *b = breakpoint_at(d, i);
				if (is_hidden(b) || b->number < first || b->number > last)
					continue;
				any = true;
				if (pass)
					visit_one(d, b, visit, answer);
			}
			if (ok && !any && !pass)
				ok = debug_fail(why, "No breakpoint number %u.", first);
		}
	report_close(answer);
	return ok;
}

static void enable_one(struct debug *d, struct breakpoint *b)
{
	b->enabled = true;
	d->marks_stale = true;
	if (b->kind == BREAKPOINT_WATCH)
		watch_read_value(d, b, b->watch.old);
}

static void enable_once(struct debug *d, struct breakpoint *b)
{
	enable_one(d, b);
	b->once = true;
	b->temporary = false;
}

static void enable_delete(struct debug *d, struct breakpoint *b)
{
	enable_one(d, b);
	b->temporary = true;
	b->once = false;
}

static void disable_one(struct debug *d, struct breakpoint *b)
{
	b->enabled = false;
	d->marks_stale = true;
}

/* Length of `2.1` at the start of a text, one location of a breakpoint; 0: there is none. */
static size_t location_length(const char *s, uint64_t *number, uint64_t *location)
{
	char *end;
	if (!isdigit((unsigned char)*s))
		return 0;
	*number = strtoull(s, &end, 10);
	if (*end != '.' || !isdigit((unsigned char)end[1]))
		return 0;
	*location = strtoull(end + 1, &end, 10);
	return *end && !isspace((unsigned char)*end) ? 0 : (size_t)(end - s);
}

/* Switches the locations among the arguments; what else there is goes to `rest`. */
static bool switch_locations(struct debug *d, const char *args, bool off, struct text *rest, struct text *why)
{
	uint64_t number, location;
	for (const char *s = scan_blanks(args); *s; s = scan_blanks(s)) {
		size_t n = location_length(s, &number, &location);
		if (!n) {
			n = scan_part(s, true);
			n += s[n] == ',';
			text_addn(rest, s, n ? n : 1);
			text_addc(rest, ' ');
			s += n ? n : 1;
			continue;
		}
		struct breakpoint *b = number <= UINT32_MAX / 2 ? breakpoint_find(d, (uint32_t)number) : NULL;
		if (!b || b->kind != BREAKPOINT_CODE || !location || location > b->code.n_pcs)
			return debug_fail(why, "Bad breakpoint location number '%.*s'", (int)n, s);
		if (!b->code.is_off)
			b->code.is_off = xcalloc(b->code.n_pcs, sizeof *b->code.is_off);
		b->code.is_off[location - 1] = off;
		s += n;
	}
	return true;
}

/* enable, disable: whole breakpoints (all without arguments) and single locations. */
static bool switch_some(struct debug *d, const char *args, bool off, visit_fn *visit, struct report *answer, struct text *why)
{
	struct text rest = {0};
	bool ok = switch_locations(d, args, off, &rest, why);
	if (ok && (rest.n || !*scan_blanks(args)))
		ok = for_numbers(d, text_str(&rest), visit, answer, why);
	text_free(&rest);
	return ok;
}

bool breakpoints_delete(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	scan_word(&args, "breakpoints");
	return for_numbers(d, args, breakpoint_drop, answer, why);
}

bool breakpoints_enable(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	scan_word(&args, "breakpoints");
	visit_fn *visit = scan_word(&args, "once")     ? enable_once
			  : scan_word(&args, "delete") ? enable_delete
						       : enable_one;
	if (visit != enable_one && !*scan_blanks(args))
		return debug_fail(why, "Argument required (one or more breakpoint numbers).");
	return switch_some(d, args, false, visit, answer, why);
}

bool breakpoints_disable(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	scan_word(&args, "breakpoints");
	return switch_some(d, args, true, disable_one, answer, why);
}

/* Returns true if a user's breakpoint is at one of the location's instructions. */
static bool is_at_location(const struct breakpoint *b, const struct debug_location *l)
{
	for (uint32_t k = 0; b->kind == BREAKPOINT_CODE && !b->internal && k < b->code.n_pcs; k++)
		for (uint32_t m = 0; m < l->n; m++)
			if (b->code.pcs[k] == l->pcs[m])
				return true;
	return false;
}

/* Prints gdb's line: `Deleted breakpoints 1 2 `, with the blank at its end. */
bool command_clear(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct debug_location l;
	struct text numbers = {0};
	const char *end;
	bool ok = debug_location_parse(d, args, &end, &l, NULL, why) && scan_end(end, why);
	size_t deleted = 0;
	report_list(answer, "numbers");
	for (size_t i = 0; ok && i < breakpoint_count(d);) {
		struct breakpoint *b = breakpoint_at(d, i);
		if (!is_at_location(b, &l)) {
			i++;
			continue;
		}
		deleted++;
		text_addf(&numbers, "%u ", b->number);
		report_number(answer, NULL, b->number);
		breakpoint_drop(d, b);
	}
	report_close(answer);
	debug_location_free(&l);
	if (deleted)
		report_say(answer, "Deleted breakpoint%s %s\n", deleted == 1 ? "" : "s", text_str(&numbers));
	text_free(&numbers);
	return ok && (deleted || debug_fail(why, "No breakpoint at %s.", *args ? args : "this line"));
}

static struct breakpoint *take_breakpoint(struct debug *d, const char **args, struct text *why)
{
	const char *s = scan_blanks(*args);
	size_t n = scan_part(s, true);
	uint64_t number;
	if (!n) {
		debug_fail(why, "Argument required (breakpoint number).");
		return NULL;
	}
	if (!debug_eval_count(d, s, n, &number, why))
		return NULL;
	struct breakpoint *b = number <= UINT32_MAX / 2 ? breakpoint_find(d, (uint32_t)number) : NULL;
	if (!b)
		debug_fail(why, "No breakpoint number %llu.", (unsigned long long)number);
	*args = scan_blanks(s + n);
	return b;
}

bool command_condition(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct breakpoint *b = take_breakpoint(d, &args, why);
	if (!b)
		return false;
	struct expr *e = *args ? expr_parse(d, args, NULL, why) : NULL;
	if (*args && !e)
		return false;
	const struct breakpoint_code anywhere = {0}, *at = b->kind == BREAKPOINT_CODE ? &b->code : &anywhere;
	if (e && !at->pending && !expr_check_names(d, e, at->pcs, at->n_pcs, why)) {
		expr_free(e);
		return false;
	}
	expr_free(b->compiled);
	free(b->condition);
	b->compiled = e;
	b->condition = e ? xstrdup(expr_text(e)) : NULL;
	report_number(answer, "number", b->number);
	if (e)
		report_text(answer, "condition", b->condition);
	else
		report_line(answer, "Breakpoint {number} now unconditional.\n");
	return true;
}

bool command_ignore(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	struct breakpoint *b = take_breakpoint(d, &args, why);
	int64_t n;
	if (!b)
		return false;
	if (!*args)
		return debug_fail(why, "Second argument (specified ignore-count) is missing.");
	if (!debug_eval_integer(d, args, &n, why))
		return false;
	b->ignore = n > 0 ? (uint64_t)n : 0;
	report_number(answer, "number", b->number);
	report_number(answer, "ignore", b->ignore);
	report_line(answer, !b->ignore	     ? "Will stop next time breakpoint {number} is reached.\n"
			    : b->ignore == 1 ? "Will ignore next crossing of breakpoint {number}.\n"
					     : "Will ignore next {ignore} crossings of breakpoint {number}.\n");
	return true;
}

bool breakpoint_commands_targets(struct debug *d, const char *args, uint32_t *numbers, size_t max, size_t *n,
				 struct text *why)
{
	uint32_t first, last;
	*n = 0;
	if (!*scan_blanks(args)) {
		const struct breakpoint *b = NULL;
		for (size_t i = 0; i < breakpoint_count(d); i++)
			if (!is_hidden(breakpoint_at(d, i)) && (!b || breakpoint_at(d, i)->number > b->number))
				b = breakpoint_at(d, i);
		if (!b)
			return debug_fail(why, "No breakpoints specified.");
		numbers[(*n)++] = b->number;
		return true;
	}
	for (const char *s = args; *scan_blanks(s);) {
		if (!take_range(d, &s, &first, &last, why))
			return false;
		size_t before = *n;
		for (size_t i = 0; i < breakpoint_count(d) && *n < max; i++)
			if (!is_hidden(breakpoint_at(d, i)) && breakpoint_at(d, i)->number >= first &&
			    breakpoint_at(d, i)->number <= last)
				numbers[(*n)++] = breakpoint_at(d, i)->number;
		if (before == *n)
			return debug_fail(why, "No breakpoint number %u.", first);
	}
	return true;
}

/* ---- info breakpoints ---- */

static void place_text(struct debug *d, const struct breakpoint *b, uint32_t pc, struct text *out)
{
	text_addf(out, "0x%016llx in ", (unsigned long long)pc * ISA_INSN_BYTES);
	breakpoint_function_text(d, b, pc, out);
	text_add(out, " at ");
	debug_position_text(d,
			    b->code.call.line ? b->code.call
			    : b->code.in_ptx	 ? debug_ptx_position(d, pc)
					 : debug_position_at(d, pc),
			    out);
}

static void what_text(struct debug *d, const struct breakpoint *b, struct text *out)
{
	if (b->kind == BREAKPOINT_CATCH)
		text_addf(out, "%18s %s%s%s", "", breakpoint_caught_name(b->caught), b->location ? " " : "",
			  b->location ? b->location : "");
	else if (b->kind == BREAKPOINT_WATCH)
		text_addf(out, "%18s %s", "", b->location);
	else if (breakpoint_is_for_calls(b))
		text_addf(out, "%18s %s %s", "", breakpoint_caught_name(BREAKPOINT_ON_API), b->location);
	else if (b->code.pending || !b->code.n_pcs)
		text_addf(out, "%-18s %s", "<PENDING>", b->location);
	else if (b->code.n_pcs > 1)
		text_addf(out, "%-18s ", "<MULTIPLE>");
	else
		place_text(d, b, b->code.pcs[0], out);
}

static void filter_text(const struct breakpoint *b, struct text *out)
{
	const struct breakpoint_filter *f = &b->filter;
	if (f->has_uid)
		text_addf(out, "\tstop only in thread uid %llu\n", (unsigned long long)f->uid);
	if (f->has_thread) {
		text_add(out, "\tstop only in thread ");
		format_dim3(f->thread, out);
		text_addc(out, '\n');
	}
	if (f->has_block) {
		text_add(out, "\tstop only in block ");
		format_dim3(f->block, out);
		text_addc(out, '\n');
	}
	if (f->has_warp)
		text_addf(out, "\tstop only in warp %u\n", f->warp);
}

static void breakpoint_text(struct debug *d, const struct breakpoint *b, struct text *out)
{
	text_addf(out, "%-7u %-14s %-4s %c   ", b->number, breakpoint_type_name(b),
		  b->temporary ? "del"
		  : b->once    ? "dis"
			       : "keep",
		  b->enabled ? 'y' : 'n');
	what_text(d, b, out);
	text_addc(out, '\n');
	if (b->condition)
		text_addf(out, "\tstop only if %s\n", b->condition);
	filter_text(b, out);
	if (b->hits)
		text_addf(out, "\t%s already hit %llu time%s\n",
			  b->kind == BREAKPOINT_CATCH ? "catchpoint" : "breakpoint", (unsigned long long)b->hits,
			  b->hits == 1 ? "" : "s");
	if (b->ignore)
		text_addf(out, "\tignore next %llu hits\n", (unsigned long long)b->ignore);
	if (breakpoint_prints(b))
		text_addf(out, "        printf %s\n", breakpoint_prints(b));
	for (size_t i = 0; i < b->n_commands; i++)
		text_addf(out, "        %s\n", b->commands[i]);
	for (uint32_t k = 0; b->kind == BREAKPOINT_CODE && (b->code.n_pcs > 1 || b->code.is_off) && k < b->code.n_pcs; k++) {
		text_addf(out, "%u.%-25u %c   ", b->number, k + 1, b->code.is_off && b->code.is_off[k] ? 'n' : 'y');
		place_text(d, b, b->code.pcs[k], out);
		text_addc(out, '\n');
	}
}

static bool info_points(struct debug *d, const char *args, bool watches_only, struct report *answer, struct text *why)
{
	uint32_t first = 1, last = UINT32_MAX / 2;
	bool any = false;
	if (*scan_blanks(args) && !take_range(d, &args, &first, &last, why))
		return false;
	report_list(answer, watches_only ? "watchpoints" : "breakpoints");
	for (size_t i = 0; i < breakpoint_count(d); i++) {
		const struct breakpoint *b = breakpoint_at(d, i);
		if (is_hidden(b) || b->number < first || b->number > last ||
		    (watches_only && b->kind != BREAKPOINT_WATCH))
			continue;
		if (!any)
			report_say(answer, "Num     Type           Disp Enb Address            What\n");
		any = true;
		report_open(answer, NULL);
		breakpoint_describe(d, b, answer);
		breakpoint_text(d, b, report_prose(answer));
		report_close(answer);
	}
	report_close(answer);
	if (any)
		return true;
	if (watches_only)
		report_say(answer, "%s", first > 1 ? "No watchpoint matching that.\n" : "No watchpoints.\n");
	else
		report_say(answer, "%s", first > 1 ? "No breakpoint or watchpoint matching that.\n"
					: "No breakpoints, watchpoints, tracepoints, or catchpoints.\n");
	return true;
}

bool info_breakpoints(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return info_points(d, args, false, answer, why);
}

bool info_watchpoints(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return info_points(d, args, true, answer, why);
}

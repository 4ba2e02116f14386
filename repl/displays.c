/* Expressions that are shown at each stop. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/stop/breakpoint.h"
#include "debug/setup/buffer.h"
#include "command/inspect.h"
#include "repl/answer.h"
#include "repl/repl.h"

/* Shows a display as the list `displays`. */
static void display_show(struct repl *r, struct report *shown)
{
	struct report *const part = answer_part(r);
	report_list(part, "displays");
	report_move(part, NULL, shown);
	report_close(part);
	answer_part_end(r, part);
}

bool cmd_display(struct repl *r, const char *args)
{
	if (!*args) {
		repl_show_displays(r);
		return true;
	}
	struct report *const shown = report_create();
	struct text why = {0};
	int number = r->last_display + 1;
	bool has_value = debug_display(r->dbg, number, args, shown, &why), ok = has_value || debug_display_later(r->dbg, args);
	if (has_value)
		display_show(r, shown);
	else if (ok) /* as gdb does before a program runs */
		repl_printf(r, "%d: %s = <error: %s>\n", number, args, text_str(&why));
	else
		repl_error(r, "%s", text_str(&why));
	report_destroy(shown);
	text_free(&why);
	if (!ok)
		return false;
	r->last_display = number;
	r->displays = xgrow(r->displays, &r->cap_displays, r->n_displays + 1, sizeof *r->displays);
	r->displays[r->n_displays++] = (struct repl_display){.number = number, .args = xstrdup(args)};
	return true;
}

enum change { DROP, SWITCH_ON, SWITCH_OFF };

static bool change_one(struct repl *r, long number, enum change what)
{
	for (size_t i = 0; i < r->n_displays; i++) {
		if (r->displays[i].number != number)
			continue;
		r->displays[i].off = what == SWITCH_OFF;
		if (what != DROP)
			return true;
		free(r->displays[i].args);
		memmove(&r->displays[i], &r->displays[i + 1], (r->n_displays - i - 1) * sizeof *r->displays);
		r->n_displays--;
		return true;
	}
	return repl_error(r, "no display number %ld", number);
}

/* N, N-M, several of them; none: all. */
static bool change(struct repl *r, const char *args, enum change what)
{
	bool ok = true;
	for (size_t i = r->n_displays; !*args && i-- > 0;)
		change_one(r, r->displays[i].number, what);
	while (*args && ok) {
		char *end;
		long first = strtol(args, &end, 10), last = first;
		bool is_number = end != args;
		if (is_number && *end == '-' && isdigit((unsigned char)end[1]))
			last = strtol(end + 1, &end, 10);
		if (!is_number || first < 0 || last < first)
			return repl_error(r, "usage: undisplay [N | N-M]...");
		if (last > r->last_display)
			last = first > r->last_display ? first : r->last_display;
		for (long n = first; (ok = change_one(r, n, what)) && n < last;)
			n++;
		args = end + strspn(end, " \t,");
	}
	return ok;
}

bool cmd_undisplay(struct repl *r, const char *args) { return change(r, args, DROP); }

/* `enable display 2`; everything else is about breakpoints. */
static bool switched(struct repl *r, const char *args, enum change what, debug_answer_fn *breakpoints)
{
	size_t n = strcspn(args, " \t");
	const char *rest = args + n + strspn(args + n, " \t");
	if (n >= 2 && n <= 7 && !strncmp(args, "display", n) && strncmp(args, "delete", n))
		return change(r, rest, what);
	if (n >= 2 && n <= 11 && !strncmp(args, "breakpoints", n))
		args = rest;
	return answer_ask(r, breakpoints, args);
}

bool cmd_enable(struct repl *r, const char *args) { return switched(r, args, SWITCH_ON, debug_cmd_enable); }

bool cmd_disable(struct repl *r, const char *args) { return switched(r, args, SWITCH_OFF, debug_cmd_disable); }

bool cmd_save(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t");
	const char *path = args + n + strspn(args + n, " \t");
	if (n < 2 || n > 11 || strncmp(args, "breakpoints", n) || !*path || strpbrk(path, " \t") ||
	    debug_buffer_find(r->dbg, args, n))
		return answer_ask(r, debug_cmd_save, args);
	struct text out = {0}, why = {0};
	bool ok = breakpoint_save_text(r->dbg, &out, &why);
	if (!ok)
		repl_error(r, "%s", text_str(&why));
	ok = ok && repl_write_file(r, path, &out);
	if (ok)
		repl_printf(r, "Saved to file '%s'.\n", path);
	text_free(&out);
	text_free(&why);
	return ok;
}

/* Expressions that are shown at each stop. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "command/inspect.h"
#include "command/interpreter/answer.h"
#include "command/show/displays.h"

/* Shows a display as the list `displays`. */
static void display_show(struct interpreter *in, struct report *shown)
{
	struct report *const part = answer_part(in);
	report_list(part, "displays");
	report_move(part, NULL, shown);
	report_close(part);
	answer_part_end(in, part);
}

void displays_show(struct interpreter *in)
{
	struct report *const all = in->n_displays ? answer_part(in) : NULL;
	if (!all)
		return;
	report_list(all, "displays");
	for (size_t i = 0; i < in->n_displays; i++) {
		struct report *const one = report_create();
		struct text why = {0};
		/* a display that can't be evaluated here (a register of another kernel) stays silent, as in gdb */
		if (!in->displays[i].off && display_answer(in->dbg, in->displays[i].number, in->displays[i].args, one, &why))
			report_move(all, NULL, one);
		report_destroy(one);
		text_free(&why);
	}
	report_close(all);
	answer_part_end(in, all);
}

bool command_display(struct interpreter *in, const char *args)
{
	if (!*args) {
		displays_show(in);
		return true;
	}
	struct report *const shown = report_create();
	struct text why = {0};
	int number = in->last_display + 1;
	bool has_value = display_answer(in->dbg, number, args, shown, &why), ok = has_value || display_may_wait(in->dbg, args);
	if (has_value)
		display_show(in, shown);
	else if (ok) /* as gdb does before a program runs */
		interpreter_printf(in, "%d: %s = <error: %s>\n", number, args, text_str(&why));
	else
		interpreter_error(in, "%s", text_str(&why));
	report_destroy(shown);
	text_free(&why);
	if (!ok)
		return false;
	in->last_display = number;
	in->displays = xgrow(in->displays, &in->cap_displays, in->n_displays + 1, sizeof *in->displays);
	in->displays[in->n_displays++] = (struct display){.number = number, .args = xstrdup(args)};
	return true;
}

static bool change_one(struct interpreter *in, long number, enum display_change what)
{
	for (size_t i = 0; i < in->n_displays; i++) {
		if (in->displays[i].number != number)
			continue;
		in->displays[i].off = what == DISPLAY_DISABLE;
		if (what != DISPLAY_DROP)
			return true;
		free(in->displays[i].args);
		memmove(&in->displays[i], &in->displays[i + 1], (in->n_displays - i - 1) * sizeof *in->displays);
		in->n_displays--;
		return true;
	}
	return interpreter_error(in, "no display number %ld", number);
}

bool displays_change(struct interpreter *in, const char *args, enum display_change what)
{
	bool ok = true;
	for (size_t i = in->n_displays; !*args && i-- > 0;)
		change_one(in, in->displays[i].number, what);
	while (*args && ok) {
		char *end;
		long first = strtol(args, &end, 10), last = first;
		bool is_number = end != args;
		if (is_number && *end == '-' && isdigit((unsigned char)end[1]))
			last = strtol(end + 1, &end, 10);
		if (!is_number || first < 0 || last < first)
			return interpreter_error(in, "usage: undisplay [N | N-M]...");
		if (last > in->last_display)
			last = first > in->last_display ? first : in->last_display;
		for (long n = first; (ok = change_one(in, n, what)) && n < last;)
			n++;
		args = end + strspn(end, " \t,");
	}
	return ok;
}

bool command_undisplay(struct interpreter *in, const char *args) { return displays_change(in, args, DISPLAY_DROP); }

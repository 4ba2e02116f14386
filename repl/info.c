/* `info`: the subjects of src/debug, and what the prompt alone knows. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "command/inspect.h"
#include "repl/answer.h"
#include "repl/repl.h"

static bool info_display(struct repl *r, const char *args)
{
	if (*args)
		return repl_error(r, "usage: info display");
	struct report *const part = answer_part(r);
	report_say(part, r->n_displays ? "Auto-display expressions now in effect:\nNum Enb Expression\n" : "There are no auto-display expressions now.\n");
	report_list(part, "displays");
	for (size_t i = 0; i < r->n_displays; i++) {
		report_open(part, NULL);
		report_number(part, "number", (uint64_t)r->displays[i].number);
		report_flag(part, "enabled", !r->displays[i].off);
		report_look(part, r->displays[i].off ? "n" : "y");
		report_text(part, "display", r->displays[i].args);
		report_line(part, "{number}:   {enabled}  {display}\n");
		report_close(part);
	}
	report_close(part);
	answer_part_end(r, part);
	return true;
}

static bool info_checkpoints(struct repl *r, const char *args) { return answer_ask_history(r, history_info_checkpoints, args); }

const struct repl_info_row repl_info_rows[] = {
	{"checkpoints", "", "Moments that are kept, to go back to with `restart`", info_checkpoints},
	{"display", "", "The expressions shown at each stop", info_display},
};
const size_t repl_info_n = sizeof repl_info_rows / sizeof *repl_info_rows;

/* The prompt's own subject that the word abbreviates and none of src/debug, NULL if there is none. */
static const struct repl_info_row *own_row(const char *word, size_t n)
{
	for (size_t i = 0; i < debug_info_n; i++)
		if (!strncmp(debug_info_rows[i].name, word, n))
			return NULL;
	for (size_t i = 0; i < repl_info_n; i++)
		if (!strncmp(repl_info_rows[i].name, word, n))
			return &repl_info_rows[i];
	return NULL;
}

/* Where one of the prompt's own subjects may have been meant. */
static bool says_own(struct repl *r, const char *word, size_t n)
{
	struct nearest near;
	struct text which = {0};
	nearest_begin(&near, word, n);
	for (size_t i = 0; i < repl_info_n; i++)
		nearest_add(&near, repl_info_rows[i].name);
	nearest_suggest(&near, &which);
	if (which.n)
		repl_error(r, "no subject \"%.*s\"%s", (int)n, word, text_str(&which));
	text_free(&which);
	return nearest_meant(&near);
}

bool cmd_info(struct repl *r, const char *args)
{
	size_t n = strcspn(args, " \t/"); /* a format may follow at once: lanes/x */
	const char *rest = args + n + strspn(args + n, " \t");
	struct text why = {0};
	if (!n)
		return cmd_help(r, "info");
	const struct repl_info_row *own = own_row(args, n);
	if (own)
		return own->fn(r, rest);
	const struct debug_info_row *row = debug_info_find(debug_info_rows, debug_info_n, args, n, &why);
	if (!row && !says_own(r, args, n))
		repl_error(r, "%s", text_str(&why));
	text_free(&why);
	return row && answer_ask(r, row->fn, rest);
}

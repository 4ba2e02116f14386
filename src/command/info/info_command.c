/* `info`: the subjects of src/debug, and what the prompt alone knows. */
#include <string.h>

#include "base/nearest.h"
#include "command/info.h"
#include "command/inspect.h"
#include "command/interpreter/answer.h"
#include "command/interpreter/interpreter.h"
#include "command/running/running.h"

static bool info_display(struct interpreter *in, const char *args)
{
	if (*args)
		return interpreter_error(in, "usage: info display");
	struct report *const part = answer_part(in);
	report_say(part, in->n_displays ? "Auto-display expressions now in effect:\nNum Enb Expression\n" : "There are no auto-display expressions now.\n");
	report_list(part, "displays");
	for (size_t i = 0; i < in->n_displays; i++) {
		report_open(part, NULL);
		report_number(part, "number", (uint64_t)in->displays[i].number);
		report_flag(part, "enabled", !in->displays[i].off);
		report_look(part, in->displays[i].off ? "n" : "y");
		report_text(part, "display", in->displays[i].args);
		report_line(part, "{number}:   {enabled}  {display}\n");
		report_close(part);
	}
	report_close(part);
	answer_part_end(in, part);
	return true;
}

static bool answer_checkpoints(struct interpreter *in, const char *args) { return answer_ask_history(in, info_checkpoints, args); }

const struct info_own_row info_own_rows[] = {
	{"checkpoints", "", "Moments that are kept, to go back to with `restart`", answer_checkpoints},
	{"display", "", "The expressions shown at each stop", info_display},
};
const size_t info_own_n = sizeof info_own_rows / sizeof *info_own_rows;

/* The prompt's own subject that the word abbreviates and none of src/debug, NULL if there is none. */
static const struct info_own_row *own_row(const char *word, size_t n)
{
	for (size_t i = 0; i < info_n; i++)
		if (!strncmp(info_rows[i].name, word, n))
			return NULL;
	for (size_t i = 0; i < info_own_n; i++)
		if (!strncmp(info_own_rows[i].name, word, n))
			return &info_own_rows[i];
	return NULL;
}

/* Where one of the prompt's own subjects may have been meant. */
static bool says_own(struct interpreter *in, const char *word, size_t n)
{
	struct nearest near;
	struct text which = {0};
	nearest_begin(&near, word, n);
	for (size_t i = 0; i < info_own_n; i++)
		nearest_add(&near, info_own_rows[i].name);
	nearest_suggest(&near, &which);
	if (which.n)
		interpreter_error(in, "no subject \"%.*s\"%s", (int)n, word, text_str(&which));
	text_free(&which);
	return nearest_meant(&near);
}

/* Runs `help info`, which lists the subjects. */
static bool list_subjects(struct interpreter *in)
{
	struct text ignored = {0};
	const struct command *help = command_find(in, "help", 4, &ignored);
	text_free(&ignored);
	return help && help->own(in, "info");
}

bool command_info(struct interpreter *in, const char *args)
{
	size_t n = strcspn(args, " \t/"); /* a format may follow at once: lanes/x */
	const char *rest = args + n + strspn(args + n, " \t");
	struct text why = {0};
	if (!n)
		return list_subjects(in);
	const struct info_own_row *own = own_row(args, n);
	if (own)
		return own->fn(in, rest);
	const struct info_row *row = info_find(info_rows, info_n, args, n, &why);
	if (!row && !says_own(in, args, n))
		interpreter_error(in, "%s", text_str(&why));
	text_free(&why);
	return row && answer_ask(in, row->fn, rest);
}

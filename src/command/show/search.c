/* search, reverse-search: lines of a source by a regular expression. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"
#include "debug/ground/scan.h"
#include "command/inspect.h"
#include "command/state.h"
#include "debug/view/source.h"
#include "debug/view/view.h"

static bool line_matches(struct debug *d, const regex_t *re, uint32_t file, uint32_t line)
{
	size_t n;
	const char *s = debug_source_line(d, file, line, &n);
	char *copy = s ? xstrndup(s, n) : NULL;
	bool found = copy && !regexec(re, copy, 0, NULL, 0);
	free(copy);
	return found;
}

/* As in gdb from after the line listed last, or in front of it; what is found counts as listed, and $_ is its number. */
static bool search(struct debug *d, const char *args, bool back, struct report *answer, struct text *why)
{
	const char *pattern = scan_blanks(args);
	struct debug_position at;
	regex_t re;
	size_t n;
	if (d->list_goes_on)
		at = (struct debug_position){d->listing.file, back ? d->listing.first : d->listing.last};
	else if (!debug_default_position(d, &at))
		return debug_fail(why, "No symbol table is loaded.  Use the \"load\" command.");
	if (regcomp(&re, pattern, REG_NOSUB))
		return debug_fail(why, "Invalid regexp: %s", pattern);
	uint32_t lines = debug_source_lines(d, at.file), line = back ? at.line - 1 : at.line + 1;
	while (line && line <= lines && !line_matches(d, &re, at.file, line))
		line += back ? UINT32_MAX : 1;
	regfree(&re);
	if (!line || line > lines)
		return debug_fail(why, "Expression not found");
	const char *s = debug_source_line(d, at.file, line, &n);
	struct expr_value number;
	report_text(answer, "file", debug_file_name(d, at.file));
	report_list(answer, "lines");
	report_open(answer, NULL);
	report_number(answer, "line", line);
	report_textf(answer, "text", "%.*s", (int)n, s);
	debug_add_line(line, s, n, report_prose(answer));
	report_close(answer);
	report_close(answer);
	value_int(&number, ISA_S32, line);
	debug_variable_set(d, "_", &number);
	d->listing.file = d->listing.shown_file = at.file;
	d->listing.has_shown_file = true;
	d->listing.first = d->listing.last = line;
	d->list_goes_on = true;
	return true;
}

bool command_search(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return search(d, args, false, answer, why);
}

bool command_reverse_search(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	return search(d, args, true, answer, why);
}

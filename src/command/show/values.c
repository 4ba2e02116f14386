/* `show values`, `show convenience`. */
#include <stdio.h>

#include "command/inspect.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/ground/scan.h"

/* Adds a value with its name: `$NAME = VALUE`. */
static void describe_variable(struct debug *d, const char *name, const struct expr_value *v, struct report *answer)
{
	report_open(answer, NULL);
	report_text(answer, "name", name);
	value_type_describe(d, answer, "type", v);
	value_describe(d, answer, "value", v, NULL);
	report_line(answer, "${name} = {value}\n");
	report_close(answer);
}

bool show_values(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	int64_t around = 0;
	bool has = *scan_blanks(args) && *scan_blanks(args) != '+';
	if (has && !debug_eval_integer(d, args, &around, why))
		return false;
	int64_t n = (int64_t)debug_history_count(d), first = !has ? n - 9 : around > 5 ? around - 5 : 1;
	first = first < 1 ? 1 : first;
	const int64_t last = n - first < 10 ? n : first + 9;
	report_list(answer, "values");
	for (int64_t i = first; i <= last; i++) {
		char name[24];
		snprintf(name, sizeof name, "%lld", (long long)i);
		describe_variable(d, name, debug_history_at(d, (size_t)i - 1), answer);
	}
	report_close(answer);
	return true;
}

bool show_convenience(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	(void)args;
	(void)why;
	if (!debug_variable_count(d))
		report_say(answer, "No debugger convenience values now defined.\n");
	report_list(answer, "variables");
	for (size_t i = debug_variable_count(d); i-- > 0;)
		describe_variable(d, debug_variable_name(d, i), debug_variable_get(d, debug_variable_name(d, i)), answer);
	report_close(answer);
	return true;
}

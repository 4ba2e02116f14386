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

/* Adds one of the debugger's variables; without a thread in focus some have no value. */
static void describe_own(struct debug *d, const char *name, struct report *answer)
{
	struct expr_value v = {0};
	struct text expr = {0}, why = {0};
	text_addf(&expr, "$%s", name);
	if (debug_eval(d, text_str(&expr), &v, &why)) {
		describe_variable(d, name, &v, answer);
		expr_value_free(&v);
	} else {
		report_open(answer, NULL);
		report_text(answer, "name", name);
		report_text(answer, "error", text_str(&why));
		report_line(answer, "${name} = <error: {error}>\n");
		report_close(answer);
	}
	text_free(&expr);
	text_free(&why);
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
	const char *name;
	(void)args;
	(void)why;
	report_list(answer, "variables");
	for (size_t i = debug_variable_count(d); i-- > 0;)
		describe_variable(d, debug_variable_name(d, i), debug_variable_get(d, debug_variable_name(d, i)), answer);
	for (size_t k = 0; (name = expr_dollar_name(k)); k++)
		if (!debug_variable_get(d, name))
			describe_own(d, name, answer);
	report_close(answer);
	report_list(answer, "functions");
	for (size_t k = 0; (name = expr_dollar_function(k)); k++) {
		report_open(answer, NULL);
		report_text(answer, "name", name);
		report_line(answer, "${name} = <internal function {name}>\n");
		report_close(answer);
	}
	report_close(answer);
	return true;
}

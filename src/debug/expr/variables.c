/* User variables and the value history. */
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/expr/room.h"
#include "debug/expr/value.h"
#include "debug/expr/value_describe.h"
#include "debug/internal.h"
#include "debug/scan.h"
#include "debug/inspect.h"

uint32_t debug_history_add(struct debug *d, const struct expr_value *v)
{
	d->expr->history = xgrow(d->expr->history, &d->expr->cap_history, d->expr->n_history + 1, sizeof *d->expr->history);
	expr_value_copy(&d->expr->history[d->expr->n_history], v);
	return (uint32_t)++d->expr->n_history;
}

void debug_variable_set(struct debug *d, const char *name, const struct expr_value *v)
{
	size_t i = 0;
	while (i < d->expr->n_variables && strcmp(d->expr->variables[i].name, name))
		i++;
	struct expr_value copy;
	expr_value_copy(&copy, v);
	if (copy.place.kind != EXPR_MEMORY && copy.place.kind != EXPR_PC)
		copy.place = (struct expr_place){0};
	if (i == d->expr->n_variables) {
		d->expr->variables = xgrow(d->expr->variables, &d->expr->cap_variables, i + 1, sizeof *d->expr->variables);
		d->expr->variables[i] = (struct debug_variable){.name = xstrdup(name)};
		d->expr->n_variables++;
	}
	expr_value_free(&d->expr->variables[i].value);
	d->expr->variables[i].value = copy;
}

const struct expr_value *debug_variable_get(const struct debug *d, const char *name)
{
	for (size_t i = 0; i < d->expr->n_variables; i++)
		if (!strcmp(d->expr->variables[i].name, name))
			return &d->expr->variables[i].value;
	return NULL;
}

/* ---- all of them ---- */

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

bool debug_values_text(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	int64_t around = 0;
	bool has = *scan_blanks(args) && *scan_blanks(args) != '+';
	if (has && !debug_eval_integer(d, args, &around, why))
		return false;
	int64_t n = (int64_t)d->expr->n_history, first = !has ? n - 9 : around > 5 ? around - 5 : 1;
	first = first < 1 ? 1 : first;
	const int64_t last = n - first < 10 ? n : first + 9;
	report_list(answer, "values");
	for (int64_t i = first; i <= last; i++) {
		char name[24];
		snprintf(name, sizeof name, "%lld", (long long)i);
		describe_variable(d, name, &d->expr->history[i - 1], answer);
	}
	report_close(answer);
	return true;
}

bool debug_convenience_text(struct debug *d, const char *args, struct report *answer, struct text *why)
{
	(void)args;
	(void)why;
	if (!d->expr->n_variables)
		report_say(answer, "No debugger convenience values now defined.\n");
	report_list(answer, "variables");
	for (size_t i = d->expr->n_variables; i-- > 0;)
		describe_variable(d, d->expr->variables[i].name, &d->expr->variables[i].value, answer);
	report_close(answer);
	return true;
}

size_t debug_variable_count(const struct debug *d) { return d->expr->n_variables; }
const char *debug_variable_name(const struct debug *d, size_t i) { return d->expr->variables[i].name; }

const struct expr_value *debug_history_last(const struct debug *d)
{
	return d->expr->n_history ? &d->expr->history[d->expr->n_history - 1] : NULL;
}

/* User variables and the value history. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/show/inspect.h"
#include "debug/internal.h"

uint32_t debug_history_add(struct debug *d, const struct expr_value *v)
{
	d->history = xgrow(d->history, &d->cap_history, d->n_history + 1, sizeof *d->history);
	expr_value_copy(&d->history[d->n_history], v);
	return (uint32_t)++d->n_history;
}

void debug_variable_set(struct debug *d, const char *name, const struct expr_value *v)
{
	size_t i = 0;
	while (i < d->n_variables && strcmp(d->variables[i].name, name))
		i++;
	struct expr_value copy;
	expr_value_copy(&copy, v);
	if (copy.place.kind != EXPR_MEMORY && copy.place.kind != EXPR_PC)
		copy.place = (struct expr_place){0};
	if (i == d->n_variables) {
		d->variables = xgrow(d->variables, &d->cap_variables, i + 1, sizeof *d->variables);
		d->variables[i] = (struct debug_variable){.name = xstrdup(name)};
		d->n_variables++;
	}
	expr_value_free(&d->variables[i].value);
	d->variables[i].value = copy;
}

const struct expr_value *debug_variable_get(const struct debug *d, const char *name)
{
	for (size_t i = 0; i < d->n_variables; i++)
		if (!strcmp(d->variables[i].name, name))
			return &d->variables[i].value;
	return NULL;
}

/* ---- all of them ---- */

bool debug_values_text(struct debug *d, const char *args, struct text *out, struct text *why)
{
	int64_t around = 0;
	bool has = *scan_blanks(args) && *scan_blanks(args) != '+';
	if (has && !debug_eval_integer(d, args, &around, why))
		return false;
	int64_t n = (int64_t)d->n_history, first = !has ? n - 9 : around > 5 ? around - 5 : 1;
	first = first < 1 ? 1 : first;
	const int64_t last = n - first < 10 ? n : first + 9;
	for (int64_t i = first; i <= last; i++) {
		text_addf(out, "$%lld = ", (long long)i);
		format_value(d, &d->history[i - 1], NULL, out);
		text_addc(out, '\n');
	}
	return true;
}

bool debug_convenience_text(struct debug *d, const char *args, struct text *out, struct text *why)
{
	(void)args;
	(void)why;
	if (!d->n_variables)
		text_add(out, "No debugger convenience values now defined.\n");
	for (size_t i = d->n_variables; i-- > 0;) {
		text_addf(out, "$%s = ", d->variables[i].name);
		format_value(d, &d->variables[i].value, NULL, out);
		text_addc(out, '\n');
	}
	return true;
}

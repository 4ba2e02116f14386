/* User variables and the value history. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/room.h"
#include "debug/expr/value.h"
#include "debug/ground/ground.h"

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

void debug_variable_forget(struct debug *d, const char *name)
{
	struct debug_variable *v = d->expr->variables, *end = v + d->expr->n_variables;
	while (v < end && strcmp(v->name, name))
		v++;
	if (v == end)
		return;
	free(v->name);
	expr_value_free(&v->value);
	memmove(v, v + 1, (size_t)(end - v - 1) * sizeof *v);
	d->expr->n_variables--;
}

const struct expr_value *debug_variable_get(const struct debug *d, const char *name)
{
	for (size_t i = 0; i < d->expr->n_variables; i++)
		if (!strcmp(d->expr->variables[i].name, name))
			return &d->expr->variables[i].value;
	return NULL;
}

size_t debug_variable_count(const struct debug *d) { return d->expr->n_variables; }
const char *debug_variable_name(const struct debug *d, size_t i) { return d->expr->variables[i].name; }

size_t debug_history_count(const struct debug *d) { return d->expr->n_history; }
const struct expr_value *debug_history_at(const struct debug *d, size_t i) { return &d->expr->history[i]; }

const struct expr_value *debug_history_last(const struct debug *d)
{
	return d->expr->n_history ? &d->expr->history[d->expr->n_history - 1] : NULL;
}

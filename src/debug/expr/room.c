/* The room is made, and emptied. */
#include "debug/expr/room.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/rooms.h"

const struct expr_value *expr_examined(const struct debug *d) { return d->expr->has_examined ? &d->expr->examined : NULL; }

void expr_set_examined(struct debug *d, const struct expr_value *v)
{
	expr_value_free(&d->expr->examined);
	d->expr->examined = *v;
	d->expr->has_examined = true;
}

void expr_room_create(struct debug *d)
{
	d->expr = xcalloc(1, sizeof *d->expr);
}

void expr_room_free(struct debug *d)
{
	struct expr_room *e = d->expr;
	expr_value_free(&e->examined);
	for (size_t i = 0; i < e->n_history; i++)
		expr_value_free(&e->history[i]);
	free(e->history);
	for (size_t i = 0; i < e->n_variables; i++) {
		free(e->variables[i].name);
		expr_value_free(&e->variables[i].value);
	}
	free(e->variables);
	free(e->accessed);
	free(d->expr);
}

/* The room is made, and emptied. */
#include "debug/show/room.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/rooms.h"
#include "debug/show/show.h"

const struct expr_value *show_examined(const struct debug *d, bool *valid)
{
	*valid = d->show->x_valid;
	return &d->show->x_last;
}

void show_forget_files(struct debug *d) { d->list_goes_on = d->show->has_shown_file = false; }

void show_stopped_in(struct debug *d, uint32_t file)
{
	d->show->shown_file = file;
	d->show->has_shown_file = true;
}

bool show_last_file(const struct debug *d, bool *listed, uint32_t *file)
{
	const struct show_room *s = d->show;
	*listed = d->list_goes_on;
	*file = d->list_goes_on ? s->list_file : s->shown_file;
	return d->list_goes_on || s->has_shown_file;
}

void show_room_create(struct debug *d)
{
	d->show = xcalloc(1, sizeof *d->show);
	d->show->x_spec = (struct format_spec){.format = 'x', .unit = 'w', .count = 1};
}

void show_room_free(struct debug *d)
{
	expr_value_free(&d->show->x_last);
	free(d->show);
}

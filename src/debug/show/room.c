/* The room is made, and emptied. */
#include "debug/show/room.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"
#include "debug/rooms.h"

void show_room_create(struct debug *d)
{
	d->show = xcalloc(1, sizeof *d->show);
	d->show->x_spec = (struct format_spec){.format = 'x', .unit = 'w', .count = 1};
}

void show_room_free(struct debug *d)
{
	free(d->show);
}

/* The room is made, and emptied. */
#include "debug/setup/room.h"
#include "debug/setup/launches.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/rooms.h"

void setup_room_create(struct debug *d)
{
	d->setup = xcalloc(1, sizeof *d->setup);
	d->complete_input = debug_launch_input;
}

void setup_room_free(struct debug *d)
{
	text_free(&d->setup->structs);
	launches_free(d);
	free(d->setup);
}

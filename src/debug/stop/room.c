/* The room is made, and emptied. */
#include "debug/stop/room.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/rooms.h"
#include "debug/stop/stop.h"

void stop_forget_launches(struct debug *d)
{
	watch_forget_launches(d);
	d->stop->n_stood = d->stop->next_stood = 0;
	debug_marks_changed(d);
}

void stop_room_create(struct debug *d)
{
	d->stop = xcalloc(1, sizeof *d->stop);
}

void stop_room_free(struct debug *d)
{
	while (d->stop->n_bps)
		breakpoint_drop(d, d->stop->bps[d->stop->n_bps - 1]);
	free(d->stop->bps);
	text_free(&d->stop->program.call);
	text_free(&d->stop->program.name);
	free(d->stop->last_launch);
	launch_name_free(&d->stop->until.name);
	exec_unwatch(gpu_exec(d->g), &d->stop->watcher);
	free(d->stop->ranges);
	free(d->stop);
}

/* A debugger: made, ended, and what a new program changes for it. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/csource/die.h"
#include "debug/ground/ground.h"
#include "debug/rooms.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launches.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

static size_t find_locals(void *self, const struct isa_function *f, struct check_local *out, size_t cap)
{
	return cnames_frame_objects(self, f, out, cap);
}

struct debug *debug_create(struct gpu *g, const struct debug_host *host)
{
	struct debug *d = xcalloc(1, sizeof *d);
	d->g = g;
	d->check = check_create(g);
	check_set_locals(d->check, &(struct check_locals){d, find_locals});
	if (host)
		d->host = *host;
	d->settings = (struct debug_settings){.lines = DEBUG_LINES_AUTO,
					      .print_elements = 200,
					      .print_repeats = 10,
					      .list_lines = 10,
					      .table_rows = 1000,
					      .demangle = true,
					      .print_address = true};
	d->has_names = die_present;
	d->scopes_of = cnames_function;
	buffers_room_create(d);
	view_room_create(d);
	expr_room_create(d);
	stop_room_create(d);
	setup_room_create(d);
	gpu_program(g)->refuse = debug_refuse_variable;
	gpu_program(g)->refuse_self = d;
	gpu_name_places(g, debug_name_place, d);
	return d;
}

void debug_destroy(struct debug *d)
{
	if (!d)
		return;
	DEBUG_HOOK(d, destroy);
	stop_room_free(d);
	setup_room_free(d);
	expr_room_free(d);
	view_room_free(d);
	debug_stop_free(&d->last);
	debug_core_forget(d);
	buffers_room_free(d);
	check_destroy(d->check);
	cnames_free(d);
	gpu_destroy(d->g);
	free(d);
}

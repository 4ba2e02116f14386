/* The room is made, and emptied. */
#include "debug/perf/machine_fields.h"
#include "debug/perf/trace.h"
#include "debug/perf/room.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/perf/dump_internal.h"
#include "debug/rooms.h"

void perf_forget(struct debug *d)
{
	struct perf_room *p = d->perf;
	observer_forget(d);
	observer_attach(d);
	p->has_access = false;
	p->trace.n = 0;
	if (p->trace.executed)
		memset(p->trace.executed, 0, p->trace.cap * sizeof *p->trace.executed);
}

void perf_forget_launches(struct debug *d) { observer_attach(d); }

void perf_room_create(struct debug *d)
{
	d->perf = xcalloc(1, sizeof *d->perf);
	d->allocated = trace_allocated;
	d->fields = &perf_fields;
	observer_create(d);
}

void perf_room_follow(struct debug *d)
{
	if (d->perf->observer)
		d->perf->observer->t = gpu_timing(d->g);
}

void perf_room_free(struct debug *d)
{
	free(d->perf->trace.executed);
	observer_free(d);
	free(d->perf);
}

/* What gdb believes of lanes: its beginning and end, and what others may ask. */
#include "gdbstub/lanes/lanes.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/room.h"

struct lanes *lanes_create(const struct lanes_machine *m, const struct lanes_client *c, struct stub *s)
{
	struct lanes *l = xcalloc(1, sizeof *l);
	l->m = m;
	l->c = c;
	l->self = s;
	return l;
}

void lanes_destroy(struct lanes *l)
{
	queue_clear(l);
	free(l->queued);
	timelines_free(&l->t);
	text_free(&l->moved_text);
	free(l);
}

/* ---- asking ---- */

bool lanes_needs_snapshot(const struct lanes *l, uint64_t first_uid, uint64_t executed)
{
	for (size_t i = 0; i < l->t.n_hits; i++)
		if (l->t.hits[i].first == first_uid && l->t.hits[i].executed == executed)
			return true;
	for (unsigned lane = 0; lane < LANES; lane++) {
		const struct timeline *line = timeline_of(&l->t, first_uid + lane);
		for (size_t i = 0; line && i < line->n; i++)
			if (line->places[i].kind == PLACE_LEFT && line->places[i].executed == executed)
				return true;
	}
	return false;
}

/* ---- what happens besides ---- */

void lanes_client_end(struct lanes *l) { stale_drop(l); }

void lanes_interrupt(struct lanes *l) { l->interrupt_pending = true; }
void lanes_set_break_mode(struct lanes *l, enum break_mode mode) { l->mode = mode; }

void lanes_forget_places(struct lanes *l)
{
	stale_drop(l);
	hits_clear(l);
	queue_clear(l);
}

void lanes_forget(struct lanes *l)
{
	lanes_forget_places(l);
	l->deferred = l->pretended = l->stepped = l->command_steps = l->selected = l->checked.n = 0;
	l->reported_watch.kind = EVENT_NONE;
	l->was_moved = l->is_move_reported = l->interrupt_pending = false;
}

void lanes_note_moved(struct lanes *l, const char *text)
{
	l->was_moved = true;
	l->is_move_reported = false;
	l->deferred = 0;
	hits_clear(l); /* what was still to be reported would be seen where it was */
	text_clear(&l->moved_text);
	text_add(&l->moved_text, text);
}

const char *lanes_broken(const struct lanes *l)
{
	const char *why = timelines_broken(&l->t);
	const struct place *p = l->deferred ? timeline_first(&l->t, l->deferred) : NULL;
	if (l->deferred && (!p || p->kind != PLACE_AHEAD))
		why = "a step is deferred, and its thread isn't shown after it";
	if (l->is_elsewhere)
		why = "the machine has stopped for a thread that is shown somewhere else";
	for (size_t i = 0; i < l->t.n_hits && !why; i++) {
		const struct hit *h = &l->t.hits[i];
		struct machine_lane at;
		if (l->m->lane(l->self, h->first, &at) && at.executed != UINT64_MAX && h->executed > at.executed)
			why = "a hit where the machine hasn't been";
	}
	return why;
}

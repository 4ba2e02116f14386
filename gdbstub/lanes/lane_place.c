/* Where gdb sees a lane, and where the machine has it. */
#include "gdbstub/lanes/room.h"

bool lanes_find(const struct lanes *l, uint64_t tid, struct machine_lane *out)
{
	uint64_t uid = l->m->uid(l->self, tid);
	return uid && l->m->lane(l->self, uid, out);
}

bool place_is_left(const struct lanes *l, uint64_t uid, const struct place *p)
{
	struct machine_lane now;
	if (p->kind == PLACE_AHEAD || !l->m->lane(l->self, uid, &now) || now.executed != p->executed)
		return true;
	return p->kind == PLACE_LEFT && now.pc != p->pc; /* it has entered its kernel */
}

struct place *lane_place(const struct lanes *l, uint64_t uid)
{
	struct place *p = timeline_first(&l->t, uid);
	return p && place_is_left(l, uid, p) ? p : NULL;
}

struct machine_lane lane_in_machine(const struct lanes *l, uint64_t uid)
{
	struct machine_lane at = {.executed = UINT64_MAX};
	if (uid)
		l->m->lane(l->self, uid, &at);
	return at;
}

void lane_drop_place(struct lanes *l, uint64_t uid)
{
	timeline_drop_first(&l->t, uid);
	l->m->invalidate_views(l->self);
}

bool lanes_see(const struct lanes *l, uint64_t uid, struct lanes_seen *out)
{
	const struct place *p = l->peek.uid == uid ? l->peek.place : lane_place(l, uid);
	if (p)
		*out = (struct lanes_seen){p->pc, p->sp, p->kind == PLACE_AHEAD ? UINT64_MAX : p->executed};
	return p;
}

bool place_holds(struct lanes *l, uint64_t uid, const struct place *p)
{
	l->peek.uid = uid;
	l->peek.place = p;
	l->m->invalidate_views(l->self);
	const bool holds = l->m->condition_holds(l->self, uid, p->pc, true);
	l->peek.uid = 0;
	l->m->invalidate_views(l->self);
	return holds;
}

bool stop_own_point(const struct lanes *l, const struct debug_stop *stop, struct machine_point *out)
{
	for (uint32_t i = 0; i < stop->n_hits; i++)
		if (l->m->point(l->self, stop->hits[i], out))
			return true;
	return false;
}

bool lane_has_not_been_at(const struct lanes *l, uint64_t uid, uint64_t executed)
{
	const struct seen_warp *w = &l->back_from;
	return l->was_backwards && uid - w->first < w->n && w->executed[w->uid - w->first] < executed &&
	       w->executed[uid - w->first] < executed;
}

/* Places that the machine leaves. When gdb steps one lane alone, the other lanes of its warp move too, but gdb keeps what it has read of them. Each
 * of these lanes gets a place where it was. A later step of the lane drops the place and executes nothing; a resume of all threads drops them
 * all. Registers at such a place come from a snapshot (threads/snapshot.c). Lanes of other warps get places if gdb has read their pc. */
#include "gdbstub/lanes/room.h"

/* Returns those of `lanes` that have places already. */
static uint32_t with_places(struct lanes *l, const struct machine_lane *of, uint32_t lanes)
{
	uint32_t found = 0;
	LANES_EACH (lane, lanes)
		if (timeline_of(&l->t, of->first + lane))
			found |= lanes_bit(lane);
	return found;
}

/* Puts a place in front of each of these lanes' timelines. They have the same activations as `at`. */
static void put_places(struct lanes *l, const struct machine_lane *at, uint32_t lanes)
{
	uint64_t sp = l->m->sp(l->self, at->uid);
	LANES_EACH (lane, lanes) {
		uint64_t uid = at->first + lane;
		const struct place p = {.kind = PLACE_LEFT,
					.pc = at->pc,
					.sp = sp + (uid - at->uid) * l->m->stride,
					.executed = at->executed,
					.was_waiting = at->is_waiting,
					.at_launch = at->at_launch};
		timeline_put_first(&l->t, at, uid, &p);
	}
}

/* Adds places for all lanes of a warp except `but`, and takes a snapshot of their registers. */
static void add_warp(struct lanes *l, const struct machine_lane *warp, uint32_t but)
{
	uint32_t left = warp->live & ~but & ~with_places(l, warp, warp->live & ~but);
	struct machine_lane at;
	if (left)
		l->m->take_snapshot(l->self, warp->uid);
	while (left) {
		uint64_t uid = warp->first + lanes_first(left);
		uint32_t alike = (l->m->lanes_together(l->self, uid) | lanes_bit(lanes_first(left))) & left;
		left &= ~alike;
		if (l->m->lane(l->self, uid, &at) && !at.exited)
			put_places(l, &at, alike);
	}
}

/* Adds places for the warps whose lanes' pc gdb has read, and keeps while it resumes another thread. */
static void add_read_threads(struct lanes *l, const struct machine_lane *but)
{
	struct machine_lane at;
	uint64_t tid;
	size_t i = 0;
	while (l->m->next_read_thread(l->self, &i, &tid))
		if (lanes_find(l, tid, &at) && !at.exited && at.first != but->first && !timeline_of(&l->t, at.uid))
			add_warp(l, &at, 0);
}

/* Takes a snapshot for each warp that stands at a hit: the machine is going to run. */
static void snapshot_hits(struct lanes *l)
{
	struct machine_lane at;
	for (size_t i = 0; i < l->t.n_hits; i++) {
		const struct hit *h = &l->t.hits[i];
		if (timelines_lanes_of(&l->t, h, false) && l->m->lane(l->self, h->first, &at) &&
		    at.executed == h->executed)
			l->m->take_snapshot(l->self, h->first);
	}
}

void stale_add(struct lanes *l, uint64_t uid)
{
	struct machine_lane at;
	if (!l->m->lane(l->self, uid, &at))
		return;
	add_warp(l, &at, lanes_bit(at.lane));
	add_read_threads(l, &at);
	snapshot_hits(l);
	l->m->invalidate_views(l->self);
}

/* Returns true if the lane is still where its place says: it waits for the other side of a branch, or its warp hasn't had a turn. */
static bool is_unmoved(void *self, uint64_t uid, const struct place *p)
{
	struct lanes *l = self;
	struct machine_lane now;
	if (p->kind != PLACE_LEFT || !l->m->lane(l->self, uid, &now) || now.exited)
		return false;
	uint64_t ran = now.executed - p->executed;
	if ((ran && !p->was_waiting) || now.pc != p->pc || l->m->sp(l->self, uid) != p->sp)
		return false;
	return ran <= 1 || l->m->same_registers(l->self, uid, p->sp);
}

void stale_trim(struct lanes *l)
{
	timelines_drop(&l->t, is_unmoved, l);
	l->m->invalidate_views(l->self);
}

static bool is_no_hit(void *self, uint64_t uid, const struct place *p)
{
	(void)self;
	(void)uid;
	return p->kind != PLACE_HIT;
}

void stale_drop(struct lanes *l)
{
	timelines_drop(&l->t, is_no_hit, NULL);
	l->deferred = 0;
	if (!l->t.n_hits)
		l->m->drop_unneeded_snapshots(l->self);
	l->m->invalidate_views(l->self);
}

/* Places at which lanes have hit a breakpoint.
 *
 * A breakpoint that a whole warp reaches is one stop, reported for one lane. If gdb continues without having shown it to its user (its own
 * condition was false for that lane, or it was waiting for another one) it is reported for the other lanes in their turn; with `monitor
 * break lane` all of them are, also if the warp, or another one, has gone on meanwhile because gdb stepped a thread by itself. What is still to
 * be reported are places that aren't: a lane stays at its first one until gdb steps it off there. */
#include "gdbstub/lanes/room.h"

static bool warp_is_at(const struct lanes *l, const struct hit *h)
{
	struct machine_lane at;
	return l->m->lane(l->self, h->first, &at) && at.executed == h->executed;
}

/* Drops all hits, or those that warps have left (`left`), or of these only the ones that no lane is at. */
static void drop_hits(struct lanes *l, bool all, bool left)
{
	for (size_t i = l->t.n_hits; i--;) {
		struct hit *h = &l->t.hits[i];
		if (all || (!warp_is_at(l, h) && (left || !timelines_lanes_of(&l->t, h, false))))
			timelines_drop_hit(&l->t, h);
	}
	l->m->drop_unneeded_snapshots(l->self);
	l->m->invalidate_views(l->self);
}

void hits_clear(struct lanes *l) { drop_hits(l, true, true); }
void hits_drop_deleted(struct lanes *l)
{
	for (size_t i = l->t.n_hits; i--;)
		if (!l->m->has_breakpoint(l->self, l->t.hits[i].pc)) {
			timelines_drop_hit(&l->t, &l->t.hits[i]);
			l->m->invalidate_views(l->self);
		}
}

/* Returns the lanes of the hit's warp whose hits are reported now. */
static uint32_t reportable(const struct lanes *l, const struct hit *h)
{
	return l->m->reportable_lanes(l->self, h->first, h->n, h->pc);
}

void hits_clear_for_run(struct lanes *l)
{
	for (size_t i = l->t.n_hits; i--;) {
		struct hit *h = &l->t.hits[i];
		if (!(timelines_lanes_of(&l->t, h, false) & ~reportable(l, h)))
			timelines_drop_hit(&l->t, h);
	}
	l->m->drop_unneeded_snapshots(l->self);
	l->m->invalidate_views(l->self);
}
void hits_clear_left(struct lanes *l) { drop_hits(l, false, true); }

/* ---- what was hit ---- */

static void put_hit(struct lanes *l, const struct hit *h, const struct machine_lane *at, uint64_t uid, uint64_t sp,
		    bool reported)
{
	const struct place p = {.kind = PLACE_HIT,
				.pc = h->pc,
				.sp = sp + (uid - at->uid) * l->m->stride,
				.executed = h->executed,
				.hit = h->number,
				.reported = reported};
	timeline_hit(&l->t, at, uid, &p);
}

/* Returns the lanes whose condition is true with `monitor break lane`, else all: gdb looks at conditions itself. */
static uint32_t lanes_that_hit(struct lanes *l, const struct machine_lane *at)
{
	uint32_t lanes = 0;
	if (l->mode != BREAK_LANE)
		return at->active;
	LANES_EACH (lane, at->active)
		if (l->m->condition_holds(l->self, at->first + lane, at->code_pc, false))
			lanes |= lanes_bit(lane);
	return lanes;
}

/* Returns the hit where the warp stands, which is added if need be. A hit without lanes stays while its warp is at that place, so that no lane hits
 * it twice. */
static struct hit *find_or_add(struct lanes *l, const struct machine_lane *at)
{
	struct hit *h = timelines_hit_at(&l->t, at->first, at->executed);
	if (h || !at->can_run)
		return h;
	uint64_t sp = l->m->sp(l->self, at->uid);
	h = timelines_add_hit(&l->t, at, at->code_pc);
	LANES_EACH (lane, lanes_that_hit(l, at))
		put_hit(l, h, at, at->first + lane, sp, false);
	l->m->invalidate_views(l->self);
	return h;
}

void hits_add_reported(struct lanes *l, const struct machine_lane *at)
{
	drop_hits(l, false, false);
	struct hit *h = find_or_add(l, at);
	if (!h)
		return;
	struct place *p = timeline_find_hit(&l->t, at->uid, h->number);
	if (p)
		p->reported = true;
	else
		put_hit(l, h, at, at->uid, l->m->sp(l->self, at->uid), true);
	h->reported = true;
	l->reported_hit = h->number;
}

void hits_add_later(struct lanes *l, const struct machine_lane *at)
{
	if (find_or_add(l, at))
		l->m->take_snapshot(l->self, at->uid);
}

/* ---- reporting ---- */

/* Says on gdb's console that the machine has run on from a hit, once for each stop that the user is shown: gdb may pass over hundreds. */
static void say_gone_on(struct lanes *l, struct hit *h, uint64_t uid)
{
	struct text out = {0};
	if (h->is_said || l->said_gone_on || warp_is_at(l, h))
		return;
	h->is_said = l->said_gone_on = true;
	text_addf(&out,
		  "warpstep: the warp of thread %llu has gone on meanwhile: registers are as they were here, memory is "
		  "as it is now\n",
		  (unsigned long long)l->m->tid(l->self, uid));
	l->c->say(l->self, text_str(&out));
	text_free(&out);
}

/* Reports a hit for a lane. Places of the lane before it are dropped. */
static void report_lane(struct lanes *l, struct hit *h, uint64_t uid)
{
	struct place *p = timeline_find_hit(&l->t, uid, h->number);
	while (p != timeline_first(&l->t, uid)) {
		timeline_drop_first(&l->t, uid);
		p = timeline_find_hit(&l->t, uid, h->number);
	}
	p->reported = h->reported = true;
	say_gone_on(l, h, uid);
	l->m->invalidate_views(l->self);
	l->m->note_entered(l->self, uid);
	l->m->set_focus(l->self, uid);
	lanes_report(l, 5, l->m->tid(l->self, uid), EVENT_BREAKPOINT);
	l->reported_hit = h->number;
	l->is_shown = false;
}

void hits_note_resume(struct lanes *l)
{
	struct hit *h = l->is_shown ? timelines_find_hit(&l->t, l->reported_hit) : NULL;
	if (h)
		h->is_shown = true;
	l->reported_hit = 0;
}

/* Returns the lanes for which a hit is still to be reported. Once the user has seen it there are none, except with `monitor break lane`. */
static uint32_t unreported_lanes(const struct lanes *l, const struct hit *h)
{
	bool more = !h->reported || l->mode == BREAK_LANE || (l->mode == BREAK_AUTO && !h->is_shown);
	return more ? timelines_lanes_of(&l->t, h, true) : 0;
}

/* Returns the lane to report: the user's if it is among them, else the one for which the machine stopped, else the lowest. */
static unsigned preferred(const struct lanes *l, const struct hit *h, uint32_t lanes)
{
	struct machine_lane at;
	if (h->reported)
		return lanes_first(lanes);
	if (lanes_find(l, l->preferred, &at) && at.first == h->first && lanes & lanes_bit(at.lane))
		return at.lane;
	return lanes & lanes_bit(h->found) ? h->found : lanes_first(lanes);
}

/* Returns the lane for which the hit is reported next, LANES if there is none. */
static unsigned next_lane(struct lanes *l, const struct hit *h)
{
	uint32_t lanes = unreported_lanes(l, h);
	if (lanes)
		lanes &= reportable(l, h);
	while (lanes) {
		const unsigned lane = preferred(l, h, lanes);
		const uint64_t uid = h->first + lane;
		if (!lane_has_not_been_at(l, uid, h->executed) &&
		    place_holds(l, uid, timeline_find_hit(&l->t, uid, h->number)))
			return lane;
		lanes &= ~lanes_bit(lane);
	}
	return LANES;
}

bool hits_report(struct lanes *l)
{
	for (size_t i = 0; i < l->t.n_hits;) {
		struct hit *h = &l->t.hits[i];
		struct machine_lane at;
		unsigned lane;
		if (!l->m->is_inserted(l->self, h->pc)) {
			timelines_drop_hit(&l->t, h);
			l->m->invalidate_views(l->self);
		} else if ((lane = next_lane(l, h)) < LANES && l->m->lane(l->self, h->first, &at)) {
			stale_drop(l); /* it is there now, whatever gdb believed */
			report_lane(l, h, h->first + lane);
			return true;
		} else {
			i++;
		}
	}
	return false;
}

/* Returns true if the hit is to be reported for the lane. `comes`: gdb sees the lane arrive there now. */
static bool is_for(struct lanes *l, const struct hit *h, const struct place *p, uint64_t uid, bool comes)
{
	const bool is_new = l->mode == BREAK_LANE ? comes || !p->reported : !h->reported; /* else once for the warp */
	return is_new && place_holds(l, uid, p);
}

static bool is_due(struct lanes *l, uint64_t uid, bool comes)
{
	const struct place *p = timeline_first(&l->t, uid);
	const struct hit *h = p && p->kind == PLACE_HIT ? timelines_find_hit(&l->t, p->hit) : NULL;
	return h && is_for(l, h, p, uid, comes) && l->m->is_inserted(l->self, h->pc);
}

bool hits_would_report(struct lanes *l, uint64_t uid) { return is_due(l, uid, true); }

bool hits_report_own(struct lanes *l, uint64_t uid, bool comes)
{
	if (!is_due(l, uid, comes))
		return false;
	report_lane(l, timelines_find_hit(&l->t, timeline_first(&l->t, uid)->hit), uid);
	return true;
}

/* ---- moving on ---- */

void hits_mark_found(struct lanes *l, uint64_t uid)
{
	struct place *p = timeline_first(&l->t, uid);
	struct hit *h = p && p->kind == PLACE_HIT ? timelines_find_hit(&l->t, p->hit) : NULL;
	if (h && (l->mode == BREAK_LANE || place_holds(l, uid, p)))
		p->reported = h->reported = true;
}

void hits_step_off(struct lanes *l, uint64_t uid)
{
	struct hit *h = timelines_find_hit(&l->t, timeline_first(&l->t, uid)->hit);
	if (l->mode != BREAK_LANE && h->reported && l->is_shown)
		h->is_shown = true; /* its user has seen the hit: it isn't reported for the other lanes */
	if (h->reported && !l->is_shown)
		l->m->note_passed(l->self, uid, h->pc);
	lane_drop_place(l, uid);
}

struct leaving {
	struct lanes *l;
	uint64_t uid;
};

static bool has_not_hit(void *self, uint64_t uid, const struct place *p)
{
	const struct leaving *x = self;
	if (uid != x->uid || p->kind != PLACE_HIT || p->reported)
		return false;
	const struct lanes_machine *m = x->l->m;
	return x->l->mode != BREAK_LANE || (!place_is_left(x->l, uid, p) && !m->is_inserted(x->l->self, p->pc));
}

void hits_drop_unreported(struct lanes *l, uint64_t uid)
{
	timelines_drop(&l->t, has_not_hit, &(struct leaving){l, uid});
	l->m->invalidate_views(l->self);
}

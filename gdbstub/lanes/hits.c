/* Breakpoints that warps have hit, and which of their lanes gdb has heard of it.
 *
 * A breakpoint that a whole warp reaches is one stop, reported for one lane. If gdb goes on without having shown it to its user (its own
 * condition was false for that lane, or it was waiting for another one) it is reported for the other lanes in their turn; with `monitor
 * break lane` all of them are, also if the warp, or another one, has gone on meanwhile because gdb stepped a thread by itself.
 *
 * A lane is where it was reported, or is going to be reported, to have hit something, until gdb steps it off there: then it is at its next
 * hit, or where the machine has it. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"

void hits_clear(struct stub *s)
{
	s->n_hits = 0;
	if (!s->n_stale)
		snapshots_drop_unused(s);
	view_forget(s);
}

void hits_clear_left(struct stub *s)
{
	size_t kept = 0;
	struct debug_where w;
	for (size_t i = 0; i < s->n_hits; i++)
		if (debug_thread_where(s->d, &s->hits[i].warp, &w) && hits_stand(&s->hits[i], &w))
			s->hits[kept++] = s->hits[i];
	s->n_hits = kept;
	snapshots_drop_unused(s);
	view_forget(s);
}

void hits_free(struct stub *s)
{
	hits_clear(s);
	free(s->hits);
}

static bool is_of_warp(const struct hit *h, const struct debug_where *w)
{
	return w->thread.launch == h->warp.launch && w->thread.cta == h->warp.cta &&
	       w->warp_index * LANES == h->warp.thread;
}

bool hits_stand(const struct hit *h, const struct debug_where *w)
{
	return is_of_warp(h, w) && debug_executed(w) == h->executed;
}

static struct hit *find_standing(struct stub *s, const struct debug_where *w)
{
	for (size_t i = 0; i < s->n_hits; i++)
		if (hits_stand(&s->hits[i], w))
			return &s->hits[i];
	return NULL;
}

/* The first hit that a lane hasn't been stepped off. */
static struct hit *find_first(struct stub *s, const struct debug_where *w)
{
	for (size_t i = 0; i < s->n_hits; i++)
		if (is_of_warp(&s->hits[i], w) && s->hits[i].lanes & ~s->hits[i].over & lanes_bit(w->lane))
			return &s->hits[i];
	return NULL;
}

/* ---- what was hit ---- */

/* Lanes for which a condition of the breakpoint is true, or all: gdb looks at conditions itself. */
static uint32_t lanes_that_hit(struct stub *s, const struct debug_where *w, uint64_t pc)
{
	uint32_t active = w->w ? debug_active_lanes(s->d, w) : thread_live_lanes(w), lanes = 0;
	if (s->break_mode != BREAK_LANE)
		return active;
	LANES_EACH (lane, active)
		if (points_hold(s, thread_tid(s, w->uid - w->lane + lane), pc))
			lanes |= lanes_bit(lane);
	return lanes;
}

static void drop_done(struct stub *s)
{
	size_t kept = 0;
	struct debug_where w;
	for (size_t i = 0; i < s->n_hits; i++) {
		const struct hit *h = &s->hits[i];
		if (h->lanes & ~h->over || (debug_thread_where(s->d, &h->warp, &w) && hits_stand(h, &w)))
			s->hits[kept++] = *h;
	}
	s->n_hits = kept;
}

/* Where the thread is for gdb may be an earlier hit, in another activation. */
static uint64_t machine_sp(struct stub *s, uint64_t uid)
{
	bool before = view_machine(s, true);
	const struct thread_view *v = view_of_uid(s, uid);
	uint64_t sp = v ? v->sp : 0;
	view_machine(s, before);
	return sp;
}

#define HITS_MAX 1000u /* more, and the oldest ones are forgotten */

static struct hit *add(struct stub *s, const struct debug_where *w)
{
	struct hit h = {.warp = w->thread, .executed = w->w ? w->w->executed : 0};
	h.warp.thread = w->warp_index * LANES;
	drop_done(s);
	if (s->n_hits == HITS_MAX)
		memmove(s->hits, s->hits + 1, --s->n_hits * sizeof *s->hits);
	h.number = ++s->last_hit;
	h.pc = view_pc(w->w ? exec_simt_top(gpu_exec(debug_gpu(s->d)), w->w)->pc : w->pc);
	h.uid = w->uid;
	h.uid_lane = w->lane;
	h.sp = machine_sp(s, w->uid);
	h.lanes = lanes_that_hit(s, w, h.pc);
	s->hits = xgrow(s->hits, &s->cap_hits, s->n_hits + 1, sizeof *s->hits);
	s->hits[s->n_hits++] = h;
	view_forget(s);
	return &s->hits[s->n_hits - 1];
}

static struct hit *find_or_add(struct stub *s, const struct debug_where *w)
{
	struct hit *h = find_standing(s, w);
	bool runs = w->w ? w->w->n_simt > 0 : w->state == DEBUG_THREAD_WAITING; /* or is going to */
	return h || !runs ? h : add(s, w);
}

void hits_add_reported(struct stub *s, const struct debug_where *w)
{
	struct hit *h = find_or_add(s, w);
	if (!h)
		return;
	h->lanes |= lanes_bit(w->lane);
	h->reported |= lanes_bit(w->lane);
	h->over &= ~lanes_bit(w->lane);
	s->reported_hit = h->number;
}

void hits_add_later(struct stub *s, const struct debug_where *w)
{
	find_or_add(s, w);
	hits_snapshot(s);
}

/* ---- reporting ---- */

static bool is_next(const struct stub *s, const struct hit *h)
{
	return h->lanes & ~h->reported && (s->break_mode == BREAK_LANE || (s->break_mode == BREAK_AUTO && !h->seen));
}

/* What was hit before is passed over for a lane: gdb has gone on without stepping it off there. */
static void leave_earlier(struct stub *s, const struct hit *now, unsigned lane)
{
	for (struct hit *h = s->hits; h < now; h++)
		if (h->warp.launch == now->warp.launch && h->warp.cta == now->warp.cta &&
		    h->warp.thread == now->warp.thread)
			h->over |= lanes_bit(lane);
}

/* gdb has stepped a thread by itself, and its warp, or others whose cycles these were, too, had to go on. */
static void say_gone_on(struct stub *s, struct hit *h, const struct debug_where *w)
{
	if (h->is_said || hits_stand(h, w))
		return;
	h->is_said = true;
	text_addf(&s->console,
		  "warpstep: the warp of thread %llu has gone on meanwhile: registers are as they were here, memory is "
		  "as it is now\n",
		  (unsigned long long)thread_tid(s, w->uid));
}

/* The lane its user cares about, if it is among them, or one for which the breakpoint was found to be hit. */
static unsigned preferred(struct stub *s, const struct hit *h)
{
	struct debug_where w;
	bool is_there = thread_where(s, s->favourite, &w) && is_of_warp(h, &w) && h->lanes & lanes_bit(w.lane);
	if (is_there && points_hold(s, s->favourite, h->pc))
		return w.lane;
	return h->lanes & lanes_bit(h->uid_lane) ? h->uid_lane : lanes_first(h->lanes);
}

static void report_lane(struct stub *s, struct hit *h, const struct debug_where *w, struct text *reply)
{
	h->reported |= lanes_bit(w->lane);
	leave_earlier(s, h, w->lane);
	say_gone_on(s, h, w);
	view_arrived(s, w);
	debug_focus_set(s->d, &w->thread);
	stop_reply_thread(s, 5, thread_tid(s, w->uid), "swbreak:;", reply);
	s->reported_hit = h->number;
	s->seen = false;
}

static bool report(struct stub *s, struct hit *h, struct text *reply)
{
	struct debug_where w;
	struct debug_thread t = h->warp;
	unsigned lane = h->reported ? lanes_first(h->lanes & ~h->reported) : preferred(s, h);
	t.thread += lane;
	h->reported |= lanes_bit(lane);
	if (!debug_thread_where(s->d, &t, &w))
		return false;
	stale_clear(s); /* it is there now, whatever gdb believed */
	report_lane(s, h, &w, reply);
	return true;
}

void hits_go_on_from_reported(struct stub *s)
{
	for (size_t i = 0; s->seen && i < s->n_hits; i++)
		s->hits[i].seen |= s->hits[i].number == s->reported_hit;
	s->reported_hit = 0;
}

bool hits_report(struct stub *s, struct text *reply)
{
	for (size_t i = 0; i < s->n_hits; i++) {
		struct hit *h = &s->hits[i];
		if (!points_inserted_at(s, h->pc))
			h->reported = h->over = h->lanes;
		while (h->lanes && (!h->reported || is_next(s, h))) /* none: gdb has stepped the only one off */
			if (report(s, h, reply))
				return true;
	}
	return false;
}

/* ---- where lanes are for gdb ---- */

const struct hit *hits_left(struct stub *s, const struct debug_where *w)
{
	const struct hit *h = s->sees_machine ? NULL : find_first(s, w);
	return h && !hits_stand(h, w) ? h : NULL;
}

void hits_place(const struct hit *h, const struct debug_where *w, uint64_t *pc, uint64_t *sp)
{
	*pc = h->pc;
	*sp = h->sp + ((w->uid - h->uid) << STUB_UID_SHIFT);
}

void hits_snapshot(struct stub *s)
{
	struct debug_where w;
	for (size_t i = 0; i < s->n_hits; i++) {
		const struct hit *h = &s->hits[i];
		if (h->lanes & ~h->over && debug_thread_where(s->d, &h->warp, &w) && hits_stand(h, &w))
			snapshot_take(s, &w);
	}
}

bool hits_moves_along(struct stub *s, const struct debug_where *w) { return find_first(s, w); }

/* gdb itself finds a breakpoint where it sees a lane, and looks at the condition. */
static void found_by_gdb(struct stub *s, struct hit *h, const struct debug_where *w)
{
	if (s->break_mode == BREAK_LANE || points_hold(s, thread_tid(s, w->uid), h->pc))
		h->reported |= lanes_bit(w->lane);
}

/* Off a hit of which gdb has heard nothing it steps a lane for which the condition is false: it is still to be reported for the others. */
static void step_off(struct stub *s, struct hit *h, const struct debug_where *w)
{
	bool is_other = s->break_mode != BREAK_LANE && !h->reported;
	if (is_other)
		h->lanes &= ~lanes_bit(w->lane);
	else if (s->break_mode != BREAK_LANE && s->seen)
		h->reported = h->lanes; /* its user has seen the hit: it isn't reported for the other lanes */
	else
		h->reported |= lanes_bit(w->lane);
	h->over |= lanes_bit(w->lane);
	view_forget(s);
}

void hits_leave(struct stub *s, const struct debug_where *w)
{
	for (size_t i = 0; i < s->n_hits; i++) {
		struct hit *h = &s->hits[i];
		if (!is_of_warp(h, w) || h->reported & lanes_bit(w->lane))
			continue;
		if (s->break_mode != BREAK_LANE || (hits_stand(h, w) && !points_inserted_at(s, h->pc)))
			h->lanes &= ~lanes_bit(w->lane);
	}
	view_forget(s);
}

bool hits_reach(struct stub *s, const struct debug_where *w)
{
	struct hit *h = find_first(s, w);
	if (!h || hits_stand(h, w))
		return false;
	found_by_gdb(s, h, w);
	return true;
}

bool hits_step(struct stub *s, const struct debug_where *w)
{
	struct hit *h = find_first(s, w);
	if (!h)
		return false;
	step_off(s, h, w);
	if (hits_stand(h, w))
		return false;
	h = find_first(s, w);
	if (h)
		found_by_gdb(s, h, w);
	return true;
}

/* Is it to be reported for the lane? `has_come`: it gets there only now. From a hit that gdb knows of it would step the lane off. */
static bool is_for(struct stub *s, const struct hit *h, const struct debug_where *w, bool has_come)
{
	if (s->break_mode == BREAK_LANE)
		return has_come || !(h->reported & lanes_bit(w->lane));
	return !h->reported && points_hold(s, thread_tid(s, w->uid), h->pc); /* once for the warp */
}

static bool report_own(struct stub *s, const struct debug_where *w, bool has_come, struct text *reply)
{
	struct hit *h = find_first(s, w);
	if (!h || !is_for(s, h, w, has_come) || !points_inserted_at(s, h->pc))
		return false;
	stale_drop(s, w->uid);
	report_lane(s, h, w, reply);
	return true;
}

bool hits_report_own(struct stub *s, const struct debug_where *w, struct text *reply)
{
	return report_own(s, w, false, reply);
}

bool hits_go_on(struct stub *s, const struct debug_where *w, bool is_stale, struct text *reply)
{
	bool has_come = is_stale;
	do {
		if (report_own(s, w, has_come, reply))
			return true;
		has_come = true;
	} while (hits_step(s, w));
	return false;
}

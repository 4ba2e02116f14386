/* Steps back: by cycles, by a warp's instructions, by lines, to a cycle. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "history/internal.h"

#define TRAIL_MAX ((size_t)1 << 22) /* instructions of one warp that are looked at together */

static bool fail(struct text *why, const char *line)
{
	text_add(why, line);
	return false;
}

bool history_can_go_back(struct history *h, struct text *why)
{
	if (h->records && h->n_snaps)
		return true;
	if (!h->lacks_room)
		return fail(why, h->records && !gpu_has_work(h->g)
					 ? "nothing is running: launch a kernel first"
					 : "nothing was recorded: 'set history on' before the launch");
	fail(why, "nothing was recorded: there is no address space for it");
	machine_limits_blame(why);
	return false;
}

bool history_lost(struct text *why) { return fail(why, "what was recorded doesn't lead back there"); }

/* ---- ends ---- */

static bool no_more(struct history *h, struct debug_stop *stop)
{
	stop->reason = DEBUG_STOP_BEGINNING;
	text_add(&stop->text, "No more reverse-execution history.\n");
	if (h->begins_because)
		text_addf(&stop->text, "%s\n", h->begins_because);
	debug_past_stop(h->d, stop);
	return true;
}

bool history_at_beginning(struct history *h, struct debug_stop *stop, struct text *why)
{
	struct history_position first, now;
	history_first(h, &first);
	history_now(h, &now);
	if (history_compare(&first, &now) && !history_go(h, &first))
		return history_lost(why);
	return no_more(h, stop);
}

bool history_interrupted(struct history *h, struct debug_stop *stop)
{
	stop->reason = DEBUG_STOP_INTERRUPTED;
	text_add(&stop->text, "Interrupted\n");
	debug_past_stop(h->d, stop);
	return true;
}

/* A way back has ended at its goal, or at the limit. */
static bool end_step(struct history *h, enum replay_end end, bool by_thread, struct debug_stop *stop, struct text *why)
{
	snapshots_near(h, UINT64_MAX);
	history_arrived(h);
	if (end == REPLAY_FAILED)
		return history_lost(why);
	if (end == REPLAY_INTERRUPTED)
		return history_interrupted(h, stop);
	debug_past_stepped(h->d, by_thread, stop);
	return true;
}

/* A way back from `from` has ended as `end` says: goes to the latest stop on it that history.on_arrival finds. Returns false if the machine can't be run there. */
static bool judged(struct history *h, enum replay_end end, const struct history_position *from, struct debug_stop *stop, struct text *why)
{
	return !h->on_arrival || end == REPLAY_FAILED || end == REPLAY_INTERRUPTED || h->on_arrival(h, from, stop, why);
}

/* ---- by cycles ---- */

static size_t snapshot_for_cycle(const struct history *h, uint64_t cycle)
{
	for (size_t k = h->n_snaps; k-- > 0;)
		if (h->snap[k].at.at.cycle < cycle || (h->snap[k].at.at.cycle == cycle && h->snap[k].between))
			return k;
	return h->n_snaps;
}

static enum replay_end go_to_cycle(struct history *h, uint64_t cycle)
{
	history_leave(h);
	const size_t k = snapshot_for_cycle(h, cycle);
	if (k == h->n_snaps || !snapshot_go_back(h, k))
		return REPLAY_FAILED;
	snapshots_near(h, cycle);
	return replay(h, &(struct replay){.cycle = cycle});
}

static bool back_to_cycle(struct history *h, uint64_t cycle, struct debug_stop *stop, struct text *why)
{
	return end_step(h, go_to_cycle(h, cycle), false, stop, why);
}

static uint64_t first_cycle(const struct history *h)
{
	struct history_position first;
	history_first(h, &first);
	return first.at.cycle;
}

bool history_reverse_step(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	if (!history_can_go_back(h, why))
		return false;
	const uint64_t now = gpu_cycle(h->g), first = first_cycle(h);
	if (now < first || n > now - first)
		return history_at_beginning(h, stop, why);
	return back_to_cycle(h, now - n, stop, why);
}

/* Skips cycles up to `cycle` that needn't run again. */
static void go_forward(struct history *h, uint64_t cycle, struct debug_stop *stop)
{
	const uint64_t seen = debug_seen_until(h->d);
	uint32_t n;
	bool *over = debug_past_launches_over(h->d, &n);
	history_leave(h);
	snapshot_go_forward(h, NULL, cycle < seen ? cycle : seen);
	history_arrived(h);
	debug_past_finished(h->d, over, n, stop);
	free(over);
}

bool history_goto_cycle(struct history *h, uint64_t cycle, struct debug_stop *stop, struct text *why)
{
	const uint64_t now = gpu_cycle(h->g);
	if (cycle > now && !gpu_has_work(h->g) && !history_is_past(h))
		return fail(why, "nothing is running: launch a kernel first");
	if (cycle < now && !history_can_go_back(h, why))
		return false;
	if (cycle < now && cycle < first_cycle(h))
		return history_at_beginning(h, stop, why);
	if (cycle > now && history_is_past(h))
		go_forward(h, cycle, stop);
	if (cycle >= now) {
		if (h->records && h->n_snaps)
			snapshots_near(h, cycle); /* steps back from there begin close by */
		debug_run_on_to_cycle(h->d, cycle, stop);
		snapshots_near(h, UINT64_MAX);
		return true;
	}
	const enum replay_end end = go_to_cycle(h, cycle);
	snapshots_near(h, UINT64_MAX);
	history_arrived(h);
	if (end == REPLAY_FAILED)
		return history_lost(why);
	stop->reason = DEBUG_STOP_CYCLE;
	text_addf(&stop->text, "Reached cycle %llu\n", (unsigned long long)gpu_cycle(h->g));
	debug_past_stop(h->d, stop);
	return true;
}

/* ---- by a warp's instructions ---- */

/* Back to a snapshot at which the warp has executed less; the position it was left at is the way's end. */
static bool go_after(struct history *h, const struct debug_thread *t, uint64_t executed)
{
	struct history_position now;
	history_now(h, &now);
	history_leave(h);
	for (size_t k = snapshot_before(h, &now, true); k < h->n_snaps; k--) {
		uint64_t then;
		bool over = false;
		if (!snapshot_go_back(h, k))
			return false;
		if (!k || (warp_executed(h, t, &then, &over) ? then < executed : !over))
			return true;
	}
	return false;
}

enum replay_end history_go_to_executed(struct history *h, const struct debug_thread *t, uint64_t executed)
{
	struct history_position from;
	history_now(h, &from);
	if (!go_after(h, t, executed))
		return REPLAY_FAILED;
	snapshots_near(h, from.at.cycle);
	return replay(h, &(struct replay){
				 .to = &from, .cycle = UINT64_MAX, .has_warp = true, .warp = *t, .executed = executed});
}

static void add_step(struct history *h, const struct debug_thread *t, struct trail *l)
{
	struct debug_trail s;
	if (!debug_trail_now(h->d, t, &s) || (l->n && l->step[l->n - 1].executed == s.executed))
		return;
	l->step = xgrow(l->step, &l->cap, l->n + 1, sizeof *l->step);
	l->step[l->n++] = s;
}

/* Those the machine comes through from where it stands to `end`; of the last one nothing has happened there. */
static enum replay_end follow(struct history *h, const struct debug_thread *t, const struct history_position *end,
			      struct trail *l)
{
	struct replay r = {.to = end, .cycle = UINT64_MAX, .has_warp = true, .warp = *t};
	enum replay_end e = REPLAY_GOAL;
	uint64_t executed;
	bool over = false, is_there = warp_executed(h, t, &executed, &over);
	l->n = 0;
	l->whole = !is_there && !over;
	for (r.executed = is_there ? executed : 0; e == REPLAY_GOAL && l->n < TRAIL_MAX; r.executed = executed + 1) {
		e = replay(h, &r);
		if (!warp_executed(h, t, &executed, &over))
			break;
		if (executed < r.executed) /* it has exited */
			break;
		if (e == REPLAY_GOAL)
			add_step(h, t, l);
	}
	return e;
}

enum replay_end history_find_executed(struct history *h, const struct debug_thread *t, find_step *find,
				      const void *what, bool *found, uint64_t *executed)
{
	struct history_position from;
	struct trail l = {0};
	enum replay_end end = REPLAY_GOAL;
	history_now(h, &from);
	history_leave(h);
	*found = false;
	for (size_t k = snapshot_before(h, &from, true); !*found && k < h->n_snaps && end != REPLAY_FAILED;
	     k -= k > 8 ? k / 4 : 1) {
		if (!snapshot_go_back(h, k))
			end = REPLAY_FAILED;
		else
			end = follow(h, t, &from, &l);
		if (end == REPLAY_FAILED || end == REPLAY_INTERRUPTED)
			break;
		const size_t at = find(h, &l, l.n, what);
		*found = at < l.n;
		*executed = *found ? l.step[at].executed : 0;
		if (l.whole || !k)
			break;
	}
	free(l.step);
	return end;
}

bool history_go_found(struct history *h, const struct debug_thread *t, find_step *find, const void *what,
		      struct debug_stop *stop, struct text *why)
{
	struct history_position from;
	uint64_t executed;
	bool found;
	history_now(h, &from);
	enum replay_end end = history_find_executed(h, t, find, what, &found, &executed);
	if (end == REPLAY_FAILED || end == REPLAY_INTERRUPTED)
		return end_step(h, end, false, stop, why);
	if (!found) { /* the thread's first instruction is as far as it goes */
		end = history_go_to_executed(h, t, 0);
		snapshots_near(h, UINT64_MAX);
		history_arrived(h);
		debug_focus_set(h->d, t);
		return end == REPLAY_FAILED ? history_lost(why) : no_more(h, stop);
	}
	end = history_go_to_executed(h, t, executed);
	if (!judged(h, end, &from, stop, why))
		return false;
	return stop->reason != DEBUG_STOP_NONE || end_step(h, end, true, stop, why);
}

/* ---- rsi ---- */

/* Goes to where the instruction executed last before `from` is next (performance mode: has just been issued), replaying from the `skipped`-th snapshot before
 * the nearest one. Returns REPLAY_FAILED if there is no such snapshot. */
static enum replay_end go_to_last(struct history *h, const struct history_position *from, size_t skipped)
{
	size_t k = snapshot_before(h, from, true);
	while (k && k < h->n_snaps && h->snap[k].at.at.cycle == from->at.cycle)
		k--;
	if (k >= h->n_snaps || skipped > k || !snapshot_go_back(h, k - skipped))
		return REPLAY_FAILED;
	if (!from->at.issued || !gpu_is_performance(h->g)) {
		const enum replay_end end = replay(h, &(struct replay){.to = from, .cycle = from->at.cycle - 1});
		if (end != REPLAY_GOAL || !gpu_is_performance(h->g))
			return end;
	}
	return replay(h, &(struct replay){.to = from, .cycle = UINT64_MAX, .issued = from->at.issued});
}

/* Gives the focus to the warp that executed the last instruction. Returns false if there is none. In performance mode the cycles after the nearest snapshot may
 * issue nothing, as at a kernel's end; then earlier snapshots are tried. */
static bool focus_last(struct history *h)
{
	struct history_position from;
	struct gpu_moment then = {.launch = UINT32_MAX};
	enum replay_end end = REPLAY_GOAL;
	history_now(h, &from);
	if (!from.at.cycle)
		return false;
	history_leave(h);
	for (size_t skipped = 0; end == REPLAY_GOAL && then.launch == UINT32_MAX; skipped++) {
		end = go_to_last(h, &from, skipped);
		if (end == REPLAY_GOAL)
			gpu_moment_now(h->g, &then);
	}
	const struct debug_thread t = {.launch = then.launch, .cta = then.cta, .thread = exec_thread_of(gpu_exec(h->g), then.warp, 0)};
	return history_go(h, &from) && end == REPLAY_GOAL && debug_focus_set(h->d, &t);
}

/* The focus, where steps back by a thread begin. */
bool history_need_thread(struct history *h, struct debug_where *w, struct text *why)
{
	struct debug_thread t;
	if ((!debug_focus_get(h->d, &t) && !focus_last(h)) || !debug_focus_where(h->d, w))
		return fail(why, "there is no thread in focus");
	return true;
}

/* Instructions the warp has finished: one that waits at a barrier still stands at it. */
static uint64_t finished(const struct debug_where *w)
{
	return w->w ? w->w->executed - (w->w->state == EXEC_WARP_BARRIER) : 0;
}

static size_t find_last(struct history *h, const struct trail *l, size_t n, const void *what)
{
	(void)h;
	(void)what;
	return n ? n - 1 : l->n;
}

/* Its block is no more on a core: how many it had executed when it exited. */
static bool executed_in_all(struct history *h, const struct debug_thread *t, uint64_t *executed)
{
	bool found;
	const enum replay_end end = history_find_executed(h, t, find_last, NULL, &found, executed);
	*executed += found;
	return end != REPLAY_FAILED && found;
}

/* Where a way back of a warp has led to. */
struct way {
	enum replay_end end;
	bool has_moved;
	bool is_short; /* the warp has begun on the way */
};

/* By n instructions; `counts_barrier`: one that waits at a barrier has finished that. */
static bool go_warp_back(struct history *h, const struct debug_where *w, uint64_t n, bool counts_barrier,
			 struct way *way, struct text *why)
{
	uint64_t executed = counts_barrier && w->w ? w->w->executed : finished(w);
	if (!w->w && w->state == DEBUG_THREAD_EXITED && !executed_in_all(h, &w->thread, &executed))
		return history_lost(why);
	*way = (struct way){.end = REPLAY_GOAL, .has_moved = executed > 0, .is_short = n > executed};
	if (executed)
		way->end = history_go_to_executed(h, &w->thread, way->is_short ? 0 : executed - n);
	return true;
}

static bool end_warp_back(struct history *h, const struct way *way, struct debug_stop *stop, struct text *why)
{
	if (!way->is_short || way->end == REPLAY_FAILED || way->end == REPLAY_INTERRUPTED)
		return end_step(h, way->end, true, stop, why);
	if (way->has_moved) {
		snapshots_near(h, UINT64_MAX);
		history_arrived(h);
	}
	return no_more(h, stop);
}

bool back_stepi(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	struct way way;
	struct history_position from;
	if (!history_can_go_back(h, why) || !history_need_thread(h, &w, why))
		return false;
	history_now(h, &from);
	return go_warp_back(h, &w, n, false, &way, why) && judged(h, way.end, &from, stop, why) &&
	       (stop->reason != DEBUG_STOP_NONE || end_warp_back(h, &way, stop, why));
}

/* ---- over calls ---- */

struct from {
	struct debug_trail here;
	uint32_t depth;
};

static size_t find_instruction(struct history *h, const struct trail *l, size_t n, const void *what)
{
	const struct from *f = what;
	(void)h;
	while (n-- > 0)
		if (l->step[n].moved && l->step[n].depth <= f->here.depth && l->step[n].executed < f->here.executed)
			return n;
	return l->n;
}

static size_t cut(const struct trail *l, const struct from *f)
{
	size_t n = l->n;
	while (n && l->step[n - 1].executed >= f->here.executed)
		n--;
	return n;
}

static size_t find_line(struct history *h, const struct trail *l, size_t n, const void *what)
{
	const struct from *f = what;
	n = cut(l, f);
	const size_t at = debug_line_before(h->d, l->step, n, &f->here, l->whole);
	return at < n ? at : l->n;
}

static size_t find_call(struct history *h, const struct trail *l, size_t n, const void *what)
{
	const struct from *f = what;
	(void)h;
	n = cut(l, f);
	const size_t at = debug_call_before(l->step, n, f->depth);
	return at < n ? at : l->n;
}

bool history_here(struct history *h, const struct debug_where *w, struct debug_trail *here)
{
	if (debug_trail_now(h->d, &w->thread, here))
		here->executed = w->w ? finished(w) : 0;
	else
		*here = (struct debug_trail){.executed = UINT64_MAX};
	return here->executed != 0;
}

/* Goes back n times to what `find` selects. */
static bool step_back(struct history *h, uint64_t n, find_step *find, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	struct from f = {0};
	if (!history_can_go_back(h, why) || !history_need_thread(h, &w, why))
		return false;
	const struct debug_thread t = w.thread;
	while (n--) {
		debug_stop_free(stop);
		debug_stop_init(stop);
		if (!debug_focus_set(h->d, &t) || !debug_focus_where(h->d, &w) || !history_here(h, &w, &f.here))
			return no_more(h, stop);
		if (!history_go_found(h, &t, find, &f, stop, why))
			return false;
		if (stop->reason != DEBUG_STOP_STEPPED)
			break;
	}
	return true;
}

static size_t find_own(struct history *h, const struct trail *l, size_t n, const void *what)
{
	const struct from *f = what;
	(void)h;
	while (n-- > 0)
		if (l->step[n].moved && l->step[n].executed < f->here.executed)
			return n;
	return l->n;
}

/* Or it has exited by that. */
static bool took_part(struct history *h, const struct debug_thread *t)
{
	struct debug_where w;
	struct debug_trail here;
	if (debug_trail_now(h->d, t, &here))
		return here.moved;
	return !debug_thread_where(h->d, t, &w) || w.state != DEBUG_THREAD_EXITED;
}

/* On the way to what it has executed itself others of its warp stop nothing. */
bool history_thread_back(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	struct debug_thread t;
	struct way way;
	if (!history_can_go_back(h, why))
		return false;
	if (!debug_focus_get(h->d, &t))
		return fail(why, "there is no thread in focus");
	if (!history_need_thread(h, &w, why) || !go_warp_back(h, &w, n, true, &way, why))
		return false;
	const bool is_there = way.is_short || way.end == REPLAY_FAILED || way.end == REPLAY_INTERRUPTED;
	if (is_there || took_part(h, &t))
		return end_warp_back(h, &way, stop, why);
	history_arrived(h);
	debug_focus_set(h->d, &t); /* others have had it on the way */
	return step_back(h, 1, find_own, stop, why);
}

bool back_nexti(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	return step_back(h, n, find_instruction, stop, why);
}

bool back_next(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	return step_back(h, n, find_line, stop, why);
}

bool back_finish(struct history *h, struct debug_stop *stop, struct text *why)
{
	struct debug_where w;
	struct from f = {0};
	if (!history_can_go_back(h, why) || !history_need_thread(h, &w, why))
		return false;
	if (!history_here(h, &w, &f.here) || !debug_selected_depth(h->d, &f.depth) || !f.depth)
		return fail(why, "\"reverse-finish\" not meaningful in the outermost frame.");
	const struct debug_thread t = w.thread;
	return history_go_found(h, &t, find_call, &f, stop, why);
}

/* Looks aside, and a thread's way, by running again what was. */
#include "history/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "debug/findings/findings.h"
#include "history/window.h"

#define STEPS_MAX ((size_t)1 << 20) /* of a trace: the latest */

/* ---- aside ---- */

void history_aside_begin(struct history *h, struct history_aside *a)
{
	history_settle(h);
	history_note_knowledge(h);
	a->known = h->known;
	history_now(h, &a->at);
	a->told = debug_findings_told(h->d, &a->n_told);
	snapshots_stay_aside(h);
	snapshots_step_aside(h);
	h->windows = windows_create(h);
	if (h->is_past)
		return;
	h->present = a->at;
	h->is_past = true;
	gpu_set_silent(h->g, true);
}

/* Whatever interrupted the look. What leads there was kept, else it is run again. */
static bool return_there(struct history *h, const struct history_aside *a)
{
	const volatile sig_atomic_t *interrupt = h->interrupt;
	snapshots_step_in_again(h);
	const size_t k = snapshot_before(h, &a->at, false);
	bool ok = k < h->n_snaps && snapshot_go_back(h, k);
	h->interrupt = NULL;
	snapshots_near(h, a->at.at.cycle);
	ok = ok && replay(h, &(struct replay){.to = &a->at, .cycle = UINT64_MAX}) == REPLAY_LIMIT;
	snapshots_near(h, UINT64_MAX);
	h->interrupt = interrupt;
	return ok;
}

/* It stood at a finding, which is made in front of an instruction that then isn't executed: it is tried again. */
static bool find_again(struct history *h, const struct history_aside *a)
{
	struct gpu_unseen unseen;
	struct gpu_event ev = {0};
	if (debug_finding_count(h->d) >= a->n_told)
		return true;
	gpu_unseen_begin(h->g, &unseen);
	gpu_run(h->g, &(struct gpu_request){.max_cycles = UINT64_MAX, .one_insn = true}, &ev);
	gpu_unseen_end(h->g, &unseen);
	text_free(&ev.text);
	debug_pass_finding(h->d, false);
	return ev.kind == GPU_EVENT_ACCESS || return_there(h, a);
}

bool history_aside_failed(const struct history *h, struct text *why)
{
	if (!h->interrupt || !*h->interrupt)
		return history_lost(why);
	text_add(why, "interrupted");
	return false;
}

bool history_aside_end(struct history *h, struct history_aside *a)
{
	windows_free(h->windows);
	h->windows = NULL;
	const bool ok = return_there(h, a) && find_again(h, a);
	history_settle(h);
	if (h->known != a->known) /* the look has recalled what was known elsewhere */
		history_recall(h);
	debug_findings_recall(h->d, a->told, a->n_told);
	return ok;
}

/* ---- a thread's way ---- */

/* Returns true if the thread's warp has executed more than `most` where the machine stands. */
static bool is_past(struct history *h, const struct debug_thread *t, uint64_t most)
{
	uint64_t executed;
	bool over = false;
	return warp_executed(h, t, &executed, &over) ? executed > most : over;
}

/* Goes forward, from one kept snapshot to the next, until the warp has executed more than `most`, but not behind a place. */
static void go_past(struct history *h, const struct debug_thread *t, uint64_t most, const struct history_position *to)
{
	struct history_position now, was;
	while (!is_past(h, t, most)) {
		history_now(h, &was);
		if (!arena_visit_origin(gpu_arena(h->g)) || !h->n_ahead || history_compare(&h->ahead[h->n_ahead - 1].at, to) > 0)
			break;
		const struct history_position next = h->ahead[h->n_ahead - 1].at;
		snapshot_go_forward(h, &next, UINT64_MAX);
		history_now(h, &now);
		if (!history_compare(&now, &was))
			break;
	}
}

bool trace_go_in_front(struct history *h, const struct debug_thread *t, uint64_t most,
			const struct history_position *from)
{
	go_past(h, t, most, from); /* an earlier look may have gone further back */
	for (size_t k = snapshot_before(h, from, false); k < h->n_snaps; k--) {
		if (!snapshot_go_back(h, k))
			return false;
		if (!k || !is_past(h, t, most))
			return true;
	}
	return false;
}

static struct debug_step *new_step(struct trace *t)
{
	if (t->n == STEPS_MAX) {
		memmove(t->step, t->step + STEPS_MAX / 2, STEPS_MAX / 2 * sizeof *t->step);
		t->n = STEPS_MAX / 2;
		t->cut = true;
	}
	t->step = xgrow(t->step, &t->cap, t->n + 1, sizeof *t->step);
	return &t->step[t->n++];
}

static void note_step(struct history *h, struct trace *t, const struct debug_step *s)
{
	struct debug_step *last = t->n ? &t->step[t->n - 1] : NULL;
	if (last && last->executed + 1 == s->executed)
		debug_step_done(h->d, &t->thread, last);
	if (s->executed < t->end && (!last || last->executed < s->executed))
		*new_step(t) = *s;
	t->has_ahead = s->executed >= t->end;
	if (t->has_ahead)
		t->ahead = *s;
}

struct following {
	struct history *h;
	struct trace *t;
	const struct trace_others *others;
};

/* The trace is to have what a thread executes up to a number; what it knows besides stays. */
static void begin_trace(struct trace *t, const struct debug_thread *thread, uint64_t first, uint64_t end)
{
	t->thread = *thread;
	t->end = end;
	t->step = NULL;
	t->n = t->cap = 0;
	t->cut = first;
	t->has_ahead = false;
}

/* Notes what the thread is in front of. Returns false at the trace's end; else the next instruction is the next goal. */
static bool note_next(void *self, uint64_t *executed)
{
	const struct following *f = self;
	struct debug_step s;
	if (!debug_step_ahead(f->h->d, &f->t->thread, &s))
		return false;
	note_step(f->h, f->t, &s);
	*executed = s.executed + 1;
	for (size_t k = 0; f->others && k < f->others->n; k++)
		if (debug_step_ahead(f->h->d, &f->others->trace[k]->thread, &s))
			note_step(f->h, f->others->trace[k], &s);
	return *executed <= f->t->end;
}

bool trace_follow_all(struct history *h, const struct debug_thread *t, uint64_t first, uint64_t end,
		      const struct history_position *limit, struct trace *out, const struct trace_others *others)
{
	struct following f = {h, out, others};
	struct replay r = {
		.to = limit, .cycle = UINT64_MAX, .has_warp = true, .warp = *t, .again = note_next, .self = &f};
	uint64_t over;
	r.executed = end != UINT64_MAX && end - first > STEPS_MAX ? end - STEPS_MAX : first;
	begin_trace(out, t, r.executed, end);
	for (size_t k = 0; others && k < others->n; k++)
		begin_trace(others->trace[k], &others->trace[k]->thread, r.executed, end);
	if (!trace_go_in_front(h, t, r.executed, limit))
		return false;
	const enum replay_end e = replay(h, &r);
	if (e == REPLAY_LIMIT)
		note_next(&f, &over);
	return e != REPLAY_FAILED && e != REPLAY_INTERRUPTED;
}

bool trace_follow(struct history *h, const struct debug_thread *t, uint64_t first, uint64_t end,
		  const struct history_position *limit, struct trace *out)
{
	*out = (struct trace){.thread = *t};
	return trace_follow_all(h, t, first, end, limit, out, NULL);
}

bool trace_lengthen(struct history *h, struct trace *t, const struct history_position *limit, bool *failed)
{
	const struct trace had = *t;
	const uint64_t first = had.n ? had.step[0].executed : 0, n = had.end - first;
	*failed = false;
	if (!had.cut || had.end == UINT64_MAX || n >= STEPS_MAX)
		return false;
	*failed = !trace_follow(h, &had.thread, had.end > 16 * n ? had.end - 16 * n : 0, had.end, limit, t);
	t->n_known = had.n_known;
	t->group = had.group;
	memcpy(t->known, had.known, sizeof t->known);
	free(had.step);
	return !*failed;
}

bool trace_go(struct history *h, const struct debug_thread *t, uint64_t executed, const struct history_position *limit)
{
	return trace_go_in_front(h, t, executed, limit) &&
	       replay(h,
		      &(struct replay){
			      .to = limit, .cycle = UINT64_MAX, .has_warp = true, .warp = *t, .executed = executed}) ==
		       REPLAY_GOAL;
}

bool trace_look(struct history *h, const struct debug_thread *t, uint64_t executed,
		const struct history_position *limit, void (*begin)(void *self), const struct exec_watcher *w)
{
	const struct replay to_behind = {.to = limit,
					 .cycle = UINT64_MAX,
					 .has_warp = true,
					 .warp = *t,
					 .executed = executed + 2,
					 .watcher = w};
	if (!trace_go_in_front(h, t, executed, limit))
		return false;
	begin(w->self);
	const enum replay_end e = replay(h, &to_behind);
	return e == REPLAY_GOAL || e == REPLAY_LIMIT;
}

size_t trace_steps_before(const struct trace *t, uint64_t executed)
{
	size_t low = 0, high = t->n;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (t->step[middle].executed < executed)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct debug_step *trace_find(const struct trace *t, uint64_t executed, uint32_t pc)
{
	for (size_t k = t->n; k-- > 0;)
		if (t->step[k].executed <= executed && t->step[k].pc == pc && t->step[k].executes)
			return &t->step[k];
	return NULL;
}

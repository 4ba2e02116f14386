/* Running again what has been: inputs at their moments, without output and stops, up to a position or an event. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/findings/findings.h"
#include "history/internal.h"

bool warp_executed(struct history *h, const struct debug_thread *t, uint64_t *executed, bool *over)
{
	const int32_t slot = gpu_find_cta(h->g, t->launch, t->cta, over);
	const struct exec_cta *c = slot >= 0 ? gpu_cta(h->g, (uint32_t)slot) : NULL;
	const uint32_t warp = exec_warp_of(gpu_exec(h->g), t->thread);
	const struct exec_warp *w = c && warp < c->n_warps ? &c->warp[warp] : NULL;
	*executed = w ? w->executed : 0;
	*over |= w && w->state == EXEC_WARP_DONE;
	return w != NULL;
}

bool replay_input(struct history *h)
{
	const struct journal_entry *e = h->journal.entry[h->input];
	struct text why = {0};
	const bool same = gpu_input(h->g, &e->input, &why) == e->result;
	text_free(&why);
	h->input++;
	return same;
}

struct run {
	struct history *h;
	const struct replay *r;
	struct history_position limit;
	struct gpu_moment last; /* where it stood before */
	uint64_t executed;	/* the goal of the warp */
	bool did_input, settled, pass;
	unsigned stands; /* so often in a row it hasn't moved */
	uint8_t *all;	 /* with a `look`: a mark on each instruction */
};

static bool is_next_input(const struct run *run) { return run->h->input < run->limit.input; }

static const struct gpu_moment *next_stop(const struct run *run)
{
	return is_next_input(run) ? &run->h->journal.entry[run->h->input]->at : &run->limit.at;
}

static void fill_request(const struct run *run, struct gpu_request *q)
{
	const struct history *h = run->h;
	const struct replay *r = run->r;
	const uint64_t now = gpu_cycle(h->g), end = h->due < r->cycle ? h->due : r->cycle;
	uint64_t executed;
	bool over;
	*q = (struct gpu_request){
		.max_cycles = UINT64_MAX, .until = next_stop(run), .pass = run->pass, .interrupt = h->interrupt};
	q->one_insn = r->issued && gpu_is_performance(h->g);
	if (end != UINT64_MAX)
		q->max_cycles = end > now ? end - now : 0;
	if (r->look) {
		q->look = r->look;
		q->look_self = r->self;
		q->warp_marks = r->marks ? r->marks : run->all;
	}
	if (!r->has_warp)
		return;
	warp_executed(run->h, &r->warp, &executed, &over);
	q->has_warp = q->in_turn = true;
	q->warp_launch = r->warp.launch;
	q->warp_cta = r->warp.cta;
	q->warp_index = exec_warp_of(gpu_exec(run->h->g), r->warp.thread);
	q->warp_insns = run->executed > executed ? run->executed - executed : 0;
	q->warp_marks = r->look ? q->warp_marks : r->marks;
	q->on_warp_mark = r->on_mark;
	q->warp_mark_self = r->self;
}

/* The beginning of the cycle, with the inputs that came there. */
static bool is_at_cycle(const struct run *run)
{
	const struct history *h = run->h;
	struct gpu_moment now;
	if (gpu_cycle(h->g) != run->r->cycle)
		return false;
	gpu_moment_now(h->g, &now);
	if (now.place != GPU_BETWEEN)
		return false;
	return run->settled ||
	       (run->did_input && (!is_next_input(run) || h->journal.entry[h->input]->at.cycle != now.cycle));
}

static bool is_over(const struct gpu_moment *now, const struct gpu_moment *end)
{
	return now->cycle > end->cycle || now->transitions > end->transitions ||
	       (end->landed != GPU_ANY && now->landed > end->landed);
}

/* The warp has executed as much as is looked for, or can't. */
static bool has_stepped(const struct run *run, const struct gpu_event *ev)
{
	uint64_t executed;
	bool over;
	if (!run->r->has_warp || ev->kind != GPU_EVENT_STEPPED)
		return false;
	return warp_executed(run->h, &run->r->warp, &executed, &over) ? executed >= run->executed || over : over;
}

/* The warp stands in front of an instruction with a mark; true: on. */
static bool goes_on_at_mark(struct run *run)
{
	run->pass = true;
	return run->r->at_mark(run->r->self);
}

/* Runs one request. Returns true if neither goal nor limit is reached yet. */
static bool run_some(struct run *run, enum replay_end *end)
{
	struct history *h = run->h;
	struct gpu_request q;
	struct gpu_event ev = {0};
	struct gpu_moment now;
	fill_request(run, &q);
	gpu_run(h->g, &q, &ev);
	text_free(&ev.text);
	if (ev.kind == GPU_EVENT_ACCESS)
		debug_pass_finding(h->d, true);
	gpu_moment_now(h->g, &now);
	const bool stands = gpu_moment_is(&now, &run->last);
	run->stands = stands ? run->stands + 1 : 0;
	run->last = now;
	run->pass = ev.kind == GPU_EVENT_FAULT || (ev.kind == GPU_EVENT_ACCESS && !ev.atomic_lanes);
	run->settled = ev.kind == GPU_EVENT_CYCLES && now.cycle >= run->r->cycle;
	if (ev.kind == GPU_EVENT_MARK && run->r->at_mark && !goes_on_at_mark(run)) {
		*end = REPLAY_GOAL;
		return false;
	}
	if (!gpu_moment_is(&now, next_stop(run)) && (run->stands > 4 || is_over(&now, next_stop(run)))) {
		*end = REPLAY_FAILED;
		return false;
	}
	if (has_stepped(run, &ev) || (run->r->issued && now.issued >= run->r->issued) ||
	    ev.kind == GPU_EVENT_INTERRUPT) {
		*end = ev.kind == GPU_EVENT_INTERRUPT ? REPLAY_INTERRUPTED : REPLAY_GOAL;
		return false;
	}
	if (now.cycle >= h->due)
		snapshot_maybe(h);
	return true;
}

/* Where an input came, or the limit is; true: on. */
static bool come_again(struct run *run, enum replay_end *end)
{
	struct gpu_moment now;
	gpu_moment_now(run->h->g, &now);
	if (!gpu_moment_is(&now, next_stop(run)))
		return true;
	if (!is_next_input(run)) {
		*end = REPLAY_LIMIT;
		return false;
	}
	run->did_input = true;
	run->settled = false;
	run->stands = 0;
	if (replay_input(run->h))
		return come_again(run, end);
	*end = REPLAY_FAILED;
	return false;
}

/* The goal has been reached, and there is another one. */
static bool has_next_goal(struct run *run, enum replay_end end)
{
	const struct replay *r = run->r;
	if (end != REPLAY_GOAL || !r->again || !r->again(r->self, &run->executed))
		return false;
	run->stands = 0;
	return true;
}

/* What cycles are lost to is counted again. */
static void count_turns(struct history *h, const struct gpu_unseen *unseen)
{
	struct timing *t = gpu_machine_timing(h->g);
	if (t)
		timing_observe(t, &(struct timing_observer){.self = unseen->observer.self, .on_turn = unseen->observer.on_turn});
}

/* Sets the replay's observer, which gpu_unseen_end takes away. */
static void observe(struct history *h, const struct replay_observer *o)
{
	struct timing *t = o ? gpu_machine_timing(h->g) : NULL;
	if (!t)
		return;
	timing_observe(t, &o->hooks);
	if (o->begin)
		o->begin(o->hooks.self, t);
}

enum replay_end replay(struct history *h, const struct replay *r)
{
	struct run run = {.h = h, .r = r, .executed = r->executed};
	struct gpu_unseen unseen;
	enum replay_end end = REPLAY_FAILED;
	if (r->to)
		run.limit = *r->to;
	else
		history_present(h, &run.limit);
	if (r->look && !r->marks) {
		const size_t n = gpu_program(h->g)->n_insns + 1u;
		run.all = memset(xmalloc(n), 1, n);
	}
	gpu_unseen_begin(h->g, &unseen);
	count_turns(h, &unseen);
	observe(h, r->machine);
	const bool is_watched = !r->watcher || exec_watch(gpu_exec(h->g), r->watcher);
	while (is_watched && come_again(&run, &end)) {
		if (r->cycle != UINT64_MAX && is_at_cycle(&run)) {
			end = REPLAY_GOAL;
			break;
		}
		if (!run_some(&run, &end) && !has_next_goal(&run, end))
			break;
	}
	if (r->watcher)
		exec_unwatch(gpu_exec(h->g), r->watcher);
	gpu_unseen_end(h->g, &unseen);
	free(run.all);
	return end;
}

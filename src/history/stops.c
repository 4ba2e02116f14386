/* Back to where `continue` would have stopped, or to the other access of a race. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/expr/expr.h"
#include "debug/findings/findings.h"
#include "debug/stop/breakpoint.h"
#include "exec/call.h"
#include "history/internal.h"

/* Stops of a stretch: the latest so many. */
struct found {
	struct history *h;
	struct {
		struct history_position at;
		struct debug_would_stop would;
	} * stop;
	size_t n, cap, most, next;
	bool only_watches; /* stops of watchpoints alone count */
	uint32_t not_host; /* 1 + the finding of what the host did that the search begins at, 0: none */
};

static bool tell(void *self, struct debug_would_stop *w)
{
	struct found *f = self;
	if (f->n < f->most) {
		f->stop = xgrow(f->stop, &f->cap, f->n + 1, sizeof *f->stop);
		f->next = f->n++;
	} else {
		f->next = (f->next + 1) % f->n;
		debug_stop_free(&f->stop[f->next].would.stop);
	}
	f->stop[f->next].would = *w;
	f->stop[f->next].at = (struct history_position){f->h->input, w->front};
	return true;
}

static void empty(struct found *f)
{
	for (size_t k = 0; k < f->n; k++)
		debug_stop_free(&f->stop[k].would.stop);
	f->n = 0;
}

/* As many stops of one stretch may be ignored. */
static size_t ignored(struct history *h)
{
	size_t n = 0;
	for (size_t k = 0; k < breakpoint_count(h->d); k++)
		n += breakpoint_at(h->d, k)->ignore < 1 << 20 ? breakpoint_at(h->d, k)->ignore : 1 << 20;
	return n;
}

/* The latest that counts, in *which, not earlier than `first` and in front of `here`, where the search began; those after it are counted. */
static bool choose(struct found *f, const struct history_position *first, const struct history_position *here, size_t *which)
{
	for (size_t k = 0; k < f->n; k++) {
		*which = (f->next + f->n - k) % f->n;
		const uint32_t by_host = f->stop[*which].would.by_host;
		if (by_host && by_host == f->not_host)
			continue;
		if (history_compare(&f->stop[*which].at, here) >= 0) /* the end of a kernel, after which the machine stands */
			continue;
		if (history_compare(&f->stop[*which].at, first) < 0)
			return false;
		if (f->only_watches && !debug_scanned_is_watch(f->h->d, &f->stop[*which].would.stop))
			continue;
		if (debug_scanned_counts(f->h->d, &f->stop[*which].would.stop))
			return true;
	}
	return false;
}

/* Through the stretch from snapshot k to `end`. False: interrupted, or it can't be run. */
static bool scan(struct history *h, size_t k, const struct history_position *end, struct found *f,
		 struct debug_stop *stop)
{
	empty(f);
	f->most = ignored(h) + 2;
	if (!snapshot_go_back(h, k))
		return false;
	debug_past_moved(h->d);
	h->limit = end;
	const bool ok = debug_scan_stops(h->d, tell, f, stop);
	h->limit = NULL;
	return ok;
}

/* The machine stands in front of what a checker finds: it is found again, as if that had been come to forwards. */
static void find_again(struct history *h)
{
	struct gpu_unseen unseen;
	struct gpu_event ev = {0};
	gpu_unseen_begin(h->g, &unseen);
	gpu_run(h->g, &(struct gpu_request){.max_cycles = UINT64_MAX, .one_insn = true}, &ev);
	gpu_unseen_end(h->g, &unseen);
	text_free(&ev.text);
	debug_pass_finding(h->d, true);
}

static bool make_stop(struct history *h, const struct history_position *at, struct debug_would_stop *w,
		      struct debug_stop *stop, struct text *why)
{
	struct debug_would_stop would = *w;
	w->stop.text = (struct text){0};
	w->stop.details = NULL;
	if (!history_go(h, at)) {
		debug_stop_free(&would.stop);
		return history_lost(why);
	}
	if (would.by_host)
		debug_host_use_is(h->d, would.by_host);
	else if (would.stop.reason == DEBUG_STOP_CHECKER)
		find_again(h);
	debug_scanned_stop(h->d, &would, stop);
	return true;
}

/* As far as `first`; if nothing would have stopped there, the stop's reason stays NONE. */
static bool search(struct history *h, struct found *f, const struct history_position *first, struct debug_stop *stop,
		   struct text *why)
{
	struct history_position end, here;
	size_t which;
	history_now(h, &end);
	here = end;
	history_leave(h);
	for (size_t k = snapshot_before(h, &end, true); k < h->n_snaps; k = snapshot_before(h, &end, true)) {
		const struct history_position from = h->snap[k].at;
		if (!scan(h, k, &end, f, stop)) {
			debug_past_stop(h->d, stop);
			return stop->reason == DEBUG_STOP_INTERRUPTED || history_lost(why);
		}
		if (choose(f, first, &here, &which))
			return make_stop(h, &f->stop[which].at, &f->stop[which].would, stop, why);
		end = from;
		snapshots_forget_lost(h);
		if (!k || history_compare(&end, first) <= 0)
			break;
	}
	return true;
}

bool history_stop_between(struct history *h, const struct history_position *first, const struct history_position *end,
			  struct debug_stop *stop, struct text *why)
{
	struct found f = {.h = h};
	const bool ok = history_go(h, end) ? search(h, &f, first, stop, why) : history_lost(why);
	empty(&f);
	free(f.stop);
	return ok;
}

static bool has_watchpoints(struct debug *d)
{
	bool has = false;
	for (size_t k = 0; k < breakpoint_count(d); k++)
		has |= breakpoint_at(d, k)->kind == BREAKPOINT_WATCH && breakpoint_at(d, k)->enabled;
	return has;
}

bool history_watch_since(struct history *h, const struct history_position *end, struct debug_stop *stop, struct text *why)
{
	struct found f = {.h = h, .only_watches = true};
	struct history_position here;
	history_now(h, &here);
	if (!has_watchpoints(h->d) || history_compare(&here, end) >= 0)
		return true;
	struct debug_thread focus;
	const bool has_focus = debug_focus_get(h->d, &focus);
	bool ok = history_go(h, end) ? search(h, &f, &here, stop, why) : history_lost(why);
	if (ok && stop->reason == DEBUG_STOP_NONE) {
		ok = history_go(h, &here) || history_lost(why);
		if (ok && has_focus)
			debug_focus_set(h->d, &focus);
	}
	empty(&f);
	free(f.stop);
	return ok;
}

/* To the other access of the race that the machine has stopped at, if that is what it stands at, and nothing would have stopped on the way. */
static bool back_to_other(struct history *h, struct found *f, bool *is_race, struct debug_stop *stop, struct text *why)
{
	struct check_access other;
	struct history_position here, there;
	struct debug_thread t;
	uint64_t executed;
	*is_race = debug_race_other(h->d, &other) && race_other(h, &other, &t, &executed);
	if (!*is_race)
		return true;
	history_now(h, &here);
	if (history_go_to_executed(h, &t, executed) != REPLAY_GOAL)
		return history_lost(why);
	history_now(h, &there);
	if (breakpoint_count(h->d) && (!history_go(h, &here) || !search(h, f, &there, stop, why)))
		return false;
	if (stop->reason != DEBUG_STOP_NONE)
		return true;
	if (breakpoint_count(h->d) && !history_go(h, &there))
		return history_lost(why);
	snapshots_near(h, UINT64_MAX);
	history_arrived(h);
	debug_focus_set(h->d, &t);
	stop->reason = DEBUG_STOP_CHECKER;
	debug_race_other_text(h->d, &other, &stop->text);
	debug_past_stop(h->d, stop);
	return true;
}

/* ---- from the use of what isn't initialised ---- */

/* The last input that allocated memory at the address: the position right after it. */
static bool find_allocation(const struct history *h, uint64_t address, struct history_position *at)
{
	for (size_t k = h->input; k-- > 0;) {
		const struct journal_entry *e = h->journal.entry[k];
		const enum gpu_input_kind kind = e->input.kind;
		if ((kind != GPU_INPUT_ALLOC && kind != GPU_INPUT_ALLOC_PAGES && kind != GPU_INPUT_RESERVE) ||
		    address - (uint64_t)e->result >= e->input.alloc.bytes)
			continue;
		*at = (struct history_position){k + 1, e->at};
		return true;
	}
	return false;
}

/* A kernel's malloc that is looked for: the last one before the use whose memory begins at an address. */
struct seek_malloc {
	struct history *h;
	uint64_t address;
	uint32_t pc; /* of the call */
	bool is_live, found;
	struct debug_thread thread;
	uint64_t executed; /* instructions of the warp with the call */
};

static bool is_live(const struct seek_malloc *s)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(s->h->g, s->address);
	return a && a->address == s->address && a->live && a->by_kernel;
}

static void malloc_begin(void *self, const struct history_position *from, const struct history_position *to)
{
	struct seek_malloc *s = self;
	(void)from;
	(void)to;
	s->is_live = is_live(s);
}

/* Returns the lane to which the call at x->pc has returned the address; the lowest one if that can't be seen. */
static unsigned lane_of(const struct seek_malloc *s, const struct exec *x, uint32_t lanes)
{
	const struct isa_insn *i = &x->program->insns[x->pc];
	struct call_arg to, in_callee;
	if (!call_arg(x->program, i, x->program->functions[i->target], 0, &to, &in_callee) || to.kind != ARG_LOCAL)
		return lanes_first(lanes);
	LANES_EACH (lane, lanes) {
		const void *p = exec_peek(x, x->cta, x->warp->index, lane, ISA_LOCAL_WINDOW + x->local_sp + to.ref, 8);
		if (p && !memcmp(p, &s->address, 8))
			return lane;
	}
	return lanes_first(lanes);
}

static void malloc_after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct seek_malloc *s = self;
	if (e->kind != EXEC_EFFECT_FLOW || e->flow.how != EXEC_FLOW_CALL)
		return;
	const bool was_live = s->is_live;
	s->is_live = is_live(s);
	if (was_live || !s->is_live || x->pc != s->pc)
		return;
	s->found = true;
	s->executed = x->warp->executed + x->n_run + 1;
	s->thread = (struct debug_thread){
		.launch = x->cta->launch, .cta = x->cta->linear, .thread = exec_thread_of(x, x->warp->index, lane_of(s, x, e->lanes))};
}

static bool malloc_goes_on(void *self) { return !((struct seek_malloc *)self)->found; }

/* Returns true if a kernel's malloc gave the memory: goes to where the call returned, and says where that is. */
static bool go_to_malloc(struct history *h, const struct gpu_allocation *near, struct history_position *at, struct debug_thread *t)
{
	struct seek_malloc s = {.h = h, .address = near->address, .pc = near->made_pc - 1};
	const struct exec_watcher w = {.kinds = EXEC_LOOK(FLOW), .after = malloc_after, .self = &s};
	const struct history_look look = {.watcher = &w, .begin = malloc_begin, .end = malloc_goes_on, .self = &s};
	if (!near->by_kernel || !near->made_pc || !history_look_back(h, &look) || !s.found ||
	    history_go_to_executed(h, &s.thread, s.executed) != REPLAY_GOAL)
		return false;
	history_now(h, at);
	*t = s.thread;
	return true;
}

/* Where what was used came to be unwritten. */
struct origin {
	struct history_position at;
	bool at_begin; /* of the thread */
	bool by_malloc; /* of the thread */
	bool before;   /* in front of all that can be gone back to */
	struct debug_thread thread;
};

/* False: the machine can't be run there. */
static bool find_origin(struct history *h, const struct check_finding *f, struct origin *o)
{
	const struct check_access *a = f->has_other && f->other.has_thread ? &f->other : &f->access;
	struct history_position here, first;
	history_now(h, &here);
	history_first(h, &first);
	*o = (struct origin){.thread = {.launch = a->launch, .cta = a->cta, .thread = a->in_block}};
	o->at_begin = f->kind != CHECK_UNINITIALIZED_MEMORY || a->space == ISA_SPACE_SHARED || a->space == ISA_SPACE_LOCAL;
	if (o->at_begin) {
		const enum replay_end end = history_go_to_executed(h, &o->thread, 0);
		history_now(h, &o->at);
		return end != REPLAY_FAILED && end != REPLAY_INTERRUPTED && history_go(h, &here);
	}
	o->by_malloc = f->has_near && go_to_malloc(h, &f->near, &o->at, &o->thread);
	if (!history_go(h, &here))
		return false;
	if (!o->by_malloc && !find_allocation(h, a->address, &o->at))
		o->at = first;
	o->before = history_compare(&o->at, &first) < 0;
	if (o->before)
		o->at = first;
	return true;
}

/* To the last stop, to the last earlier finding, or to where what was used came to be unwritten. */
static bool back_from_use(struct history *h, struct found *f, const struct check_finding *use, struct debug_stop *stop, struct text *why)
{
	struct origin o;
	if (!find_origin(h, use, &o))
		return history_lost(why);
	f->not_host = debug_host_use(h->d);
	debug_scan_findings(h->d, true);
	const bool ok = search(h, f, &o.at, stop, why);
	debug_scan_findings(h->d, false);
	if (!ok || stop->reason != DEBUG_STOP_NONE)
		return ok;
	debug_host_use_is(h->d, 0);
	if (!history_go(h, &o.at))
		return history_lost(why);
	if (o.at_begin || o.by_malloc)
		debug_focus_set(h->d, &o.thread);
	stop->reason = DEBUG_STOP_CHECKER;
	debug_init_origin_text(h->d, use, o.at_begin, o.before, &stop->text);
	debug_past_stop(h->d, stop);
	return true;
}

/* Before a module's unload it is loaded again: the face that runs the machine places breakpoints in it. */
static bool find_return(const struct history *h, struct history_position *at)
{
	for (size_t k = h->input; k-- > at->input;)
		if (h->journal.entry[k]->input.kind == GPU_INPUT_MODULE_UNLOAD) {
			*at = (struct history_position){k, h->journal.entry[k]->at};
			return true;
		}
	return false;
}

static bool stop_at_return(struct history *h, const struct history_position *at, struct debug_stop *stop,
			   struct text *why)
{
	if (!history_go(h, at))
		return history_lost(why);
	debug_past_stop(h->d, stop);
	return true;
}

/* To the last stop, to where a module is loaded again if a face must be notified of that, or to the beginning. */
static bool back_to_stop(struct history *h, struct found *f, struct debug_stop *stop, struct text *why)
{
	struct history_position first;
	history_first(h, &first);
	const bool returns = debug_settings(h->d)->stops_at_loads && find_return(h, &first);
	const bool ok = search(h, f, &first, stop, why);
	if (!ok || stop->reason != DEBUG_STOP_NONE)
		return ok;
	return returns ? stop_at_return(h, &first, stop, why) : history_at_beginning(h, stop, why);
}

bool history_reverse_continue(struct history *h, uint64_t n, struct debug_stop *stop, struct text *why)
{
	struct found f = {.h = h};
	if (!history_can_go_back(h, why))
		return false;
	const struct debug_stop *last = debug_last_stop(h->d);
	struct breakpoint *b = last && last->n_hits ? breakpoint_find(h->d, last->hits[0]) : NULL;
	if (b && n > 1)
		b->ignore = n - 1;
	struct debug_thread focus;
	const bool had = debug_focus_get(h->d, &focus);
	struct check_finding use;
	const bool is_use = debug_init_finding(h->d, &use);
	bool is_race = false;
	bool ok = is_use ? back_from_use(h, &f, &use, stop, why) : back_to_other(h, &f, &is_race, stop, why);
	if (ok && !is_race && !is_use)
		ok = back_to_stop(h, &f, stop, why);
	if (had && ok && !is_race && stop->reason == DEBUG_STOP_BEGINNING)
		debug_focus_set(h->d, &focus);
	empty(&f);
	free(f.stop);
	return ok;
}

/* A thread's way, and the last write to memory, by running again what was. */
#include "history/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "debug/findings/findings.h"
#include "debug/program.h"

#define STEPS_MAX ((size_t)1 << 20) /* of a trace: the latest */

/* ---- aside ---- */

void history_aside_begin(struct history *h, struct history_aside *a)
{
	history_settle(h);
	history_now(h, &a->at);
	a->told = debug_findings_told(h->d, &a->n_told);
	if (h->is_past)
		return;
	h->present = a->at;
	h->is_past = true;
	gpu_set_silent(h->g, true);
}

/* Whatever interrupted the look. */
static bool return_there(struct history *h, const struct history_aside *a)
{
	const volatile sig_atomic_t *interrupt = h->interrupt;
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
	const bool ok = return_there(h, a) && find_again(h, a);
	history_settle(h);
	debug_findings_recall(h->d, a->told, a->n_told);
	return ok;
}

/* ---- a thread's way ---- */

/* Back to where its block hasn't begun or its warp hasn't executed more than so many, or to the beginning. */
static bool go_in_front(struct history *h, const struct debug_thread *t, uint64_t most,
			const struct history_position *limit)
{
	for (size_t k = snapshot_before(h, limit, false); k<h->n_snaps; k = k> 8 ? k - k / 4 : k - 1) {
		uint64_t executed;
		bool over = false;
		if (!snapshot_go_back(h, k))
			return false;
		const bool is_there = warp_executed(h, t, &executed, &over);
		if (!k || (is_there ? executed <= most : !over))
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

bool trace_follow(struct history *h, const struct debug_thread *t, uint64_t end, const struct history_position *limit,
		  struct trace *out)
{
	struct replay r = {.to = limit, .cycle = UINT64_MAX, .has_warp = true, .warp = *t};
	enum replay_end e = REPLAY_GOAL;
	if (end > STEPS_MAX && end != UINT64_MAX) /* none is kept before that */
		r.executed = end - STEPS_MAX;
	*out = (struct trace){.thread = *t, .end = end, .cut = r.executed};
	if (!go_in_front(h, t, r.executed, limit))
		return false;
	while (e == REPLAY_GOAL && r.executed <= end) {
		struct debug_step s;
		e = replay(h, &r);
		if (!debug_step_ahead(h->d, t, &s))
			break;
		note_step(h, out, &s);
		r.executed = s.executed + 1;
	}
	return e != REPLAY_FAILED && e != REPLAY_INTERRUPTED;
}

bool trace_go(struct history *h, const struct debug_thread *t, uint64_t executed, const struct history_position *limit)
{
	return go_in_front(h, t, executed, limit) &&
	       replay(h,
		      &(struct replay){
			      .to = limit, .cycle = UINT64_MAX, .has_warp = true, .warp = *t, .executed = executed}) ==
		       REPLAY_GOAL;
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

/* ---- the last write to memory ---- */

struct pass {
	struct history *h;
	const struct where_bytes *b;
	const struct until *u;
	struct write last;
	bool found, over; /* over: what was to be come to in the middle has happened */
	unsigned char now[8];
};

static uint64_t bytes_kept(const struct where_bytes *b) { return b->n < 8 ? b->n : 8; }

static bool is_shared(uint64_t generic) { return generic >= ISA_SHARED_WINDOW && generic < ISA_LOCAL_WINDOW; }

static void read_now(struct pass *p)
{
	struct gpu *g = p->h->g;
	bool over;
	const uint64_t n = bytes_kept(p->b);
	const int32_t slot = gpu_find_cta(g, p->b->thread.launch, p->b->thread.cta, &over);
	const struct exec_cta *cta = slot >= 0 ? gpu_cta(g, (uint32_t)slot) : NULL;
	memset(p->now, 0, sizeof p->now);
	if (!is_shared(p->b->generic) && !trace_is_local(p->b->generic)) {
		gpu_read(g, p->b->generic, p->now, n);
	} else if (cta) {
		const void *at = exec_peek(gpu_exec(g), cta, p->b->thread.thread / LANES, p->b->thread.thread % LANES,
					   p->b->generic, n);
		if (at)
			memcpy(p->now, at, n);
	}
}

static void note_write(struct pass *p, const struct write *w)
{
	p->last = *w;
	read_now(p);
	memcpy(p->last.after, p->now, sizeof p->now);
	p->found = true;
}

static bool overlaps(const struct where_bytes *b, uint64_t address, uint64_t n)
{
	return address < b->generic + b->n && b->generic < address + n;
}

static bool is_own(const struct pass *p, const struct debug_thread *t, uint32_t pc, uint64_t executed)
{
	const struct until *u = p->u;
	return u->past && u->thread && t->launch == u->thread->launch && t->cta == u->thread->cta &&
	       t->thread == u->thread->thread && pc == u->pc && executed >= u->executed;
}

/* Does the lane's access touch them? */
static bool is_meant(const struct pass *p, const struct debug_thread *t, uint64_t at, uint64_t size)
{
	const bool same_block = t->launch == p->b->thread.launch && t->cta == p->b->thread.cta;
	if (!overlaps(p->b, at, size) || (is_shared(p->b->generic) && !same_block))
		return false;
	return !trace_is_local(p->b->generic) || (same_block && t->thread == p->b->thread.thread);
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct pass *p = self;
	const struct exec_access *a = &e->access;
	if (p->over || e->kind != EXEC_EFFECT_ACCESS || !(a->is_write || a->is_atomic))
		return;
	const uint64_t executed = x->warp->executed + x->n_run;
	bool noted = false;
	struct write w = {.pc = x->pc,
			  .executed = executed,
			  .size = a->size,
			  .cycle = gpu_cycle(p->h->g) + x->n_warp_insns + x->n_run};
	memcpy(w.before, p->now, sizeof w.before);
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
		const struct debug_thread t = {
			.launch = x->cta->launch, .cta = x->cta->linear, .thread = x->warp->index * LANES + lane};
		if (!is_meant(p, &t, at, a->size))
			continue;
		p->over = is_own(p, &t, x->pc, executed);
		if (p->over)
			return;
		noted = true;
		w.thread = t;
		w.address = at;
		note_write(p, &w);
	}
	p->last.certain |= noted;
}

static void note_input(struct pass *p, const struct gpu_input *in)
{
	unsigned char was[8];
	uint64_t at;
	const bool writes = input_writes(p->h, in, &at) && overlaps(p->b, at, in->n);
	memcpy(was, p->now, sizeof was);
	read_now(p);
	const bool changed = memcmp(was, p->now, sizeof was) != 0;
	if (p->over || (!writes && !changed))
		return;
	note_write(p, &(struct write){
			      .by_host = true, .input = p->h->input - 1, .certain = true, .cycle = gpu_cycle(p->h->g)});
}

/* From where the machine stands; inputs are done one by one, to be seen. */
static enum replay_end run_pass(struct pass *p)
{
	struct history *h = p->h;
	const struct exec_observer o = {.kinds = EXEC_LOOK(ACCESS), .after = after, .self = p};
	const struct until *u = p->u;
	struct replay r = {.cycle = UINT64_MAX, .observer = &o};
	if (u->thread) {
		r.has_warp = true;
		r.warp = *u->thread;
		r.executed = u->executed + u->past;
	}
	read_now(p);
	for (;;) {
		const bool has_input = h->input < u->limit->input;
		const struct history_position next = {h->input,
						      has_input ? h->journal.entry[h->input]->at : u->limit->at};
		r.to = &next;
		const enum replay_end e = replay(h, &r);
		if (e != REPLAY_LIMIT || !has_input || p->over)
			return e;
		const struct gpu_input *in = &h->journal.entry[h->input]->input;
		if (!replay_input(h))
			return REPLAY_FAILED;
		note_input(p, in);
	}
}

/* Is the snapshot that the machine has been taken to in front of the end? */
static bool is_in_front(struct history *h, const struct until *u)
{
	uint64_t executed;
	bool over = false;
	if (!u->thread)
		return true;
	return warp_executed(h, u->thread, &executed, &over) ? executed <= u->executed : !over;
}

static bool has_launched(struct history *h)
{
	struct gpu_launch_info l;
	return gpu_launch_get(h->g, 0, &l) && l.state != GPU_LAUNCH_QUEUED;
}

/* Does whoever writes to them leave a trace in the marks of the arena? A program's process, which shares memory with the device, doesn't. */
static bool leaves_trace(struct history *h, const struct where_bytes *b)
{
	const struct exec *x = gpu_exec(h->g);
	const uint64_t end = x->arena->section[x->sec_global].used;
	return b->n && b->generic >= ISA_MODULE_GLOBALS && b->generic < end && b->n <= end - b->generic &&
	       !debug_program_is_there(h->d);
}

/* The last input in front of a snapshot that writes to them: zeros over zeros leave no trace. False: there is none. */
static bool input_before(struct history *h, const struct where_bytes *b, const struct snapshot *s, size_t *which)
{
	uint64_t at;
	for (size_t k = s->at.input; k-- > 0;) {
		const struct gpu_input *in = &h->journal.entry[k]->input;
		*which = k;
		if (input_writes(h, in, &at) && overlaps(b, at, in->n))
			return true;
	}
	return false;
}

/* The snapshot to look from after k, earlier than it, up to *end, else `limit`. Where nobody can have written it isn't looked. Some may have gone
 * meanwhile: the one with that number is a later one then. */
static size_t look_earlier(struct history *h, const struct where_bytes *b, size_t k,
			   const struct history_position *limit, struct history_position *end)
{
	const struct snapshot *s = h->snap;
	size_t input;
	*end = *limit;
	if (k >= h->n_snaps)
		return h->n_snaps - 1;
	if (!leaves_trace(h, b) || !arena_has_mark(gpu_arena(h->g), s[k].mark))
		return k > 8 ? k - k / 4 : k - 1;
	const int section = gpu_exec(h->g)->sec_global;
	const uint64_t mark = arena_mark_of_write(gpu_arena(h->g), s[k].mark, section, b->generic, b->n);
	const bool has_input = input_before(h, b, &s[k], &input);
	size_t at = k - 1;
	while (at && (!mark || s[at].mark > mark) && (!has_input || s[at].at.input > input))
		at--;
	*end = (mark >= s[at].mark && mark) || (has_input && input >= s[at].at.input) ? s[at + 1].at : s[at].at;
	return at;
}

bool find_write(struct history *h, const struct where_bytes *b, const struct until *u, struct write *out, bool *found)
{
	struct history_position end = *u->limit;
	const struct until to_end = {u->thread, u->executed, u->past, u->pc, &end};
	struct pass p = {.h = h, .b = b, .u = &to_end};
	*found = false;
	*out = (struct write){0};
	for (size_t k = snapshot_before(h, u->limit, false); k < h->n_snaps;
	     k = k ? look_earlier(h, b, k, u->limit, &end) : h->n_snaps) {
		if (!snapshot_go_back(h, k))
			return false;
		if (!is_in_front(h, u))
			continue;
		const bool begun = has_launched(h);
		p.found = p.over = false;
		const enum replay_end e = run_pass(&p);
		if (e == REPLAY_FAILED || e == REPLAY_INTERRUPTED)
			return false;
		*found = p.found;
		*out = p.last;
		out->before_begun = begun;
		if (p.found || !k)
			return true;
	}
	return true;
}

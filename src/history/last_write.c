/* The last write to memory, by running again what was: from snapshot to snapshot, the latest first. */
#include "base/arena_marks.h"
#include "debug/program.h"
#include "exec/pending.h"
#include "history/trace.h"
#include "history/window.h"

#include <string.h>

struct pass {
	struct history *h;
	struct sought *s; /* `n` places; those that were found are left out */
	size_t n;
	const struct until *u;
	bool over; /* the place in the middle that the pass leads to has been reached */
};

static uint64_t bytes_kept(const struct where_bytes *b) { return b->n < 8 ? b->n : 8; }

static bool is_shared(uint64_t generic) { return generic >= ISA_SHARED_WINDOW && generic < ISA_LOCAL_WINDOW; }

static void read_now(struct pass *p, struct sought *s)
{
	struct gpu *g = p->h->g;
	const struct where_bytes *b = &s->b;
	bool over;
	const uint64_t n = bytes_kept(b);
	const int32_t slot = gpu_find_cta(g, b->thread.launch, b->thread.cta, &over);
	const struct exec_cta *cta = slot >= 0 ? gpu_cta(g, (uint32_t)slot) : NULL;
	memset(s->now, 0, sizeof s->now);
	if (!is_shared(b->generic) && !trace_is_local(b->generic)) {
		gpu_read(g, b->generic, s->now, n);
	} else if (cta) {
		const void *at =
			exec_peek(gpu_exec(g), cta, exec_warp_of(gpu_exec(g), b->thread.thread), exec_lane_of(gpu_exec(g), b->thread.thread), b->generic, n);
		if (at)
			memcpy(s->now, at, n);
	}
}

static void note_write(struct pass *p, struct sought *s, const struct write *w)
{
	s->last = *w;
	read_now(p, s);
	memcpy(s->last.after, s->now, sizeof s->now);
	s->is_found = true;
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

/* Returns true if the lane's access touches the bytes. */
static bool is_meant(const struct where_bytes *b, const struct debug_thread *t, uint64_t at, uint64_t size)
{
	const bool same_block = t->launch == b->thread.launch && t->cta == b->thread.cta;
	if (!overlaps(b, at, size) || (is_shared(b->generic) && !same_block))
		return false;
	return !trace_is_local(b->generic) || (same_block && t->thread == b->thread.thread);
}

uint32_t where_lanes(const uint64_t start[2], uint32_t step, uint32_t size, const struct where_bytes *b)
{
	uint32_t lanes = 0;
	for (unsigned half = 0; half < 2; half++) {
		const uint64_t first = start[half], end = b->generic + b->n;
		if (!step) {
			lanes |= 0xffffu << 16 * half;
			continue;
		}
		if (b->generic >= first + 15 * (uint64_t)step + size || first >= end)
			continue;
		const uint64_t low = b->generic >= first + size ? (b->generic - first - size) / step + 1 : 0,
			       last = (end - 1 - first) / step, high = last < 15 ? last : 15;
		lanes |= ((2u << high) - (1u << low)) << 16 * half;
	}
	return lanes;
}

static uint64_t address_of(const struct exec_access *a, unsigned lane)
{
	return a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
}

/* The addresses that an access may touch: two ranges, one for each half of the warp. */
struct reach {
	uint64_t first[2], end[2];
};

static struct reach reach_of(const struct exec_access *a)
{
	struct reach r = {{a->start[0], a->start[1]}, {0}};
	const uint64_t span = 15 * (uint64_t)a->step + a->size;
	r.end[0] = r.first[0] + span;
	r.end[1] = r.first[1] + span;
	if (a->in_halves)
		return r;
	r.first[0] = r.first[1] = UINT64_MAX;
	r.end[0] = r.end[1] = 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		const bool is_active = a->lanes >> lane & 1;
		const uint64_t low = is_active ? a->address[lane] : UINT64_MAX, high = is_active ? a->address[lane] : 0;
		r.first[lane / 16] = low < r.first[lane / 16] ? low : r.first[lane / 16];
		r.end[lane / 16] = high > r.end[lane / 16] ? high : r.end[lane / 16];
	}
	r.end[0] += a->size;
	r.end[1] += a->size;
	return r;
}

static bool may_touch(const struct reach *r, const struct where_bytes *b)
{
	const uint64_t end = b->generic + b->n;
	return (r->first[0] < end && b->generic < r->end[0]) || (r->first[1] < end && b->generic < r->end[1]);
}

/* Returns true if the place holds another value than before the instruction. */
static bool changes(struct pass *p, struct sought *s)
{
	unsigned char was[sizeof s->now];
	memcpy(was, s->now, sizeof was);
	read_now(p, s);
	return memcmp(was, s->now, sizeof was) != 0;
}

/* Stores the call instructions around the instruction that is being executed. */
static void fill_callers(const struct exec *x, struct write *w)
{
	const struct exec_simt *const first = arena_at(x->arena, x->sec_simt, x->warp->simt), *e = x->top;
	for (unsigned k = 0; k < WRITE_CALLERS && e && e->call_depth && e->return_pc != ISA_NO_TARGET; k++) {
		w->callers[k] = e->return_pc + 1;
		e = exec_simt_caller(first, e);
	}
}

/* Notes the lanes' writes to one place. Returns false if the pass is over. */
static bool note_access(struct pass *p, struct sought *s, const struct exec *x, const struct exec_access *a)
{
	const uint64_t executed = x->warp->executed + x->n_run;
	const uint32_t wrote = a->is_atomic ? a->lanes & ~a->failed : a->lanes;
	bool noted = false;
	struct write w = {.pc = x->pc,
			  .executed = executed,
			  .size = a->size,
			  .cycle = gpu_cycle(p->h->g) + x->n_warp_insns + x->n_run};
	memcpy(w.before, s->now, sizeof w.before);
	fill_callers(x, &w);
	LANES_EACH (lane, a->lanes & (a->in_halves ? where_lanes(a->start, a->step, a->size, &s->b) : LANES_ALL)) {
		w.address = address_of(a, lane);
		w.thread = (struct debug_thread){
			.launch = x->cta->launch, .cta = x->cta->linear, .thread = exec_thread_of(x, x->warp->index, lane)};
		if (!is_meant(&s->b, &w.thread, w.address, a->size))
			continue;
		p->over = is_own(p, &w.thread, x->pc, executed);
		if (p->over)
			return false;
		if (!(wrote & lanes_bit(lane)))
			continue;
		if (s->only_changes && !changes(p, s))
			break;
		noted = true;
		note_write(p, s, &w);
		if (s->only_changes)
			break;
	}
	s->last.certain |= noted;
	return true;
}

static void after(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct pass *p = self;
	if (p->over || e->kind != EXEC_EFFECT_ACCESS || !(e->access.is_write || e->access.is_atomic))
		return;
	const struct reach reach = reach_of(&e->access);
	for (size_t k = 0; k < p->n; k++)
		if (!p->s[k].is_over && may_touch(&reach, &p->s[k].b) && !note_access(p, &p->s[k], x, &e->access))
			return;
}

static void note_input(struct pass *p, struct sought *s, const struct gpu_input *in)
{
	unsigned char was[8];
	uint64_t at;
	const bool writes = input_writes(p->h, in, &at) && overlaps(&s->b, at, in->bytes.n);
	memcpy(was, s->now, sizeof was);
	read_now(p, s);
	const bool changed = memcmp(was, s->now, sizeof was) != 0;
	if (p->over || (!writes && !changed))
		return;
	note_write(p, s, &(struct write){
				 .by_host = true, .input = p->h->input - 1, .certain = true, .cycle = gpu_cycle(p->h->g)});
}

/* From where the machine stands; inputs are done one by one, to be seen. */
static enum replay_end run_pass(struct pass *p)
{
	struct history *h = p->h;
	const struct exec_watcher w = {.kinds = EXEC_LOOK(ACCESS), .records = true, .after = after, .self = p};
	const struct until *u = p->u;
	struct replay r = {.cycle = UINT64_MAX, .watcher = &w};
	if (u->thread) {
		r.has_warp = true;
		r.warp = *u->thread;
		/* an atomic may land late: its warp executes nothing before that, and the pass ends with the thread's own access */
		r.executed = u->executed + (u->past ? 2 : 0);
	}
	for (size_t k = 0; k < p->n; k++)
		read_now(p, &p->s[k]);
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
		for (size_t k = 0; k < p->n; k++)
			if (!p->s[k].is_over)
				note_input(p, &p->s[k], in);
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

/* Where recording began: may they have been written before? By a kernel, or by a program that had them already. */
static bool was_in_use(struct history *h, const struct where_bytes *b)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(h->g, b->generic);
	const bool is_there = a && a->live && b->generic >= a->address && b->generic - a->address < a->bytes;
	return h->is_restored || has_launched(h) || (is_there && debug_program_is_there(h->d));
}

/* ---- in which stretch, between two snapshots, to look ---- */

enum memory_kind { OF_DEVICE, OF_BLOCK /* or a thread of it */, OF_HOST /* no kernel can write it */ };
static enum memory_kind kind_of(const struct where_bytes *b)
{
	if (is_shared(b->generic) || trace_is_local(b->generic))
		return OF_BLOCK;
	return b->generic < ISA_MODULE_GLOBALS ? OF_HOST : OF_DEVICE;
}

/* May a program's process write them as well? So it may what its library has mapped on both sides, and perhaps what isn't known. */
static bool is_mapped(struct history *h, const struct where_bytes *b)
{
	bool is_own = b->generic < ISA_MODULE_GLOBALS_END;
	if (!debug_program_is_there(h->d))
		return false;
	for (size_t k = 0; k < h->journal.n; k++) {
		const struct gpu_input *in = &h->journal.entry[k]->input;
		if ((in->kind == GPU_INPUT_ALLOC || in->kind == GPU_INPUT_ALLOC_PAGES) &&
		    overlaps(b, (uint64_t)h->journal.entry[k]->result, in->alloc.bytes)) {
			is_own = in->kind == GPU_INPUT_ALLOC;
			if (!is_own)
				break;
		}
	}
	return !is_own;
}

/* Returns whether every write to the bytes leaves a trace in the marks of the arena. */
static bool leaves_trace(struct history *h, const struct where_bytes *b)
{
	const struct exec *x = gpu_exec(h->g);
	const uint64_t end = x->arena->section[x->sec_global].used;
	return b->n && kind_of(b) == OF_DEVICE && b->generic < end && b->n <= end - b->generic && !is_mapped(h, b);
}

/* The last input in front of so many that writes to them: zeros over zeros leave no trace. False: there is none. */
static bool input_before(struct history *h, const struct where_bytes *b, size_t n, size_t *which)
{
	uint64_t at;
	for (size_t k = n; k-- > 0;) {
		const struct gpu_input *in = &h->journal.entry[k]->input;
		*which = k;
		if (input_writes(h, in, &at) && overlaps(b, at, in->bytes.n))
			return true;
	}
	return false;
}

/* The stretch that ends where the k-th snapshot stands is the next one to look at, if they can have been written there; else an earlier one: where it
 * begins. Some may have gone meanwhile: the one with that number is a later one then. */
static size_t earlier_stretch(struct history *h, const struct where_bytes *b, size_t k, struct history_position *end)
{
	const struct snapshot *s = h->snap;
	size_t input, at = k - 1;
	const bool has_input = input_before(h, b, s[k].at.input, &input);
	if (kind_of(b) == OF_DEVICE && (!leaves_trace(h, b) || !arena_has_mark(gpu_arena(h->g), s[k].mark))) {
		*end = s[k].at;
		return at;
	}
	const uint64_t mark =
		kind_of(b) == OF_DEVICE
			? arena_mark_of_write(gpu_arena(h->g), s[k].mark, gpu_exec(h->g)->sec_global, b->generic, b->n)
		: kind_of(b) == OF_BLOCK ? s[at].mark
					 : 0;
	while (at && (!mark || s[at].mark > mark) && (!has_input || s[at].at.input > input))
		at--;
	*end = (mark >= s[at].mark && mark) || (has_input && input >= s[at].at.input) ? s[at + 1].at : s[at].at;
	return at;
}

/* ---- a glance at a stretch: are the bytes written in it? ---- */

/* Returns true if a lane's access touches the bytes. */
static bool touches(const struct where_bytes *b, const struct exec *x, const struct exec_access *a)
{
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = address_of(a, lane);
		const struct debug_thread t = {
			.launch = x->cta->launch, .cta = x->cta->linear, .thread = exec_thread_of(x, x->warp->index, lane)};
		if (overlaps(b, at, a->size) && is_meant(b, &t, at, a->size))
			return true;
	}
	return false;
}

struct glance {
	const struct pass *pass;
	bool seen;
};

static bool glance_at(void *self, const struct exec *x, const struct exec_effect *e)
{
	struct glance *g = self;
	const struct exec_access *a = &e->access;
	if (g->seen || e->kind != EXEC_EFFECT_ACCESS || !(a->is_write || a->is_atomic))
		return false;
	const struct reach reach = reach_of(a);
	for (size_t k = 0; k < g->pass->n && !g->seen; k++)
		if (!g->pass->s[k].is_over && may_touch(&reach, &g->pass->s[k].b))
			g->seen = touches(&g->pass->s[k].b, x, a);
	return false;
}

/* Returns true if a glance between the snapshot and the pass's end says whether the bytes are written. */
static bool glance_is_enough(const struct pass *p, const struct where_bytes *b)
{
	struct history *h = p->h;
	const bool in_global = kind_of(b) == OF_DEVICE;
	size_t input;
	if (kind_of(b) == OF_HOST || exec_pending_count(gpu_exec(h->g)) ||
	    (in_global && !leaves_trace(h, b)))
		return false;
	return !input_before(h, b, p->u->limit->input, &input) || input < h->input;
}

/* Runs from the snapshot, where the machine stands, to the end of the pass. Returns false if no place that is left is written there; what a
 * glance can't say counts as written. */
static bool is_written(struct pass *p)
{
	struct history *h = p->h;
	struct glance g = {.pass = p};
	struct exec_range ranges[SOUGHT_MAX];
	struct exec_watcher w = {.self = &g, .before = glance_at, .ranges = ranges};
	for (size_t k = 0; k < p->n; k++)
		if (!p->s[k].is_over && !glance_is_enough(p, &p->s[k].b))
			return true;
	for (size_t k = 0; k < p->n; k++) {
		const struct where_bytes *b = &p->s[k].b;
		if (p->s[k].is_over)
			continue;
		if (kind_of(b) == OF_DEVICE)
			ranges[w.n_ranges++] = (struct exec_range){.address = b->generic, .n = b->n, .writes = true};
		else
			w.spaces |= 1u << (is_shared(b->generic) ? ISA_SPACE_SHARED : ISA_SPACE_LOCAL);
	}
	const enum replay_end e = replay(h, &(struct replay){.to = p->u->limit, .cycle = UINT64_MAX, .watcher = &w});
	return g.seen || e != REPLAY_LIMIT;
}

/* Returns true if the bytes may have been written before. */
static bool has_begun(struct history *h, const struct where_bytes *b)
{
	bool over;
	return kind_of(b) != OF_BLOCK || gpu_find_cta(h->g, b->thread.launch, b->thread.cta, &over) >= 0 || over;
}

/* Looks from the k-th snapshot to the end of the pass. `glances`: first at whether there is a write. Returns false as find_write. */
static bool look_at_stretch(struct pass *p, size_t k, bool glances)
{
	if (glances && !is_written(p))
		return true;
	if (glances && !snapshot_go_back(p->h, k))
		return false;
	const enum replay_end e = run_pass(p);
	return e != REPLAY_FAILED && e != REPLAY_INTERRUPTED;
}

/* Settles a stretch that begins at a snapshot. `in_use`, `begun`: what is known there of each place. Returns true if nothing is left to be found. */
static bool settle(struct pass *p, const bool *in_use, const bool *begun, bool is_first)
{
	bool over = true;
	for (size_t k = 0; k < p->n; k++) {
		struct sought *s = &p->s[k];
		if (s->is_over)
			continue;
		s->last.before_begun = in_use[k] && begun[k];
		s->is_over = s->is_found || is_first || !begun[k];
		over &= s->is_over;
	}
	return over;
}

/* Looks at the stretch from the k-th snapshot, where the machine stands. Returns false as find_writes; *over: nothing is left to be found. */
static bool look_from(struct pass *p, size_t k, bool glances, bool *over)
{
	bool in_use[SOUGHT_MAX], begun[SOUGHT_MAX];
	for (size_t j = 0; j < p->n; j++) {
		in_use[j] = was_in_use(p->h, &p->s[j].b);
		begun[j] = has_begun(p->h, &p->s[j].b);
	}
	p->over = false;
	if (!look_at_stretch(p, k, glances))
		return false;
	*over = settle(p, in_use, begun, !k);
	return true;
}

/* Returns the latest of the stretches that are next for what is left, as earlier_stretch. */
static size_t next_stretch(const struct pass *p, size_t k, struct history_position *end)
{
	struct history_position own;
	size_t best = 0;
	bool any = false;
	for (size_t j = 0; j < p->n; j++) {
		if (p->s[j].is_over)
			continue;
		const size_t at = earlier_stretch(p->h, &p->s[j].b, k, &own);
		if (!any || at > best || (at == best && history_compare(&own, end) > 0))
			*end = own;
		best = !any || at > best ? at : best;
		any = true;
	}
	return best;
}

bool find_writes(struct history *h, struct sought *s, size_t n, const struct until *u)
{
	struct history_position end = *u->limit;
	const struct until to_end = {u->thread, u->executed, u->past, u->pc, &end};
	struct pass p = {.h = h, .s = s, .n = n, .u = &to_end};
	bool is_first = true, over = false;
	for (size_t k = 0; k < n; k++) {
		s[k].last = (struct write){0};
		s[k].is_found = s[k].is_over = false;
	}
	snapshot_go_forward(h, u->limit, UINT64_MAX); /* an earlier look may have gone further back */
	for (size_t k = snapshot_before(h, u->limit, false); k < h->n_snaps;) {
		if (!snapshot_go_back(h, k))
			return false;
		if (is_in_front(h, u)) {
			if (!look_from(&p, k, !is_first, &over))
				return false;
			is_first = false;
		}
		if (over || !k)
			return true;
		k = k < h->n_snaps ? next_stretch(&p, k, &end) : h->n_snaps - 1;
	}
	return true;
}

#define WINDOWS_IN_FRONT 2u /* that are recorded before stretches without a write are passed over */

/* Looks in what windows have recorded, and records some more. *rest: what is left to be looked through by find_writes. */
static enum window_answer look_in_windows(struct history *h, const struct where_bytes *b, const struct until *u,
					  struct write *out, struct until *rest, struct window_begin *begin, bool *failed)
{
	enum window_answer a = windows_write(h->windows, b, u, out, begin);
	*rest = *u;
	if (a == WINDOW_UNKNOWN && u->thread &&
	    windows_record(h->windows, u->thread, u->executed + u->past, u->limit, failed))
		a = windows_write(h->windows, b, u, out, begin);
	const unsigned most = windows_do_grow(h->windows) ? WINDOWS_IN_FRONT : 0;
	for (unsigned k = 0; k < most && a == WINDOW_EARLIER && !*failed && begin->executed; k++) {
		if (!windows_record(h->windows, &begin->thread, begin->executed, u->limit, failed))
			break;
		a = windows_write(h->windows, b, u, out, begin);
	}
	if (a == WINDOW_EARLIER)
		*rest = (struct until){.thread = &begin->thread, .executed = begin->executed, .limit = u->limit};
	return a;
}

bool find_write(struct history *h, const struct where_bytes *b, const struct until *u, struct write *out, bool *found)
{
	struct sought s = {.b = *b};
	struct window_begin begin;
	struct until rest;
	bool failed = false;
	*found = look_in_windows(h, b, u, out, &rest, &begin, &failed) == WINDOW_FOUND;
	if (*found || failed)
		return *found;
	const bool ok = find_writes(h, &s, 1, &rest);
	*out = s.last;
	*found = s.is_found;
	return ok;
}

/* The last write to memory, by running again what was: from snapshot to snapshot, the latest first. */
#include "base/arena_marks.h"
#include "debug/program.h"
#include "exec/pending.h"
#include "history/trace.h"

#include <string.h>

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
	const uint32_t wrote = a->is_atomic ? a->lanes & ~a->failed : a->lanes;
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
		if (!(wrote & lanes_bit(lane)))
			continue;
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

/* Where recording began: may they have been written before? By a kernel, or by a program that had them already. */
static bool was_in_use(struct history *h, const struct where_bytes *b)
{
	const struct gpu_allocation *a = gpu_nearest_allocation(h->g, b->generic);
	const bool is_there = a && a->live && b->generic >= a->address && b->generic - a->address < a->bytes;
	return has_launched(h) || (is_there && debug_program_is_there(h->d));
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
		    overlaps(b, (uint64_t)h->journal.entry[k]->result, in->n)) {
			is_own = in->kind == GPU_INPUT_ALLOC;
			if (!is_own)
				break;
		}
	}
	return !is_own;
}

/* Does whoever writes to them leave a trace in the marks of the arena? */
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
		if (input_writes(h, in, &at) && overlaps(b, at, in->n))
			return true;
	}
	return false;
}

/* The stretch that ends where the k-th snapshot stands is the next one to look at, if anybody can have written them there; else an earlier one: where it
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

/* ---- a glance at a stretch: does anybody write to them? ---- */

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
	LANES_EACH (lane, a->lanes) {
		const uint64_t at = a->in_halves ? a->start[lane / 16] + lane % 16 * a->step : a->address[lane];
		const struct debug_thread t = {
			.launch = x->cta->launch, .cta = x->cta->linear, .thread = x->warp->index * LANES + lane};
		g->seen |= is_meant(g->pass, &t, at, a->size);
	}
	return false;
}

/* Accesses to these pages, or spaces, are looked at. Which of the flags were set comes back in `was`, or is set again. */
static void watch_pages(struct history *h, const struct where_bytes *b, uint8_t *was, bool on)
{
	const struct exec *x = gpu_exec(h->g);
	uint8_t *flags = x->arena->section[x->sec_global].page_flags;
	const uint64_t first = b->generic >> ARENA_PAGE_SHIFT, last = (b->generic + b->n - 1) >> ARENA_PAGE_SHIFT;
	for (uint64_t p = first; p <= last; p++) {
		if (on)
			was[p - first] = flags[p] & ARENA_PAGE_WATCH_WRITE;
		flags[p] = (uint8_t)((flags[p] & ~ARENA_PAGE_WATCH_WRITE) |
				     (on ? ARENA_PAGE_WATCH_WRITE : was[p - first]));
	}
}

#define PAGES_MAX 64u

/* False: nobody writes to them between the snapshot, where the machine stands, and the end of the pass; it is run to there. What can't be said at a
 * glance counts as written. */
static bool is_written(struct pass *p)
{
	struct history *h = p->h;
	struct glance g = {.pass = p};
	uint8_t was[PAGES_MAX];
	size_t input;
	const bool in_global = kind_of(p->b) == OF_DEVICE;
	const struct exec_observer o = {
		.pages = in_global,
		.spaces = in_global ? 0 : 1u << (is_shared(p->b->generic) ? ISA_SPACE_SHARED : ISA_SPACE_LOCAL),
		.before = glance_at,
		.self = &g};
	if (kind_of(p->b) == OF_HOST || exec_pending_count(gpu_exec(h->g)) ||
	    (in_global && (!leaves_trace(h, p->b) || p->b->n > (PAGES_MAX - 1) * ARENA_PAGE)))
		return true;
	if (input_before(h, p->b, p->u->limit->input, &input) && input >= h->input)
		return true;
	if (in_global)
		watch_pages(h, p->b, was, true);
	const enum replay_end e = replay(h, &(struct replay){.to = p->u->limit, .cycle = UINT64_MAX, .observer = &o});
	if (in_global)
		watch_pages(h, p->b, was, false);
	return g.seen || e != REPLAY_LIMIT;
}

/* Nobody can have written them before. */
static bool has_begun(struct history *h, const struct where_bytes *b)
{
	bool over;
	return kind_of(b) != OF_BLOCK || gpu_find_cta(h->g, b->thread.launch, b->thread.cta, &over) >= 0 || over;
}

/* From the k-th snapshot to the end of the pass. `glances`: nothing but that may be asked before. False as find_write. */
static bool look_at_stretch(struct pass *p, size_t k, bool glances)
{
	if (glances && !is_written(p))
		return true;
	if (glances && !snapshot_go_back(p->h, k))
		return false;
	const enum replay_end e = run_pass(p);
	return e != REPLAY_FAILED && e != REPLAY_INTERRUPTED;
}

bool find_write(struct history *h, const struct where_bytes *b, const struct until *u, struct write *out, bool *found)
{
	struct history_position end = *u->limit;
	const struct until to_end = {u->thread, u->executed, u->past, u->pc, &end};
	struct pass p = {.h = h, .b = b, .u = &to_end};
	bool is_first = true;
	*found = false;
	*out = (struct write){0};
	snapshot_go_forward(h, u->limit, 0); /* an earlier look may have gone further back */
	for (size_t k = snapshot_before(h, u->limit, false); k < h->n_snaps;) {
		if (!snapshot_go_back(h, k))
			return false;
		if (is_in_front(h, u)) {
			const bool begun = was_in_use(h, b), has = has_begun(h, b);
			p.found = p.over = false;
			if (!look_at_stretch(&p, k, !is_first))
				return false;
			is_first = false;
			*found = p.found;
			*out = p.last;
			out->before_begun = begun && has;
			if (p.found || !k || !has)
				return true;
		}
		if (!k)
			return true;
		k = k < h->n_snaps ? earlier_stretch(h, b, k, &end) : h->n_snaps - 1;
	}
	return true;
}

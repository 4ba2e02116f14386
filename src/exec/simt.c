#include "exec/simt.h"

#include <assert.h>

#include "exec/barrier.h"
#include "exec/heap.h"

static struct exec_simt *simt_first(const struct exec *x) { return arena_at(x->arena, x->sec_simt, x->warp->simt); }

static bool simt_grow(struct exec *x)
{
	struct exec_warp *w = x->warp;
	uint64_t bytes = (uint64_t)w->cap_simt * sizeof(struct exec_simt);
	uint64_t at = heap_alloc(x->arena, x->sec_simt, 2 * bytes);
	if (!at)
		return false;
	memcpy(arena_at(x->arena, x->sec_simt, at), simt_first(x), bytes);
	heap_free(x->arena, x->sec_simt, w->simt, bytes);
	w->simt = at;
	w->cap_simt *= 2;
	x->top = simt_first(x) + w->n_simt - 1;
	return true;
}

bool simt_push(struct exec *x, const struct exec_simt *e)
{
	struct exec_simt copy = *e; /* *e may lie in the stack that moves */
	if (x->warp->n_simt == x->warp->cap_simt && !simt_grow(x))
		return false;
	x->warp->n_simt++;
	*++x->top = copy;
	return true;
}

static bool frame_in_use(const struct exec *x, uint64_t frame)
{
	const struct exec_simt *first = simt_first(x);
	for (const struct exec_simt *e = x->top; e >= first; e--)
		if (e->frame == frame)
			return true;
	return false;
}

static void simt_pop(struct exec *x)
{
	struct exec_warp *w = x->warp;
	struct exec_simt *t = x->top;
	w->n_simt--;
	x->top--;
	if (w->mixed && frame_in_use(x, t->frame))
		return;
	if (w->n_simt == 1)
		w->mixed = false;
	if (w->n_simt && x->top->frame == t->frame) {
		if (t->local_top > x->top->local_top)
			x->top->local_top = t->local_top;
		return;
	}
	heap_free(x->arena, x->sec_frame, t->frame, t->frame_bytes);
}

static void pop_finished(struct exec *x)
{
	while (x->warp->n_simt && (!x->top->mask || x->top->pc == x->top->rpc))
		simt_pop(x);
}

void simt_drop(struct exec *x, struct exec_simt *e)
{
	const struct exec_simt gone = *e;
	memmove(e, e + 1, (size_t)(x->top - e) * sizeof *e);
	x->warp->n_simt--;
	x->top--;
	if (!frame_in_use(x, gone.frame))
		heap_free(x->arena, x->sec_frame, gone.frame, gone.frame_bytes);
}

void simt_merge(struct exec *x)
{
	for (struct exec_simt *e = x->top - 1; e >= simt_first(x); e--) {
		struct exec_simt *t = x->top;
		if (e->frame != t->frame || e->pc != t->pc || e->rpc != t->rpc || e->mask & t->mask)
			continue;
		t->mask |= e->mask;
		if (e->local_top > t->local_top)
			t->local_top = e->local_top;
		simt_drop(x, e);
	}
	simt_load_top(x);
}

static uint32_t waiting_lanes(const struct exec_warp *w) { return w->barrier_lanes | w->sync_lanes; }

/* Lanes of an entry below the top run: in an entry of their own on top, if those that keep their place in it are not all. */
static void bring_up(struct exec *x, struct exec_simt *e, uint32_t lanes)
{
	struct exec_simt other = *e;
	other.mask = lanes;
	if (e->mask == lanes) {
		/* the whole entry: an empty one left behind for every turn would let the stack of a long run grow without end */
		memmove(e, e + 1, (size_t)(x->top - e) * sizeof *e);
		*x->top = other;
		return;
	}
	e->mask &= ~lanes;
	bool room = simt_push(x, &other);
	assert(room && "SIMT stack section full");
}

/* Runs other lanes while the top entry's lanes wait in a barrier or a warp-level instruction: lanes that don't wait move from the highest entry that has
 * some to a new entry on top. They may run past their reconvergence point. */
static void run_the_others(struct exec *x)
{
	struct exec_warp *w = x->warp;
	struct exec_simt *first = simt_first(x), *e = x->top;
	uint32_t above = waiting_lanes(w);
	while (e > first && !(e->mask & ~above)) {
		above |= e->mask;
		e--;
	}
	assert(e->mask & ~above && "a warp all of whose lanes wait has arrived");
	w->mixed = w->mixed || e != x->top;
	bring_up(x, e, e->mask & ~above);
}

void simt_settle(struct exec *x)
{
	pop_finished(x);
	while (x->warp->n_simt && x->top->mask & waiting_lanes(x->warp) && x->warp->state == EXEC_WARP_RUNNABLE) {
		run_the_others(x);
		pop_finished(x);
	}
	if (!x->warp->n_simt) {
		x->event = EXEC_EVENT(EXEC_DONE);
		return;
	}
	simt_load_top(x);
	x->event = EXEC_EVENT_CONTROL;
}

void simt_goto(struct exec *x, uint32_t pc)
{
	x->top->pc = pc;
	x->event = EXEC_EVENT_CONTROL;
	if (pc == x->top->rpc)
		simt_settle(x);
}

/* Returns the lowest entry below the top with lanes that can run and are not `excluded`, so that every way gets a turn. Prefers entries all of whose
 * lanes stand there to reconvergence entries in which only some wait. *lanes: the lanes of it. Returns NULL if there is none. */
static struct exec_simt *lowest_other(const struct exec *x, uint32_t excluded, uint32_t *lanes)
{
	struct exec_simt *const first = simt_first(x), *whole = NULL, *part = NULL;
	uint32_t above = x->top->mask, of_part = 0;
	for (struct exec_simt *e = x->top - 1; e >= first; e--) {
		const uint32_t could = e->mask & ~above & ~waiting_lanes(x->warp) & ~excluded;
		if (could && !(e->mask & above))
			whole = e, *lanes = could;
		else if (could)
			part = e, of_part = could;
		above |= e->mask;
	}
	if (!whole && part)
		*lanes = of_part;
	return whole ? whole : part;
}

void simt_sleep(struct exec *x, uint32_t pc)
{
	const uint32_t sleepers = x->top->mask;
	uint32_t lanes = 0;
	simt_goto(x, pc);
	if (x->top->mask != sleepers || x->top->pc != pc) /* the lanes already wait to reconverge */
		return;
	struct exec_simt *e = lowest_other(x, 0, &lanes);
	if (!e)
		return;
	x->warp->mixed = true;
	bring_up(x, e, lanes);
	simt_settle(x);
}

/* Merges into the top entry the lanes of other entries with the same activation, next instruction and reconvergence point. Lanes that an entry shares
 * with a higher entry run in the higher one, and stay. */
static void merge_at_place(struct exec *x)
{
	uint32_t above = x->top->mask;
	for (struct exec_simt *e = x->top - 1; e >= simt_first(x); e--) {
		struct exec_simt *t = x->top;
		const uint32_t own = e->mask & ~above & ~waiting_lanes(x->warp);
		above |= e->mask;
		if (!own || e->frame != t->frame || e->pc != t->pc || e->rpc != t->rpc)
			continue;
		t->mask |= own;
		e->mask &= ~own;
		if (e->local_top > t->local_top)
			t->local_top = e->local_top;
		if (!e->mask)
			simt_drop(x, e);
	}
	simt_load_top(x);
}

/* Brings up the next way with lanes that are not `excluded`. Returns false, with the top entry as it was, if there is none. */
static bool next_way(struct exec *x, uint32_t excluded)
{
	uint32_t lanes;
	struct exec_simt *e;
	while ((e = lowest_other(x, excluded, &lanes))) {
		x->warp->mixed = true;
		bring_up(x, e, lanes);
		simt_settle(x);
		/* if those lanes have reconverged at once, the entry they left is on top again */
		if (x->top->mask & ~excluded)
			return true;
	}
	return false;
}

bool exec_switch_way(struct exec *x, struct exec_cta *cta, uint32_t warp, struct exec_ways *ways, uint64_t epoch, uint32_t lanes)
{
	const struct exec_warp *w = &cta->warp[warp];
	simt_load_warp(x, cta, &cta->warp[warp]);
	const uint32_t running = x->top->mask;
	if (ways->epoch != epoch || ways->spin_lanes & running)
		ways->spin_lanes = 0;
	ways->epoch = epoch;
	ways->since = w->executed;
	ways->spin_lanes |= lanes & ~w->exited;
	const bool any = next_way(x, ways->spin_lanes | running);
	if (any || next_way(x, running))
		merge_at_place(x);
	x->event = 0;
	return any;
}

/* Order of the stack: the group with the highest lane first. */
static void sort_groups(struct simt_group *g, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = i; k && g[k].lanes > g[k - 1].lanes; k--) {
			struct simt_group t = g[k];
			g[k] = g[k - 1];
			g[k - 1] = t;
		}
}

void simt_diverge(struct exec *x, struct simt_group *g, unsigned n, uint32_t reconv)
{
	sort_groups(g, n);
	struct exec_simt t = *x->top;
	unsigned left = 0;
	/* those already where the top entry's lanes meet wait in the entry below */
	for (unsigned k = 0; k < n; k++) {
		if (g[k].pc == t.rpc)
			t.mask &= ~g[k].lanes;
		else
			g[left++] = g[k];
	}
	if (left <= 1) {
		x->top->mask = t.mask;
		x->top->pc = left ? g[0].pc : t.rpc;
		simt_settle(x);
		return;
	}
	uint32_t *keep = &x->warp->n_simt;
	if (reconv == t.rpc) {
		(*keep)--;
		x->top--;
	} else {
		x->top->pc = reconv;
		x->top->mask = t.mask;
	}
	struct exec_simt e = t;
	e.rpc = reconv;
	for (unsigned k = 0; k < left; k++) {
		if (g[k].pc == reconv)
			continue;
		e.pc = g[k].pc;
		e.mask = g[k].lanes;
		bool room = simt_push(x, &e);
		/* at most two entries for each lane in an activation, and calls see to their own room */
		assert(room && "SIMT stack section full");
	}
	simt_settle(x);
}

static void remove_lanes(struct exec *x, uint32_t lanes, uint64_t only_frame)
{
	struct exec_simt *first = simt_first(x);
	for (struct exec_simt *e = x->top; e >= first; e--) {
		if (!only_frame || e->frame == only_frame)
			e->mask &= ~lanes;
		else if (!x->warp->mixed)
			break;
	}
}

void simt_exit(struct exec *x, uint32_t lanes)
{
	x->warp->exited |= lanes;
	x->top->pc = x->pc + 1;
	remove_lanes(x, lanes, 0);
	/* those that waited for them go back to their instruction */
	x->warp->sync_lanes = 0;
	if (x->warp->barrier_lanes)
		barrier_lanes_left(x);
	else
		simt_settle(x);
}

void simt_return(struct exec *x, uint32_t lanes)
{
	x->top->pc = x->pc + 1;
	remove_lanes(x, lanes, x->top->frame);
	simt_settle(x);
}

struct exec_simt *simt_caller(const struct exec *x)
{
	struct exec_simt *const first = simt_first(x);
	const struct exec_simt *caller = exec_simt_caller(first, x->top);
	return caller ? first + (caller - first) : NULL;
}

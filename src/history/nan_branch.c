/* find-nan in performance mode, on a branch (branch.h): the last launch is run again in functional mode, which takes a fraction of the time, and the ways
 * are followed there. A warp executes the same instructions in both modes, unless the kernel's result depends on the order of its warps. So the answer
 * counts only if memory ends up the same, if warps accessed no memory without an order (order.h), and if the recorded run has the births, too. */
#include "base/hash.h"
#include "history/branch.h"
#include "history/nan_log.h"
#include "history/order.h"
#include "history/window.h"

#include <string.h>

#define CYCLES_LEAST UINT64_C(20000) /* a shorter launch is run again as it was */
#define BYTES_MOST UINT64_C(512)     /* of device memory for each of its cycles; the digests of more take too long */

/* Returns a digest of device memory. */
static uint64_t memory_digest(struct history *h)
{
	const struct exec *x = gpu_exec(h->g);
	const struct arena_section *s = &x->arena->section[x->sec_global];
	uint64_t digest = 0;
	for (uint64_t at = 0; arena_next_page(x->arena, x->sec_global, &at); at += ARENA_PAGE)
		digest = hash_bytes(s->base + at, ARENA_PAGE, digest ^ at);
	return digest;
}

/* Returns true if the input may come between a launch and the question: it changes no memory. */
static bool is_harmless(enum gpu_input_kind kind)
{
	return kind == GPU_INPUT_READ || kind == GPU_INPUT_WAITED || kind == GPU_INPUT_POOL || kind == GPU_INPUT_MARK;
}

/* Returns true if a launch made at a moment was so long that it's worth a branch. */
static bool is_long(const struct history *h, const struct gpu_moment *begin)
{
	const uint64_t cycles = gpu_cycle(h->g) - begin->cycle;
	uint64_t bytes = 0;
	size_t n;
	const struct gpu_allocation *a = gpu_allocations(h->g, &n);
	for (size_t k = 0; k < n; k++)
		bytes += a[k].live ? a[k].bytes : 0;
	return cycles >= CYCLES_LEAST && bytes / BYTES_MOST <= cycles;
}

/* Returns true if the launch was long enough, and nothing else has changed memory since it was made. */
static bool is_last_change(const struct history *h, uint32_t id)
{
	for (size_t k = h->input; k-- > 0;) {
		const struct journal_entry *e = h->journal.entry[k];
		if (e->input.kind == GPU_INPUT_LAUNCH)
			return e->result == (int64_t)id && is_long(h, &e->at);
		if (!is_harmless(e->input.kind))
			return false;
	}
	return false;
}

/* Returns true if all elements are in memory, as it is now. */
static bool are_in_memory(const struct nan_element *w, size_t n)
{
	bool are = true;
	for (size_t k = 0; k < n; k++)
		are &= w[k].p.in_memory && !w[k].p.has_then && !w[k].p.until.thread && !w[k].p.until.executed &&
		       !w[k].p.until.past && !w[k].p.until.pc && w[k].p.bytes.generic >= ISA_MODULE_GLOBALS;
	return are;
}

/* Finds the launch to be run again: the last one, if it has ended, was long enough, and made what memory holds. */
static bool find_launch(struct history *h, uint32_t *id)
{
	struct gpu_launch_info l;
	const uint32_t n = gpu_launch_count(h->g);
	*id = n - 1;
	return n && gpu_launch_get(h->g, *id, &l) && l.performance && l.state == GPU_LAUNCH_DONE && !l.parent &&
	       is_last_change(h, *id) && order_is_fixed_by_code(h, &l.launch);
}

/* Runs the launch in functional mode, on the branch. Returns false if that doesn't say what the recorded run has done. */
static bool make_branch(struct nan_search *s, uint32_t id, struct history_branch *b)
{
	struct history *h = s->h;
	const uint64_t digest = memory_digest(h);
	struct text why = {0};
	struct order *o = order_create(h, id);
	const bool ok = o && history_branch_make(h, id, GPU_MODE_FUNCTIONAL, NULL, &s->here, b, &why);
	const bool is_same = ok && !b->failure[0] && order_is_fixed(o) && memory_digest(h) == digest;
	order_free(o);
	text_free(&why);
	return is_same;
}

/* Makes the windows forget the branch. */
static void renew_windows(struct history *h)
{
	windows_free(h->windows);
	h->windows = windows_create(h);
	history_grow_windows(h);
}

/* ---- the recorded run ---- */

static bool is_same_step(const struct exec *x, const struct nan_origin *a, const struct nan_origin *b)
{
	return a->how == NAN_BORN && a->thread.launch == b->thread.launch && a->thread.cta == b->thread.cta &&
	       exec_warp_of(x, a->thread.thread) == exec_warp_of(x, b->thread.thread) && a->step.executed == b->step.executed;
}

/* Finds a birth in the recorded run. `is_there`: the machine stands in front of it. Returns false if there is none. */
static bool confirm(struct nan_search *s, struct nan_origin *o, bool is_there)
{
	struct history *h = s->h;
	struct debug_step step;
	if (!is_there && !trace_go(h, &o->thread, o->step.executed, &s->here))
		return false;
	if (!debug_step_ahead(h->d, &o->thread, &step) || step.executed != o->step.executed || step.pc != o->step.pc ||
	    !step.active || !step.executes)
		return false;
	o->step = step;
	return true;
}

static bool confirm_all(struct nan_search *s, struct nan_element *w, size_t n)
{
	bool ok = true;
	for (size_t k = 0; ok && k < n; k++) {
		ok = w[k].o.how != NAN_LOST;
		if (w[k].o.how == NAN_BORN)
			ok = confirm(s, &w[k].o, k && is_same_step(gpu_exec(s->h->g), &w[k - 1].o, &w[k].o));
	}
	return ok;
}

bool nan_branch_run(struct nan_search *s, struct nan_element *w, size_t n, nan_search_way *run)
{
	struct history *h = s->h;
	const struct history_position here = s->here;
	struct history_branch b = {.taken = false};
	struct nan_element found[NAN_ELEMENTS_MAX];
	uint32_t id;
	if (n > NAN_ELEMENTS_MAX || !are_in_memory(w, n) || !find_launch(h, &id))
		return false;
	memcpy(found, w, n * sizeof *w);
	bool ok = make_branch(s, id, &b);
	if (ok) {
		s->here = b.end;
		run(s, found, n);
		s->here = here;
	}
	const bool is_back = history_branch_take(h, &b, false);
	history_branch_free(&b);
	renew_windows(h);
	ok = ok && is_back && confirm_all(s, found, n);
	for (size_t k = 0; k < n; k++)
		w[k] = ok ? found[k] : w[k];
	for (size_t k = 0; !is_back && k < n; k++)
		w[k].o = (struct nan_origin){.how = NAN_LOST};
	return ok || !is_back;
}

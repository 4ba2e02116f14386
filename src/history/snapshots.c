/* Snapshots: when they are made, which stay, and going back to one.
 *
 * They come after so much work as makes their cost small beside it. When they take more memory than they may, those go whose absence costs least: what
 * would have to be run again then, measured by how long ago it was. So there are many near the present and few far from it; the first stays. On
 * a way back they are denser the nearer the place is that it leads to, as a step back is mostly followed by another one. */
#include <stdlib.h>
#include <string.h>

#include "base/arena_marks.h"
#include "base/xalloc.h"
#include "history/internal.h"

/* Estimated times on the host, in nanoseconds. */
#define NS_INSN 10u	  /* of a warp instruction in functional mode */
#define NS_CYCLE 1000u	  /* in performance mode: of a cycle, */
#define NS_CORE 55u	  /* of each core in it, */
#define NS_ISSUE 350u	  /* of an instruction, */
#define NS_FLIT 500u	  /* and of a flit from memory */
#define NS_SNAPSHOT 60000u /* of a snapshot, with: */
#define NS_COMPARED 250u  /* a page that was compared, */
#define NS_CHANGED 700u	  /* a page that had changed, */
#define NS_SAVED 500u	  /* a page that was saved when it was written */
#define INTERVAL 8000000u
#define COST 32u      /* at most one part in so many */
#define NEAR_PARTS 6u /* on a way back: a snapshot after so large a part of what is still to come */
#define NEAR_LEAST 500000u
#define SNAPSHOTS_MAX 512u
#define SPARE_LEAST (UINT64_C(4) << 20)
#define SPARE_PARTS 16u /* of the memory: for a way back, and for what is freed and not given back to the host */
#define AGE_PARTS 32.0 /* a snapshot goes if its neighbours lie closer together than such a part of its age */

/* ---- work ---- */

static uint64_t per_cycle(const struct history *h)
{
	return gpu_is_performance(h->g) ? NS_CYCLE + NS_CORE * (uint64_t)gpu_exec(h->g)->n_cores : NS_INSN;
}

static uint64_t since(uint64_t now, uint64_t before) { return now > before ? now - before : 0; }

static void count_work(struct history *h)
{
	struct gpu_moment now;
	gpu_moment_now(h->g, &now);
	const uint64_t flits = gpu_flits_sent(h->g), cycles = since(now.cycle, h->work_cycle);
	const uint64_t work = cycles * per_cycle(h) + since(now.issued, h->work_issued) * NS_ISSUE +
			      since(flits, h->work_flits) * NS_FLIT;
	h->work += work;
	h->rate = cycles ? work / cycles : h->rate;
	h->work_cycle = now.cycle;
	h->work_issued = now.issued;
	h->work_flits = flits;
}

/* Returns the estimated cost of a snapshot: what the last one cost. */
static uint64_t cost_of_one(const struct history *h)
{
	struct arena_mark_cost c;
	arena_marks_cost(gpu_arena(h->g), &c);
	return NS_SNAPSHOT + c.compared * NS_COMPARED + c.changed * NS_CHANGED + c.saved * NS_SAVED;
}

static uint64_t interval_of(const struct history *h)
{
	if (h->interval)
		return h->interval;
	const uint64_t cost = cost_of_one(h), usual = cost * COST > INTERVAL ? cost * COST : INTERVAL;
	if (h->near == UINT64_MAX)
		return usual;
	const uint64_t cycle = gpu_cycle(h->g),
		       left = h->near > cycle ? (h->near - cycle) * per_cycle(h) / NEAR_PARTS : 0;
	const uint64_t least = 2 * cost > NEAR_LEAST ? 2 * cost : NEAR_LEAST;
	return left < least ? least : left < usual ? left : usual;
}

/* In which cycle it is looked again whether one is due. */
static void look_in(struct history *h, uint64_t work)
{
	const uint64_t rate = h->rate > per_cycle(h) ? h->rate : per_cycle(h);
	h->due = gpu_cycle(h->g) + work / rate + 1;
}

/* ---- which stay ---- */

static void free_beside(struct history *h, const struct snapshot *s)
{
	h->beside_bytes -= s->stalls_bytes;
	free(s->stalls);
}

static void drop(struct history *h, size_t k)
{
	free_beside(h, &h->snap[k]);
	if (arena_has_mark(gpu_arena(h->g), h->snap[k].mark))
		arena_drop_mark(gpu_arena(h->g), h->snap[k].mark);
	memmove(&h->snap[k], &h->snap[k + 1], (h->n_snaps - k - 1) * sizeof *h->snap);
	h->n_snaps--;
}

/* How much it is worth: what would have to be run again without it, by its age. */
static double worth(const struct history *h, size_t k)
{
	return (double)(h->snap[k + 1].work - h->snap[k - 1].work) / (double)(h->work - h->snap[k].work + INTERVAL);
}

/* From it the way leads back to where a look aside began. */
static bool is_way_back(const struct history *h, size_t k)
{
	return h->aside && h->snap[k].mark == arena_visit_origin(gpu_arena(h->g));
}

static size_t least_worth(const struct history *h)
{
	size_t best = is_way_back(h, 1) ? 2 : 1;
	for (size_t k = best + 1; k + 1 < h->n_snaps; k++)
		if (!is_way_back(h, k) && worth(h, k) < worth(h, best))
			best = k;
	return best;
}

static bool is_needed(const struct history *h, uint64_t mark, uint64_t newest)
{
	bool needed = mark == newest;
	for (size_t k = 0; k < h->n_snaps && !needed; k++)
		needed = h->snap[k].mark == mark || h->snap[k].beside.memory_mark == mark;
	return needed;
}

/* Drops the marks of device memory that no snapshot needs. `only`: this one, if it is such a mark; 0: all. */
static void drop_memory_marks(struct history *h, uint64_t only)
{
	struct arena *a = gpu_arena(h->g);
	struct gpu_beside now;
	gpu_keep_beside(h->g, &now);
	for (size_t k = arena_mark_count(a); k-- > 0;) {
		const uint64_t mark = arena_mark_number(a, k);
		if ((!only || mark == only) && k + 1 < arena_mark_count(a) && !is_needed(h, mark, now.memory_mark))
			arena_drop_mark(a, mark);
	}
}

/* There is nothing in front of the first snapshot. */
static void begin_at_first(struct history *h)
{
	const struct history_position *at = &h->snap[0].at;
	arena_pin_mark(gpu_arena(h->g), h->snap[0].mark, true);
	if (!h->has_first || history_compare(&h->first, at) >= 0)
		return;
	h->first = *at;
	h->begins_because = "More memory was written than history-memory holds: what ran before isn't kept.";
}

void snapshots_forget_lost(struct history *h)
{
	size_t n = 0;
	for (size_t k = 0; k < h->n_snaps; k++)
		if (arena_has_mark(gpu_arena(h->g), h->snap[k].mark))
			h->snap[n++] = h->snap[k];
		else
			free_beside(h, &h->snap[k]);
	const bool lost = n < h->n_snaps;
	h->n_snaps = n;
	if (n && lost)
		begin_at_first(h);
}

/* Returns the bytes that snapshots in front of the present place may take. Those that were left on a way back count, but some room stays. */
static uint64_t allowed(const struct history *h)
{
	const uint64_t part = h->memory / SPARE_PARTS, spare = part > SPARE_LEAST ? part : SPARE_LEAST, ahead = arena_ahead_bytes(gpu_arena(h->g)),
		       beside = h->beside_bytes + h->journal.bytes + spare,
		       left = h->memory > beside ? h->memory - beside : 0, least = ahead + spare;
	return least > left ? least : left;
}

static bool are_too_many(const struct history *h)
{
	return h->n_snaps > SNAPSHOTS_MAX || arena_marks_bytes(gpu_arena(h->g)) > allowed(h);
}

void snapshots_thin(struct history *h)
{
	snapshots_forget_lost(h);
	if (are_too_many(h) || arena_mark_count(gpu_arena(h->g)) > 2 * h->n_snaps + 16)
		drop_memory_marks(h, 0);
	while (h->n_snaps > 3) {
		const size_t k = least_worth(h);
		if (!are_too_many(h) && (h->interval || worth(h, k) * AGE_PARTS >= 1))
			break;
		const uint64_t memory_mark = h->snap[k].beside.memory_mark;
		drop(h, k);
		drop_memory_marks(h, memory_mark);
	}
}

/* ---- making them ---- */

void snapshot_make(struct history *h)
{
	struct arena *a = gpu_arena(h->g);
	struct snapshot s = {.between = true};
	count_work(h);
	look_in(h, interval_of(h));
	history_now(h, &s.at);
	s.between = s.at.at.place == GPU_BETWEEN;
	s.work = h->work;
	if (h->n_snaps && !history_compare(&h->snap[h->n_snaps - 1].at, &s.at))
		return;
	gpu_keep_beside(h->g, &s.beside);
	s.mark = arena_mark_whole(a);
	if (!s.mark)
		return;
	h->snap = xgrow(h->snap, &h->cap_snaps, h->n_snaps + 1, sizeof *h->snap);
	s.stalls = debug_counts_keep(h->d, &s.stalls_bytes);
	h->beside_bytes += s.stalls_bytes;
	snapshots_forget_lost(h);
	h->snap[h->n_snaps++] = s;
	begin_at_first(h);
	snapshots_thin(h);
}

void snapshot_maybe(struct history *h)
{
	struct gpu_moment now;
	gpu_moment_now(h->g, &now);
	if (now.place != GPU_BETWEEN) {
		h->due = now.cycle + 1;
		return;
	}
	count_work(h);
	const uint64_t interval = interval_of(h),
		       passed = h->n_snaps ? h->work - h->snap[h->n_snaps - 1].work : interval;
	if (passed >= interval)
		snapshot_make(h);
	else
		look_in(h, interval - passed);
}

void snapshots_near(struct history *h, uint64_t cycle)
{
	h->near = cycle;
	look_in(h, interval_of(h));
}

/* ---- going back ---- */

size_t snapshot_before(const struct history *h, const struct history_position *p, bool strictly)
{
	for (size_t k = h->n_snaps; k-- > 0;) {
		const int order = history_compare(&h->snap[k].at, p);
		if (order < 0 || (!order && !strictly))
			return k;
	}
	return h->n_snaps;
}

/* What stands behind the k-th goes: those that were there before the look aside go ahead. */
static void leave_behind(struct history *h, size_t k, uint64_t from)
{
	while (h->n_snaps > k + 1) {
		const struct snapshot *last = &h->snap[--h->n_snaps];
		if (!h->aside || last->mark > from) {
			free_beside(h, last);
			continue;
		}
		h->ahead = xgrow(h->ahead, &h->cap_ahead, h->n_ahead + 1, sizeof *h->ahead);
		h->ahead[h->n_ahead++] = *last;
	}
}

static void forget_ahead(struct history *h)
{
	while (h->n_ahead)
		free_beside(h, &h->ahead[--h->n_ahead]);
}

/* The arena holds what it held there: all else does, too. */
static void stand_at(struct history *h, const struct snapshot *s)
{
	gpu_revive(h->g, &s->beside);
	debug_counts_take_back(h->d, s->stalls);
	h->input = s->at.input;
	h->work = s->work;
	h->work_cycle = s->at.at.cycle;
	h->work_issued = s->at.at.issued;
	h->work_flits = gpu_flits_sent(h->g);
	h->due = s->at.at.cycle;
}

bool snapshot_go_back(struct history *h, size_t k)
{
	struct arena *a = gpu_arena(h->g);
	const struct snapshot s = h->snap[k];
	const uint64_t from = arena_visit_origin(a) ? arena_visit_origin(a) : h->aside;
	if (h->aside ? !arena_visit(a, h->aside, s.mark) : !arena_go_back(a, s.mark))
		return false;
	leave_behind(h, k, from);
	if (!arena_visit_origin(a))
		forget_ahead(h);
	stand_at(h, &s);
	return true;
}

void snapshots_step_aside(struct history *h)
{
	struct history_position now;
	history_now(h, &now);
	snapshot_make(h);
	const struct snapshot *last = h->n_snaps ? &h->snap[h->n_snaps - 1] : NULL;
	h->aside = last && !history_compare(&last->at, &now) ? last->mark : 0;
}

/* Those of the look aside, made since the mark where it began, go; those that had gone ahead are there again, but for so many. */
static void come_back_from(struct history *h, uint64_t from, size_t ahead)
{
	while (h->n_snaps && h->snap[h->n_snaps - 1].mark > from)
		free_beside(h, &h->snap[--h->n_snaps]);
	while (h->n_ahead > ahead) {
		h->snap = xgrow(h->snap, &h->cap_snaps, h->n_snaps + 1, sizeof *h->snap);
		h->snap[h->n_snaps++] = h->ahead[--h->n_ahead];
	}
}

void snapshots_step_in_again(struct history *h)
{
	struct arena *a = gpu_arena(h->g);
	const uint64_t from = arena_visit_origin(a);
	h->aside = 0;
	if (!from || !arena_visit_end(a)) {
		forget_ahead(h);
		return;
	}
	come_back_from(h, from, 0);
}

void snapshots_stay_aside(struct history *h)
{
	h->aside = 0;
	forget_ahead(h);
	arena_visit_stay(gpu_arena(h->g));
}

/* ---- going forward ---- */

/* Returns true if a snapshot is neither behind `to`, which may be NULL, nor behind the beginning of `cycle`. */
static bool leads_to(const struct snapshot *s, const struct history_position *to, uint64_t cycle)
{
	if (to && history_compare(&s->at, to) > 0)
		return false;
	return s->at.at.cycle < cycle || (s->at.at.cycle == cycle && s->between);
}

void snapshot_go_forward(struct history *h, const struct history_position *to, uint64_t cycle)
{
	struct arena *a = gpu_arena(h->g);
	const uint64_t from = arena_visit_origin(a);
	struct history_position now;
	size_t k = 0;
	history_now(h, &now);
	if (!from)
		forget_ahead(h);
	if (h->is_on_branch)
		return;
	while (k < h->n_ahead && !leads_to(&h->ahead[k], to, cycle))
		k++;
	if (k == h->n_ahead || history_compare(&h->ahead[k].at, &now) <= 0 || !arena_visit_later(a, h->ahead[k].mark))
		return;
	come_back_from(h, from, k);
	stand_at(h, &h->snap[h->n_snaps - 1]);
}

void snapshots_forget(struct history *h)
{
	snapshots_stay_aside(h);
	while (h->n_snaps)
		free_beside(h, &h->snap[--h->n_snaps]);
	h->due = 0;
}

void history_set_interval(struct history *h, uint64_t nanoseconds) { h->interval = nanoseconds; }

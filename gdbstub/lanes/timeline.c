/* Timelines of lanes. gdb believes in threads that move alone, the machine moves warps. So a lane has a place at which gdb sees it, which is
 * the first of its timeline; after it come those at which it has hit something since; and after the last one comes the machine. To gdb a
 * lane moves from one place to the next. */
#include "gdbstub/lanes/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- warps ---- */

/* Index of the first one that begins after `uid`. */
static size_t index_after(const struct timelines *t, uint64_t uid)
{
	size_t lo = 0, hi = t->n_warps;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (t->warps[mid]->first <= uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct warp_timelines *warp_of(const struct timelines *t, uint64_t uid)
{
	size_t i = index_after(t, uid);
	return i && uid - t->warps[i - 1]->first < t->warps[i - 1]->n ? t->warps[i - 1] : NULL;
}

static struct warp_timelines *add_warp(struct timelines *t, uint64_t first, unsigned n)
{
	size_t i = index_after(t, first);
	struct warp_timelines *w = xcalloc(1, sizeof *w);
	w->first = first;
	w->n = n;
	t->warps = xgrow(t->warps, &t->cap_warps, t->n_warps + 1, sizeof *t->warps);
	memmove(&t->warps[i + 1], &t->warps[i], (t->n_warps++ - i) * sizeof *t->warps);
	return t->warps[i] = w;
}

static void free_warp(struct warp_timelines *w)
{
	for (unsigned lane = 0; lane < LANES; lane++)
		free(w->lane[lane].places);
	free(w);
}

static struct timeline *find_timeline(const struct timelines *t, uint64_t uid)
{
	struct warp_timelines *w = warp_of(t, uid);
	return w ? &w->lane[uid - w->first] : NULL;
}

/* ---- one lane's ---- */

const struct timeline *timeline_of(const struct timelines *t, uint64_t uid)
{
	const struct timeline *l = find_timeline(t, uid);
	return l && l->n ? l : NULL;
}

struct place *timeline_first(const struct timelines *t, uint64_t uid)
{
	const struct timeline *l = timeline_of(t, uid);
	return l ? l->places : NULL;
}

static struct timeline *grow_timeline(struct timelines *t, const struct machine_lane *of, uint64_t uid)
{
	struct warp_timelines *w = warp_of(t, uid);
	if (!w)
		w = add_warp(t, of->first, of->n);
	struct timeline *l = &w->lane[uid - w->first];
	l->places = xgrow(l->places, &l->cap, l->n + 1, sizeof *l->places);
	return l;
}

void timeline_put_first(struct timelines *t, const struct machine_lane *of, uint64_t uid, const struct place *p)
{
	struct timeline *l = grow_timeline(t, of, uid);
	memmove(l->places + 1, l->places, l->n++ * sizeof *l->places);
	l->places[0] = *p;
}

void timeline_hit(struct timelines *t, const struct machine_lane *of, uint64_t uid, const struct place *p)
{
	struct timeline *l = grow_timeline(t, of, uid);
	const struct place *last = l->n ? &l->places[l->n - 1] : NULL;
	if (last && last->executed > p->executed) /* it has stayed behind that while others went back */
		return;
	bool is_there = last && last->kind == PLACE_LEFT && last->executed == p->executed && last->pc == p->pc;
	l->n += !is_there;
	l->places[l->n - 1] = *p;
}

static void remove_place(struct timeline *l, size_t i)
{
	memmove(&l->places[i], &l->places[i + 1], (--l->n - i) * sizeof *l->places);
}

void timeline_drop_first(struct timelines *t, uint64_t uid)
{
	struct timeline *l = find_timeline(t, uid);
	if (l && l->n)
		remove_place(l, 0);
}

struct place *timeline_find_hit(const struct timelines *t, uint64_t uid, uint64_t hit)
{
	const struct timeline *l = timeline_of(t, uid);
	for (size_t i = 0; l && i < l->n; i++)
		if (l->places[i].kind == PLACE_HIT && l->places[i].hit == hit)
			return &l->places[i];
	return NULL;
}

/* ---- all of them ---- */

/* Whether there is one left. */
static bool drop_in_warp(struct warp_timelines *w, timeline_unwanted *unwanted, void *context)
{
	bool any = false;
	for (unsigned lane = 0; lane < w->n; lane++) {
		struct timeline *l = &w->lane[lane];
		for (size_t i = l->n; i--;)
			if (unwanted(context, w->first + lane, &l->places[i]))
				remove_place(l, i);
		any |= l->n > 0;
	}
	return any;
}

void timelines_drop(struct timelines *t, timeline_unwanted *unwanted, void *context)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n_warps; i++)
		if (drop_in_warp(t->warps[i], unwanted, context))
			t->warps[n++] = t->warps[i];
		else
			free_warp(t->warps[i]);
	t->n_warps = n;
}

void timelines_free(struct timelines *t)
{
	for (size_t i = 0; i < t->n_warps; i++)
		free_warp(t->warps[i]);
	free(t->warps);
	free(t->hits);
	*t = (struct timelines){0};
}

/* ---- hits ---- */

struct hit *timelines_find_hit(const struct timelines *t, uint64_t number)
{
	for (size_t i = 0; i < t->n_hits; i++)
		if (t->hits[i].number == number)
			return &t->hits[i];
	return NULL;
}

struct hit *timelines_hit_at(const struct timelines *t, uint64_t first, uint64_t executed)
{
	for (size_t i = 0; i < t->n_hits; i++)
		if (t->hits[i].first == first && t->hits[i].executed == executed)
			return &t->hits[i];
	return NULL;
}

struct hit *timelines_add_hit(struct timelines *t, const struct machine_lane *of, uint64_t pc)
{
	if (t->n_hits == TIMELINES_HITS_MAX)
		timelines_drop_hit(t, &t->hits[0]);
	t->hits = xgrow(t->hits, &t->cap_hits, t->n_hits + 1, sizeof *t->hits);
	struct hit *h = &t->hits[t->n_hits++];
	*h = (struct hit){.number = ++t->last_hit,
			  .first = of->first,
			  .n = of->n,
			  .found = of->lane,
			  .executed = of->executed,
			  .pc = pc};
	return h;
}

void timelines_drop_hit(struct timelines *t, struct hit *h)
{
	LANES_EACH (lane, timelines_lanes_of(t, h, false)) {
		struct timeline *l = find_timeline(t, h->first + lane);
		remove_place(l, (size_t)(timeline_find_hit(t, h->first + lane, h->number) - l->places));
	}
	memmove(h, h + 1, (size_t)(t->hits + --t->n_hits - h) * sizeof *h);
}

static void forget_hits_of(struct timeline *l)
{
	if (l->n && l->places[0].kind == PLACE_HIT)
		l->places[0] = (struct place){.kind = PLACE_LEFT,
					      .pc = l->places[0].pc,
					      .sp = l->places[0].sp,
					      .executed = l->places[0].executed};
	while (l->n > 1) /* only the first one may be one that is no hit */
		remove_place(l, l->n - 1);
}

void timelines_forget_hits(struct timelines *t)
{
	for (size_t i = 0; i < t->n_warps; i++)
		for (unsigned lane = 0; lane < t->warps[i]->n; lane++)
			forget_hits_of(&t->warps[i]->lane[lane]);
	t->n_hits = 0;
}

uint32_t timelines_lanes_of(const struct timelines *t, const struct hit *h, bool unreported)
{
	uint32_t lanes = 0;
	for (unsigned lane = 0; warp_of(t, h->first) && lane < h->n; lane++) {
		const struct place *p = timeline_find_hit(t, h->first + lane, h->number);
		if (p && !(unreported && p->reported))
			lanes |= lanes_bit(lane);
	}
	return lanes;
}

/* ---- invariants ---- */

static const char *place_broken(const struct timelines *t, uint64_t uid, const struct place *p,
				const struct place *before)
{
	const struct hit *h = p->kind == PLACE_HIT ? timelines_find_hit(t, p->hit) : NULL;
	if (before && p->kind != PLACE_HIT)
		return "only the first place may be one that is no hit";
	if (before && before->kind != PLACE_AHEAD && before->executed > p->executed)
		return "places are in the order in which the machine came to them";
	if (before && before->kind == PLACE_HIT && before->executed == p->executed)
		return "a warp hits a breakpoint once where it is";
	if (p->kind == PLACE_HIT && !h)
		return "a place of a hit that there isn't";
	if (h && (h->executed != p->executed || h->pc != p->pc || uid - h->first >= h->n))
		return "a place of a hit somewhere else, or of another warp";
	return p->reported && (!h || !h->reported) ? "a place was reported, and its hit was not" : NULL;
}

const char *timelines_broken(const struct timelines *t)
{
	const char *why = NULL;
	for (size_t i = 0; i < t->n_warps && !why; i++) {
		const struct warp_timelines *w = t->warps[i];
		if (!w->n || w->n > LANES || (i && t->warps[i - 1]->first + t->warps[i - 1]->n > w->first))
			return "warps are in their order, and share no lane";
		for (unsigned lane = 0; lane < w->n; lane++)
			for (size_t k = 0; k < w->lane[lane].n && !why; k++)
				why = place_broken(t, w->first + lane, &w->lane[lane].places[k],
						   k ? &w->lane[lane].places[k - 1] : NULL);
	}
	for (size_t i = 1; i < t->n_hits; i++)
		if (t->hits[i].number <= t->hits[i - 1].number)
			return "hits are in their order";
	return why;
}

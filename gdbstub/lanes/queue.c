/* Stops of others while gdb steps one thread by itself: it hears of them when it lets everybody run again, one after the other. (Its
 * breakpoints are remembered by hits.c.) */
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/lanes.h"

#define QUEUED_MAX 1000u /* more, and the oldest ones are forgotten */

static void drop(struct stub *s, size_t i)
{
	debug_stop_free(&s->queued[i].stop);
	memmove(&s->queued[i], &s->queued[i + 1], (--s->n_queued - i) * sizeof *s->queued);
}

static void drop_first(struct stub *s) { drop(s, 0); }

/* What gdb reads when a watched write is reported is what the last one wrote: it would find nothing new at the others. */
static void drop_reported(struct stub *s, char type, uint64_t address)
{
	for (size_t i = s->n_queued; type == '2' && i-- > 0;)
		if (s->queued[i].type == type && s->queued[i].address == address)
			drop(s, i);
}

static void append(struct stub *s, struct queued_stop *q, const struct point *watched)
{
	if (watched) {
		q->type = watched->type;
		q->address = watched->address;
	}
	if (s->n_queued == QUEUED_MAX)
		drop_first(s);
	s->queued = xgrow(s->queued, &s->cap_queued, s->n_queued + 1, sizeof *s->queued);
	s->queued[s->n_queued++] = *q;
}

void queue_stop(struct stub *s, struct debug_stop *stop)
{
	struct queued_stop q = {.stop = *stop};
	struct debug_where w;
	if (stop->reason == DEBUG_STOP_BREAKPOINT && stop_point(s, stop) && debug_focus_where(s->d, &w)) {
		hits_add_later(s, &w);
		return;
	}
	stop->text = (struct text){0};
	q.has_focus = debug_focus_get(s->d, &q.focus);
	append(s, &q, stop->reason == DEBUG_STOP_WATCHPOINT ? stop_point(s, stop) : NULL);
	queue_others_watched(s, stop);
}

/* gdb itself looks at all watchpoints that an address is in. */
static bool has(const struct point *p, uint64_t address)
{
	return address >= p->address && address - p->address < p->length;
}

/* It has looked at this one when one of those before was reported. */
static bool is_looked_at(const struct stub *s, const struct debug_stop *stop, uint32_t n, const struct point *p)
{
	const struct point *other;
	for (uint32_t i = 0; i < n; i++)
		if (points_number_address(s, stop->hits[i], &other) && has(p, other->address))
			return true;
	return false;
}

void queue_others_watched(struct stub *s, const struct debug_stop *stop)
{
	const struct point *first = stop_point(s, stop), *p;
	for (uint32_t i = 0; first && stop->reason == DEBUG_STOP_WATCHPOINT && i < stop->n_hits; i++) {
		if (!points_number_address(s, stop->hits[i], &p) || p == first || is_looked_at(s, stop, i, p))
			continue;
		struct queued_stop q = {.stop = {.reason = DEBUG_STOP_WATCHPOINT}};
		q.has_focus = debug_focus_get(s->d, &q.focus);
		q.focus.thread += stop->lanes[i] - q.focus.thread % LANES;
		append(s, &q, p);
	}
}

/* False: its watchpoint has been deleted. */
static bool still_there(const struct stub *s, struct queued_stop *q)
{
	for (size_t i = 0; i < s->n_points; i++)
		if (s->points[i].type == q->type && s->points[i].address == q->address) {
			q->stop.hits[0] = s->points[i].number;
			q->stop.n_hits = 1;
			return true;
		}
	return !q->type;
}

bool queue_report(struct stub *s, struct text *reply)
{
	while (s->n_queued && !still_there(s, &s->queued[0]))
		drop_first(s);
	if (!s->n_queued)
		return false;
	const struct queued_stop *q = &s->queued[0];
	const char type = q->type;
	const uint64_t address = q->address;
	if (q->has_focus)
		debug_focus_set(s->d, &q->focus);
	stale_clear(s);
	hits_clear_left(s);
	stop_reply(s, &q->stop, 0, reply);
	drop_first(s);
	drop_reported(s, type, address);
	s->seen = false;
	return true;
}

void queue_clear(struct stub *s)
{
	while (s->n_queued)
		drop_first(s);
}

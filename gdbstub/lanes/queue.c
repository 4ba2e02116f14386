/* Stops of other threads while gdb steps one thread alone. They are reported one by one once gdb resumes all threads. (Breakpoints are kept
 * as hits, hits.c.) */
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/room.h"

#define QUEUED_MAX 1000u /* more, and the oldest ones are forgotten */

static struct queued_stop remove_stop(struct lanes *l, size_t i)
{
	const struct queued_stop q = l->queued[i];
	memmove(&l->queued[i], &l->queued[i + 1], (--l->n_queued - i) * sizeof *l->queued);
	return q;
}

static void drop_stop(struct lanes *l, size_t i)
{
	struct queued_stop q = remove_stop(l, i);
	debug_stop_free(&q.stop);
}

void queue_drop_known(struct lanes *l, const struct machine_point *p)
{
	for (size_t i = l->n_queued; p->type == '2' && i-- > 0;)
		if (l->queued[i].point.type == p->type && l->queued[i].point.address == p->address)
			drop_stop(l, i);
}

static void append_stop(struct lanes *l, const struct queued_stop *q)
{
	if (l->n_queued == QUEUED_MAX)
		drop_stop(l, 0);
	l->queued = xgrow(l->queued, &l->cap_queued, l->n_queued + 1, sizeof *l->queued);
	l->queued[l->n_queued++] = *q;
}

static uint64_t focused_uid(const struct lanes *l)
{
	struct machine_lane at;
	return lanes_find(l, l->m->focus(l->self), &at) ? at.uid : 0;
}

void queue_stop(struct lanes *l, struct debug_stop *stop)
{
	struct queued_stop q = {.stop = *stop, .focus = focused_uid(l)};
	struct machine_lane at;
	bool is_own = stop_own_point(l, stop, &q.point);
	if (stop->reason == DEBUG_STOP_BREAKPOINT && is_own && l->m->lane(l->self, q.focus, &at)) {
		hits_add_later(l, &at);
		return;
	}
	if (stop->reason != DEBUG_STOP_WATCHPOINT || !is_own)
		q.point.type = 0;
	stop->text = (struct text){0};
	stop->details = NULL;
	append_stop(l, &q);
	queue_other_watchpoints(l, stop);
}

void queue_undone_write(struct lanes *l, uint32_t number)
{
	struct queued_stop q = {.stop = {.reason = DEBUG_STOP_WATCHPOINT}, .focus = focused_uid(l), .is_undone = true};
	if (l->m->point(l->self, number, &q.point))
		append_stop(l, &q);
}

void queue_other_watchpoints(struct lanes *l, const struct debug_stop *stop)
{
	struct machine_point first, p;
	bool any = stop->reason == DEBUG_STOP_WATCHPOINT && stop_own_point(l, stop, &first), begun = false;
	for (uint32_t i = 0; any && i < stop->n_hits; i++) {
		bool is_own = l->m->point(l->self, stop->hits[i], &p);
		bool is_first = is_own && !begun;
		begun |= is_own;
		if (!is_own || is_first)
			continue;
		struct queued_stop q = {.stop = {.reason = DEBUG_STOP_WATCHPOINT}, .focus = focused_uid(l), .point = p};
		struct machine_lane at;
		if (l->m->lane(l->self, q.focus, &at))
			q.focus = at.first + stop->lanes[i];
		append_stop(l, &q);
	}
}

/* Returns false if the stop's watchpoint was deleted, or if gdb knows the value that it would find there. */
static bool still_counts(const struct lanes *l, struct queued_stop *q)
{
	if (!q->point.type)
		return true;
	q->stop.n_hits = 1;
	const bool is_of_value = q->is_undone || q->point.type == '2';
	return l->m->number(l->self, &q->point, &q->stop.hits[0]) &&
	       !(is_of_value && l->m->is_as_known(l->self, &q->point));
}

bool queue_take(struct lanes *l, uint64_t uid, struct queued_stop *out)
{
	for (size_t i = 0; i < l->n_queued;) {
		struct queued_stop *q = &l->queued[i];
		const bool is_wanted = !uid || (q->focus == uid && q->point.type);
		if (is_wanted && still_counts(l, q)) {
			*out = remove_stop(l, i);
			return true;
		}
		if (uid)
			i++;
		else
			drop_stop(l, i);
	}
	return false;
}

void queue_clear(struct lanes *l)
{
	while (l->n_queued)
		drop_stop(l, 0);
}

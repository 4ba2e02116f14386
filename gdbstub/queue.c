/* Stops of others while gdb steps one thread by itself: it hears of them when it lets everybody run again, one after the other. */
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/internal.h"

#define QUEUED_MAX 1000u /* more, and the oldest ones are forgotten */

static void drop_first(struct stub *s)
{
	debug_stop_free(&s->queued[0].stop);
	memmove(s->queued, s->queued + 1, --s->n_queued * sizeof *s->queued);
}

void queue_stop(struct stub *s, struct debug_stop *stop)
{
	struct queued_stop q = {.stop = *stop};
	stop->text = (struct text){0};
	q.has_focus = debug_focus_get(s->d, &q.focus);
	q.executed = stop->has_thread ? thread_executed(s, stop->uid) : 0;
	if (s->n_queued == QUEUED_MAX)
		drop_first(s);
	s->queued = xgrow(s->queued, &s->cap_queued, s->n_queued + 1, sizeof *s->queued);
	s->queued[s->n_queued++] = q;
}

static bool has_gone_on(struct stub *s, const struct queued_stop *q)
{
	return q->stop.reason == DEBUG_STOP_BREAKPOINT && q->stop.has_thread &&
	       thread_executed(s, q->stop.uid) != q->executed;
}

static bool hit_again(const struct stub *s, uint64_t uid)
{
	for (size_t i = 1; i < s->n_queued; i++)
		if (s->queued[i].stop.has_thread && s->queued[i].stop.uid == uid)
			return true;
	return false;
}

bool queue_waits(struct stub *s)
{
	for (size_t i = 0; i < s->n_queued; i++) {
		struct queued_stop *q = &s->queued[i];
		if (q->is_waited_for || q->stop.reason != DEBUG_STOP_BREAKPOINT || !q->stop.has_thread || has_gone_on(s, q))
			continue;
		q->is_waited_for = true; /* once: a user who steps a thread alone gets on */
		return true;
	}
	return false;
}

/* Its core's cycles are those of the thread that was stepped, so it had to go on. */
static void say_gone_on(struct stub *s, const struct queued_stop *q)
{
	text_addf(&s->console,
		  "warpstep: while another thread was stepped by itself, thread %llu went over the breakpoint at "
		  "0x%llx\n",
		  (unsigned long long)thread_tid(s, q->stop.uid), (unsigned long long)view_pc(q->stop.pc));
}

bool queue_tell(struct stub *s, struct text *reply)
{
	while (s->n_queued > 1 && has_gone_on(s, &s->queued[0]) && hit_again(s, s->queued[0].stop.uid)) {
		say_gone_on(s, &s->queued[0]);
		drop_first(s);
	}
	if (!s->n_queued)
		return false;
	const struct queued_stop *q = &s->queued[0];
	if (q->has_focus)
		debug_focus_set(s->d, &q->focus);
	lag_clear(s);
	s->hit_by_continue = true; /* gdb has meant "continue" all the time */
	if (has_gone_on(s, q)) {   /* gdb would take no hit at a place without a breakpoint */
		say_gone_on(s, q);
		stop_reply_thread(s, 5, thread_tid(s, q->stop.uid), "", reply);
	} else {
		stop_reply(s, &q->stop, 0, reply);
	}
	drop_first(s);
	s->seen = false;
	return true;
}

void queue_clear(struct stub *s)
{
	while (s->n_queued)
		drop_first(s);
}

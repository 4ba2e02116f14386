/* What gdb believes of lanes: its beginning and end, and what others may ask. */
#include "gdbstub/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/lanes/room.h"

#define N_BEEN (sizeof((struct lanes *)0)->asked.been / sizeof(uint64_t))

struct lanes *lanes_create(const struct lanes_machine *m, const struct lanes_client *c, void *self)
{
	struct lanes *l = xcalloc(1, sizeof *l);
	l->m = m;
	l->c = c;
	l->self = self;
	return l;
}

void lanes_destroy(struct lanes *l)
{
	queue_clear(l);
	free(l->queued);
	timelines_free(&l->t);
	text_free(&l->moved_text);
	free(l);
}

/* ---- asking ---- */

bool lanes_is_shown(const struct lanes *l) { return l->seen; }
uint64_t lanes_stepping(const struct lanes *l) { return l->seen || l->reported_load ? 0 : l->stepping; }

bool lanes_find(const struct lanes *l, uint64_t tid, struct machine_lane *out)
{
	uint64_t uid = l->m->uid(l->self, tid);
	return uid && l->m->lane(l->self, uid, out);
}

void lanes_tell(struct lanes *l, unsigned signal, uint64_t tid, const char *why)
{
	l->n_reported++;
	l->reported_load = !strcmp(why, "library:;");
	l->c->tell(l->self, signal, tid, why);
}

bool lanes_left(const struct lanes *l, uint64_t uid, const struct place *p)
{
	struct machine_lane now;
	if (p->kind == PLACE_AHEAD || !l->m->lane(l->self, uid, &now) || now.executed != p->executed)
		return true;
	return p->kind == PLACE_LEFT && now.pc != p->pc; /* it has entered its kernel */
}

struct place *lanes_place(const struct lanes *l, uint64_t uid)
{
	struct place *p = timeline_first(&l->t, uid);
	return p && lanes_left(l, uid, p) ? p : NULL;
}

struct machine_lane lanes_standing(const struct lanes *l, uint64_t uid)
{
	struct machine_lane at = {.executed = UINT64_MAX};
	if (uid)
		l->m->lane(l->self, uid, &at);
	return at;
}

void lanes_step_done(struct lanes *l, uint64_t uid)
{
	timeline_drop_first(&l->t, uid);
	l->m->changed(l->self);
}

bool lanes_see(const struct lanes *l, uint64_t uid, struct lanes_seen *out)
{
	const struct place *p = l->peek.uid == uid ? l->peek.place : lanes_place(l, uid);
	if (p)
		*out = (struct lanes_seen){p->pc, p->sp, p->kind == PLACE_AHEAD ? UINT64_MAX : p->executed};
	return p;
}

bool lanes_hold_at(struct lanes *l, uint64_t uid, const struct place *p)
{
	l->peek.uid = uid;
	l->peek.place = p;
	l->m->changed(l->self);
	const bool holds = l->m->holds(l->self, uid, p->pc, true);
	l->peek.uid = 0;
	l->m->changed(l->self);
	return holds;
}

bool lanes_needs(const struct lanes *l, uint64_t first_uid, uint64_t executed)
{
	for (size_t i = 0; i < l->t.n_hits; i++)
		if (l->t.hits[i].first == first_uid && l->t.hits[i].executed == executed)
			return true;
	for (unsigned lane = 0; lane < LANES; lane++) {
		const struct timeline *line = timeline_of(&l->t, first_uid + lane);
		for (size_t i = 0; line && i < line->n; i++)
			if (line->places[i].kind == PLACE_LEFT && line->places[i].executed == executed)
				return true;
	}
	return false;
}

/* ---- what happens besides ---- */

void lanes_stand(struct lanes *l, uint64_t tid)
{
	l->stop_tid = l->favourite = tid;
	l->seen = true;
}

void lanes_leave(struct lanes *l) { left_drop(l); }

static void note_been(struct lanes *l, uint64_t tid) { l->asked.been[l->asked.n_been++ % N_BEEN] = tid; }

void lanes_reported(struct lanes *l, uint64_t tid)
{
	l->stop_tid = tid;
	l->chosen = l->asked.back_on = l->asked.n = l->asked.n_been = 0;
	note_been(l, tid);
}

void lanes_shown(struct lanes *l)
{
	l->seen = true;
	l->asked.n_been = 0; /* a list of threads names them all */
}

void lanes_interrupt(struct lanes *l) { l->stops_next = true; }
void lanes_break(struct lanes *l, enum break_mode mode) { l->mode = mode; }
uint64_t lanes_stopped(const struct lanes *l) { return l->stop_tid; }
uint64_t lanes_chosen(const struct lanes *l) { return l->chosen; }
uint64_t lanes_users(const struct lanes *l)
{
	return l->asked.back_on ? l->asked.back_on : l->chosen ? l->chosen : l->stop_tid;
}

/* gdb asks whether a thread is there when its user selects it, but also for each thread `thread apply` goes through: three in a row
 * are no choice. (Hg alone says nothing of a choice: a list of threads with their frames takes one for each of them.) */
void lanes_asked(struct lanes *l, uint64_t tid)
{
	if (!l->asked.n_been)
		note_been(l, lanes_users(l));
	note_been(l, tid);
	if (l->asked.back_on)
		l->chosen = l->asked.back_on;
	l->asked.back_on = 0;
	bool in_a_row = l->asked.n && (tid == l->asked.last + 1 || tid == l->asked.last - 1);
	if (!in_a_row) {
		l->asked.n = 0;
		l->asked.chosen_before = l->chosen;
	}
	l->asked.n++;
	l->asked.last = tid;
	l->chosen = l->asked.n < 3 ? tid : l->asked.chosen_before;
}

/* After `thread apply 5 print r1` its user is where he was: gdb says so only when it asks about that thread again. */
void lanes_named(struct lanes *l, uint64_t tid)
{
	for (unsigned i = 0; i < l->asked.n_been && i < N_BEEN; i++)
		if (l->asked.been[i] == tid && (!l->asked.n || l->asked.last != tid))
			l->asked.back_on = tid;
}

void lanes_forget_places(struct lanes *l)
{
	left_drop(l);
	hits_clear(l);
	queue_clear(l);
}

void lanes_forget(struct lanes *l)
{
	lanes_forget_places(l);
	l->deferred = l->pretended = l->stepped = l->stepping = l->chosen = l->asked.n = 0;
	l->reported_watch[0] = '\0';
	l->moved = l->moved_reported = l->stops_next = false;
}

void lanes_moved(struct lanes *l, const char *text)
{
	l->moved = true;
	l->moved_reported = false;
	l->deferred = 0;
	hits_clear(l); /* what was still to be reported would be seen where it was */
	text_clear(&l->moved_text);
	text_add(&l->moved_text, text);
}

const char *lanes_broken(const struct lanes *l)
{
	const char *why = timelines_broken(&l->t);
	const struct place *p = l->deferred ? timeline_first(&l->t, l->deferred) : NULL;
	if (l->deferred && (!p || p->kind != PLACE_AHEAD))
		why = "a step is deferred, and its thread isn't shown after it";
	if (l->elsewhere)
		why = "the machine has stopped for a thread that is shown somewhere else";
	for (size_t i = 0; i < l->t.n_hits && !why; i++) {
		const struct hit *h = &l->t.hits[i];
		struct machine_lane at;
		if (l->m->lane(l->self, h->first, &at) && at.executed != UINT64_MAX && h->executed > at.executed)
			why = "a hit where the machine hasn't been";
	}
	return why;
}

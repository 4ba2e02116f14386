/* The thread that gdb's user is on, the one that the last command was for, and what the user has been shown. */
#include "gdbstub/lanes/room.h"

#define N_BEEN (sizeof((struct lanes *)0)->checked.been / sizeof(uint64_t))

void lanes_report_event(struct lanes *l, unsigned signal, uint64_t tid, struct lanes_event event)
{
	l->n_reported++;
	l->reported_load = event.kind == EVENT_LOADED;
	l->c->report(l->self, signal, tid, event);
}

void lanes_report(struct lanes *l, unsigned signal, uint64_t tid, enum lanes_event_kind kind)
{
	lanes_report_event(l, signal, tid, (struct lanes_event){.kind = kind});
}

void lanes_client_begin(struct lanes *l, uint64_t tid)
{
	l->stop_tid = l->preferred = tid;
	l->is_shown = true;
}

static void note_been(struct lanes *l, uint64_t tid) { l->checked.been[l->checked.n_been++ % N_BEEN] = tid; }

void lanes_note_reported(struct lanes *l, uint64_t tid)
{
	l->stop_tid = tid;
	l->selected = l->checked.back_on = l->checked.n = l->checked.n_been = 0;
	note_been(l, tid);
}

void lanes_note_shown(struct lanes *l)
{
	l->is_shown = true;
	l->checked.n_been = 0; /* a list of threads names them all */
}

bool lanes_is_shown(const struct lanes *l) { return l->is_shown; }

uint64_t lanes_stepped_thread(const struct lanes *l) { return l->is_shown || l->reported_load ? 0 : l->command_steps; }

uint64_t lanes_stop_thread(const struct lanes *l) { return l->stop_tid; }

uint64_t lanes_selected_thread(const struct lanes *l) { return l->selected; }

uint64_t lanes_user_thread(const struct lanes *l)
{
	return l->checked.back_on ? l->checked.back_on : l->selected ? l->selected : l->stop_tid;
}

/* gdb asks whether a thread is there when its user selects it, but also for each thread `thread apply` goes through: three in a row
 * are no choice. (Hg alone says nothing of a choice: a list of threads with their frames takes one for each of them.) */
void lanes_note_checked(struct lanes *l, uint64_t tid)
{
	if (!l->checked.n_been)
		note_been(l, lanes_user_thread(l));
	note_been(l, tid);
	if (l->checked.back_on)
		l->selected = l->checked.back_on;
	l->checked.back_on = 0;
	bool in_a_row = l->checked.n && (tid == l->checked.last + 1 || tid == l->checked.last - 1);
	if (!in_a_row) {
		l->checked.n = 0;
		l->checked.selected_before = l->selected;
	}
	l->checked.n++;
	l->checked.last = tid;
	l->selected = l->checked.n < 3 ? tid : l->checked.selected_before;
}

/* After `thread apply 5 print r1` its user is where he was: gdb says so only when it asks about that thread again. */
void lanes_note_selected(struct lanes *l, uint64_t tid)
{
	for (unsigned i = 0; i < l->checked.n_been && i < N_BEEN; i++)
		if (l->checked.been[i] == tid && (!l->checked.n || l->checked.last != tid))
			l->checked.back_on = tid;
}

/* Returns true if gdb takes the thread that was reported over its breakpoint before it resumes the one that its user has selected. */
static bool is_on_another(const struct lanes *l, const struct resume *r)
{
	return r->has_step && !r->others && r->step == l->stop_tid && l->selected;
}

/* Returns true if gdb may step the thread only to take it over its breakpoint. */
static bool is_step_over(const struct lanes *l, const struct resume *r)
{
	struct machine_lane at;
	if (r->others || r->has_range || r->step != l->stop_tid || !lanes_find(l, r->step, &at))
		return false;
	const struct place *p = lane_place(l, at.uid);
	return (l->selected && l->selected != r->step) || l->m->has_breakpoint(l->self, p ? p->pc : at.pc);
}

void user_note_command(struct lanes *l, const struct resume *r)
{
	if (l->is_shown) {
		l->command_tid = r->has_step && !is_on_another(l, r) ? r->step
				 : l->selected			     ? l->selected
								     : l->stop_tid;
		l->command_steps = 0;
		l->said_gone_on = false;
	}
	if (r->has_step && !is_step_over(l, r))
		l->command_steps = r->step;
	l->m->note_resume(l->self, r->has_step ? 0 : l->command_tid, l->was_backwards);
}

/* Returns the thread that hits are reported for if it is among them. */
static uint64_t preferred_thread(const struct lanes *l, const struct resume *r)
{
	if (is_on_another(l, r))
		return l->selected;
	if (r->has_step)
		return r->step;
	if (r->continued)
		return r->continued;
	return l->selected ? l->selected : l->stop_tid;
}

void user_choose_focus(struct lanes *l, const struct resume *r)
{
	struct machine_lane at;
	if (l->is_shown)
		l->preferred = preferred_thread(l, r);
	if (lanes_find(l, is_on_another(l, r) ? r->step : l->preferred, &at) && !at.exited)
		l->m->set_focus(l->self, at.uid);
}

/* gdb's threads: one per lane of the exposed blocks, and one that stands for the host while no kernel runs. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/run.h"
#include "gdbstub/internal.h"

uint64_t thread_tid(struct stub *s, uint64_t uid)
{
	if (uid < STUB_ALIAS_TID)
		return uid;
	for (size_t i = 0; i < s->n_aliases; i++)
		if (s->aliases[i] == uid)
			return STUB_ALIAS_TID + i;
	s->aliases = xgrow(s->aliases, &s->cap_aliases, s->n_aliases + 1, sizeof *s->aliases);
	s->aliases[s->n_aliases] = uid;
	return STUB_ALIAS_TID + s->n_aliases++;
}

bool thread_uid(const struct stub *s, uint64_t tid, uint64_t *uid)
{
	*uid = tid;
	if (tid < STUB_ALIAS_TID)
		return tid != 0;
	if (tid - STUB_ALIAS_TID >= s->n_aliases)
		return false;
	*uid = s->aliases[tid - STUB_ALIAS_TID];
	return true;
}

bool thread_where(struct stub *s, uint64_t tid, struct debug_where *w)
{
	struct debug_thread t;
	uint64_t uid;
	return thread_uid(s, tid, &uid) && uid <= STUB_UID_MAX && debug_thread_of_uid(s->d, uid, &t) &&
	       debug_thread_where(s->d, &t, w);
}

/* A launch's threads are gone when it is: its lanes stay visible as exited ones while their block is there. */
bool thread_exists(struct stub *s, uint64_t tid)
{
	struct debug_where w;
	if (tid == STUB_HOST_TID)
		return !debug_can_run(s->d) || s->tid_g == tid;
	return thread_where(s, tid, &w) && (w.state != DEBUG_THREAD_EXITED || w.slot >= 0);
}

uint64_t thread_of_focus(struct stub *s)
{
	struct debug_where w;
	if (!debug_can_run(s->d) || !debug_focus_where(s->d, &w) || w.uid > STUB_UID_MAX ||
	    (w.state == DEBUG_THREAD_EXITED && w.slot < 0))
		return STUB_HOST_TID;
	return thread_tid(s, w.uid);
}

void thread_name(struct stub *s, const struct debug_where *w, struct text *out)
{
	(void)s;
	text_addf(out, "block (%u,%u,%u) thread (%u,%u,%u) warp %u lane %u", w->block_id[0], w->block_id[1], w->block_id[2],
		  w->thread_id[0], w->thread_id[1], w->thread_id[2], w->warp_index, w->lane);
}

/* What a lane does, for `info threads`. */
static const char *state_word(const struct debug_where *w)
{
	if (w->state == DEBUG_THREAD_EXITED)
		return "exited";
	if (w->state == DEBUG_THREAD_WAITING)
		return "not started";
	if (w->w->state == EXEC_WARP_BARRIER || (w->w->barrier_lanes >> w->lane & 1))
		return "at barrier";
	return w->active ? "active" : "inactive";
}

static void thread_row(struct stub *s, const struct debug_where *w, struct text *out)
{
	text_addf(out, "<thread id=\"%llx\" core=\"%u\" name=\"", (unsigned long long)thread_tid(s, w->uid), w->core);
	thread_name(s, w, out);
	text_addf(out, "\">%s</thread>", state_word(w));
}

/* Threads of one block; returns whether the one with this tid was among them. */
static bool block_rows(struct stub *s, struct debug_thread t, uint64_t wanted, struct text *out)
{
	struct debug_where w;
	bool found = false;
	for (t.thread = 0; debug_thread_where(s->d, &t, &w); t.thread++) {
		if ((w.state == DEBUG_THREAD_EXITED && w.slot < 0) || w.uid > STUB_UID_MAX)
			break;
		thread_row(s, &w, out);
		found |= thread_tid(s, w.uid) == wanted;
	}
	return found;
}

#define EXPOSED_MAX 4096u /* gdb's work grows with the square of it */

void threads_xml(struct stub *s, struct text *out)
{
	struct debug_thread focus;
	struct debug_where w;
	bool found = false, any = false;
	text_add(out, "<?xml version=\"1.0\"?>\n<threads>");
	if (thread_of_focus(s) != STUB_HOST_TID && debug_focus_get(s->d, &focus)) {
		uint64_t first = focus.cta;
		debug_thread_where(s->d, &focus, &w);
		uint32_t most = EXPOSED_MAX / w.launch.threads_per_cta;
		uint32_t n = s->expose_blocks > most && most ? most : s->expose_blocks;
		first -= first % n;
		for (uint32_t i = 0; i < n && first + i < w.launch.n_ctas; i++)
			found |= block_rows(s, (struct debug_thread){.launch = focus.launch, .cta = first + i}, s->tid_g, out);
		any = true;
	}
	if (!found && s->tid_g != STUB_HOST_TID && thread_exists(s, s->tid_g) && thread_where(s, s->tid_g, &w)) {
		thread_row(s, &w, out);
		any = true;
	}
	if (!any || (s->tid_g == STUB_HOST_TID && !found))
		text_addf(out, "<thread id=\"%llx\" name=\"host\">no kernel</thread>", (unsigned long long)STUB_HOST_TID);
	text_add(out, "</threads>");
}

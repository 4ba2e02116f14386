/* The packets that let the machine run: vCont, c, s, and backwards bs, bc. */
#include <string.h>

#include "gdbstub/lanes/lanes.h"
#include "gdbstub/protocol/room.h"
#include "gdbstub/threads/threads.h"

static enum packet_result resume_threads(struct stub *s, const struct resume *r, struct text *reply)
{
	if (r->has_step ? r->others : !r->locked) /* of one that runs by itself the stop will report */
		registers_forget(s);
	threads_run(s);
	watched_go_on(s);
	s->reply = reply;
	lanes_resume(s->lanes, r);
	return PACKET_REPLY;
}

enum packet_result packet_vcont_what(struct stub *s, const struct args *a, struct text *reply)
{
	(void)s;
	(void)a;
	text_add(reply, "vCont;c;C;s;S;r");
	return PACKET_REPLY;
}

/* One action: `s:1f`, `c`, `C05:-1`, `rFROM,TO:1`. The first one that fits a thread counts, so later steps are left out. */
static bool parse_action(struct stub *s, const char **at, const char *end, struct resume *r)
{
	uint64_t ignored, tid = ARGS_ALL_THREADS, from = 0, to = 0;
	char kind = *(*at)++;
	if ((kind == 'C' || kind == 'S') && !args_number(at, end, &ignored))
		return false;
	if (kind == 'r') {
		if (!args_number(at, end, &from) || *at == end || *(*at)++ != ',' || !args_number(at, end, &to))
			return false;
	}
	if (!kind || !strchr("cCsSr", kind))
		return false;
	if (*at < end && **at == ':') {
		(*at)++;
		if (!args_thread(at, end, &tid))
			return false;
	}
	bool all = tid == ARGS_ALL_THREADS || tid == ARGS_ANY_THREAD;
	if (kind == 'c' || kind == 'C') {
		r->locked = all || r->others || tid == STUB_HOST_TID ? 0 : tid;
		r->others = true;
	} else if (!r->has_step) {
		r->has_step = true;
		r->step = all ? s->tid_g : tid;
		r->others |= all;
		r->has_range = kind == 'r';
		r->from = from;
		r->to = to;
	}
	return *at == end || **at == ';';
}

enum packet_result packet_vcont(struct stub *s, const struct args *a, struct text *reply)
{
	const char *at = a->v[0].s, *end = at + a->v[0].n;
	struct resume r = {.continued = s->tid_c};
	while (at < end) {
		if (*at++ != ';' || at == end || !parse_action(s, &at, end, &r))
			return PACKET_BAD;
	}
	return r.locked || r.has_step || r.others ? resume_threads(s, &r, reply) : PACKET_BAD;
}

enum packet_result packet_c(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	return resume_threads(s, &(struct resume){.others = true, .continued = s->tid_c}, reply);
}

enum packet_result packet_s(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	return resume_threads(
		s, &(struct resume){.has_step = true, .step = s->tid_c ? s->tid_c : s->tid_g, .continued = s->tid_c},
		reply);
}

/* gdb sends Hc only when it has another thread in mind than the last time, whatever was reported meanwhile. A thread that it names is the only one
 * to run. Otherwise it doesn't say which one is to step: that is the one its user is on, whichever Hg has named last (`info threads` names all). */
static enum packet_result resume_back(struct stub *s, bool steps, struct text *reply)
{
	const uint64_t only = s->protocol->back_thread;
	struct resume r = {.has_step = steps, .step = only ? only : lanes_user_thread(s->lanes), .others = !only};
	if (!only)
		registers_forget(s);
	threads_run(s);
	watched_go_on(s);
	s->reply = reply;
	lanes_resume_back(s->lanes, &r);
	return PACKET_REPLY;
}

enum packet_result packet_back_step(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	return resume_back(s, true, reply);
}

enum packet_result packet_back_continue(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	return resume_back(s, false, reply);
}

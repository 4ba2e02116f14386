/* Packets that begin and end launches, or end a client's session. */
#include <string.h>

#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/protocol/protocol.h"
#include "gdbstub/threads/threads.h"

void launch_forget(struct stub *s)
{
	lanes_forget(s->lanes);
	step_points_forget(s);
	registers_forget(s);
}

/* With `target extended-remote` gdb keeps the connection: `run` may follow, unless another gdb comes before. */
enum packet_result packet_detach(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	text_add(reply, "OK");
	s->runs_on = debug_program_lives(s->d);
	if (!s->extended)
		return PACKET_LEAVE;
	points_clear(s);
	launch_forget(s);
	s->detached = s->no_program = true;
	return PACKET_REPLY;
}

static void kill_launch(struct stub *s)
{
	points_clear(s);
	launch_forget(s);
	if (debug_program_lives(s->d))
		debug_program_kill(s->d);
	else
		debug_kill(s->d);
	s->no_program = true;
	s->tid_g = STUB_HOST_TID;
	lanes_note_reported(s->lanes, STUB_HOST_TID);
	session_report_killed(s->session, &s->face);
}

enum packet_result packet_kill(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	(void)reply;
	kill_launch(s);
	if (!s->extended)
		link_leave(s, false);
	return PACKET_SILENT;
}

enum packet_result packet_vkill(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	(void)reply;
	kill_launch(s);
	return PACKET_OK;
}

/* Returns whether `run` with these arguments (NULL: without) starts the program, not a kernel. */
static bool is_for_program(const struct stub *s, const char *arguments)
{
	return debug_program_is_there(s->d) && !(arguments && strstr(arguments, "<<<"));
}

/* A launch, NULL: the last one again, with memory as that found it; standing at its entry. */
static bool start_launch(struct stub *s, const char *launch, struct text *why)
{
	struct debug_stop stop;
	const char *last = debug_last_launch(s->d);
	if (is_for_program(s, launch)) {
		launch_forget(s);
		return debug_program_start(s->d, launch ? launch : "", why);
	}
	if (!last && !launch) {
		text_add(why, "nothing was launched yet");
		return false;
	}
	debug_stop_init(&stop);
	const bool is_last = !launch || (last && !strcmp(launch, last));
	if (!is_last)
		debug_kill(s->d);
	const bool ok = debug_launch(s->d, is_last ? NULL : launch, &stop, why);
	debug_stop_free(&stop);
	launch_forget(s);
	return ok;
}

/* `;FILE;ARGUMENT;ARGUMENT`, all in hexadecimal: what was between blanks after gdb's `run`. False: nothing but blanks. */
static bool launch_of_arguments(const struct arg *a, struct text *out)
{
	const char *end = a->s + a->n, *at = a->n ? memchr(a->s + 1, ';', a->n - 1) : NULL;
	while (at) {
		const char *next = memchr(at + 1, ';', (size_t)(end - at - 1));
		if (out->n)
			text_addc(out, ' ');
		if (!rsp_unhex(out, at + 1, (size_t)((next ? next : end) - at - 1)))
			return false;
		at = next;
	}
	return out->n && text_str(out)[strspn(text_str(out), " ")];
}

enum packet_result packet_run(struct stub *s, const struct args *a, struct text *reply)
{
	struct text why = {0}, launch = {0};
	bool given = launch_of_arguments(&a->v[0], &launch);
	text_clear(&s->not_launched);
	s->detached = false;
	if (given && is_for_program(s, text_str(&launch)) && s->is_confined) { /* a shell reads arguments */
		text_add(reply, "E.no arguments for a program of this machine from another one without --gdb-trust");
		text_free(&launch);
		return PACKET_REPLY;
	}
	bool ok = start_launch(s, given ? text_str(&launch) : NULL, &why);
	if (!ok && given) /* gdb shows nothing of an error's text here: it is reported when gdb continues from there */
		text_addf(&s->not_launched, "%s: %s", text_str(&launch), text_str(&why));
	if (ok || given)
		stop_reply_thread(s, 5, thread_of_focus(s), (struct lanes_event){0}, reply);
	else
		text_addf(reply, "E.%s", text_str(&why));
	text_free(&launch);
	text_free(&why);
	return PACKET_REPLY;
}

enum packet_result packet_restart(struct stub *s, const struct args *a, struct text *reply)
{
	struct text why = {0};
	(void)a;
	(void)reply;
	start_launch(s, NULL, &why);
	text_free(&why);
	return PACKET_SILENT;
}

/* Beginning and ending: of a client's session, and of launches at gdb's wish. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "gdbstub/image/image.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/protocol/packet.h"
#include "gdbstub/threads/threads.h"

void client_forget(struct stub *s)
{
	lanes_forget(s->lanes);
	step_points_forget(s);
	registers_forget(s);
}

void client_begin(struct stub *s)
{
	s->attached = true;
	s->detached = s->no_program = s->extended = false;
	client_forget(s);
	protocol_begin(s);
	threads_client_begin(s);
	s->tid_g = thread_of_focus(s);
	lanes_stand(s->lanes, s->tid_g);
	s->tid_c = ARGS_ANY_THREAD;
	images_clear(s);
	vfile_forget(s);
	view_forget(s);
}

void client_gone(struct stub *s)
{
	points_clear(s);
	lanes_leave(s->lanes);
	lanes_break(s->lanes, BREAK_AUTO);
	images_clear(s);
	vfile_forget(s);
	threads_client_gone(s);
	view_forget(s);
}

/* With `target extended-remote` gdb keeps the connection: `run` may follow, unless another gdb comes before. */
enum packet_result packet_detach(struct stub *s, const struct args *a, struct text *reply)
{
	(void)a;
	text_add(reply, "OK");
	if (!s->extended)
		return PACKET_LEAVE;
	points_clear(s);
	client_forget(s);
	s->detached = s->no_program = true;
	return PACKET_REPLY;
}

static void kill_launch(struct stub *s)
{
	points_clear(s);
	client_forget(s);
	if (debug_program_lives(s->d))
		debug_program_kill(s->d);
	else
		debug_kill(s->d);
	s->no_program = true;
	s->tid_g = STUB_HOST_TID;
	lanes_reported(s->lanes, STUB_HOST_TID);
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
static bool start(struct stub *s, const char *launch, struct text *why)
{
	struct debug_stop stop;
	const char *last = debug_last_launch(s->d);
	if (is_for_program(s, launch)) {
		client_forget(s);
		return debug_program_start(s->d, launch ? launch : "", why);
	}
	if (!last && !launch) {
		text_add(why, "nothing was launched yet");
		return false;
	}
	debug_stop_init(&stop);
	bool ok = false;
	if (!launch || (last && !strcmp(launch, last))) {
		ok = debug_launch_again(s->d, &stop, why);
	} else {
		debug_kill(s->d);
		ok = debug_cmd_launch(s->d, launch, &stop, why);
	}
	debug_stop_free(&stop);
	client_forget(s);
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

void gdbstub_not_launched(struct stub *s, const char *why)
{
	text_clear(&s->not_launched);
	text_add(&s->not_launched, why);
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
	bool ok = start(s, given ? text_str(&launch) : NULL, &why);
	if (!ok && given) /* gdb shows nothing of an error's text here: it is reported when gdb goes on from there */
		text_addf(&s->not_launched, "%s: %s", text_str(&launch), text_str(&why));
	if (ok || given)
		stop_reply_thread(s, 5, thread_of_focus(s), "", reply);
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
	start(s, NULL, &why);
	text_free(&why);
	return PACKET_SILENT;
}

/* ---- as a face of the session ---- */

/* gdb is sent the output of what it runs itself. */
static bool face_output(void *self, const char *text, size_t n)
{
	struct stub *s = self;
	if (!s->attached || !s->running)
		return false;
	dispatch_say(s, text, n);
	dispatch_console(s);
	return s->shows_errors;
}

static void face_running(void *self, bool on)
{
	struct stub *s = self;
	if (on && !s->running)
		points_settle(s, false); /* what gdb has taken out is not to stop others */
	link_others_run(s, on);
}

static bool face_note(void *self, const char *line) { return face_output(self, line, strlen(line)); }

/* It is reported to gdb as soon as the protocol allows. */
static void face_stopped(void *self, const struct debug_stop *stop)
{
	struct stub *s = self;
	if (!s->attached || s->running)
		return;
	struct text report = {0};
	text_add(&report, "warpstep: the machine was run from its own prompt\n");
	debug_stop_report(s->d, stop, &report);
	lanes_moved(s->lanes, text_str(&report));
	text_free(&report);
	images_update(s);
}

static bool face_listen(void *self, const char *where, struct text *out, struct text *why)
{
	if (strcmp(where, "off"))
		return gdbstub_listen(self, where, out, why);
	gdbstub_close(self);
	return true;
}

static bool face_active(void *self) { return gdbstub_active(self); }
static void face_wait(void *self, int fd) { gdbstub_serve(self, fd); }

/* ---- the stub's own life ---- */

struct stub *gdbstub_create(struct session *session)
{
	struct stub *s = xcalloc(1, sizeof *s);
	s->session = session;
	s->d = session_debug(session);
	s->interrupt = session_interrupt(session);
	s->face = (struct session_face){.self = s,
					.output = face_output,
					.text = face_output,
					.note = face_note,
					.report = face_note,
					.running = face_running,
					.stopped = face_stopped,
					.listen = face_listen,
					.active = face_active,
					.wait = face_wait};
	session_attach(session, &s->face);
	s->tid_g = STUB_HOST_TID;
	link_room_create(s);
	protocol_room_create(s);
	image_room_create(s);
	threads_room_create(s);
	machine_attach(s);
	lanes_reported(s->lanes, STUB_HOST_TID);
	return s;
}

void gdbstub_destroy(struct stub *s)
{
	if (!s)
		return;
	gdbstub_close(s);
	session_detach(s->session, &s->face);
	text_free(&s->not_launched);
	image_room_free(s);
	lanes_destroy(s->lanes);
	threads_room_free(s);
	protocol_room_free(s);
	link_room_free(s);
	free(s);
}

void gdbstub_feed(struct stub *s, const char *bytes, size_t n)
{
	if (!s->attached) {
		s->attached = true;
		s->tid_g = thread_of_focus(s);
		lanes_reported(s->lanes, s->tid_g);
		lanes_shown(s->lanes);
	}
	link_take(s, bytes, n);
}

struct text *gdbstub_replies(struct stub *s) { return link_out(s); }

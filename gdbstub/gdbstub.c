/* The stub's own life, its clients' sessions, and how the session sees it: as a face. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/program.h"
#include "debug/setup/launch.h"
#include "debug/stop/run.h"
#include "gdbstub/image/image.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/protocol/protocol.h"
#include "gdbstub/threads/threads.h"

static void client_begin(struct stub *s)
{
	s->attached = true;
	s->runs_on = s->detached = s->no_program = s->extended = false;
	launch_forget(s);
	protocol_begin(s);
	threads_client_begin(s);
	s->tid_g = thread_of_focus(s);
	lanes_client_begin(s->lanes, s->tid_g);
	s->tid_c = ARGS_ANY_THREAD;
	images_clear(s);
	vfile_forget(s);
	view_forget(s);
}

static void client_gone(struct stub *s)
{
	points_clear(s);
	lanes_client_end(s->lanes);
	lanes_set_break_mode(s->lanes, BREAK_AUTO);
	images_clear(s);
	vfile_forget(s);
	threads_client_gone(s);
	view_forget(s);
}

void gdbstub_not_launched(struct stub *s, const char *why)
{
	text_clear(&s->not_launched);
	text_add(&s->not_launched, why);
}

static const struct link_events link_events = {client_begin, client_gone, dispatch_byte};

/* ---- as a face of the session ---- */

/* gdb is sent the output of what it runs itself. */
static bool face_output(void *self, const char *text, size_t n)
{
	struct stub *s = self;
	if (!s->attached || !s->running)
		return false;
	stub_say(s, text, n);
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
	lanes_note_moved(s->lanes, text_str(&report));
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

struct stub *gdbstub_create(struct session *session, struct interpreter *commands)
{
	struct stub *s = xcalloc(1, sizeof *s);
	s->session = session;
	s->commands = commands;
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
	link_room_create(s, &link_events);
	protocol_room_create(s);
	image_room_create(s);
	threads_room_create(s);
	machine_attach(s);
	lanes_note_reported(s->lanes, STUB_HOST_TID);
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
		lanes_note_reported(s->lanes, s->tid_g);
		lanes_note_shown(s->lanes);
	}
	link_take(s, bytes, n);
}

struct text *gdbstub_replies(struct stub *s) { return link_out(s); }

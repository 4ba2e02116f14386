#include "repl/main_gdb.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "gdbstub/gdbstub.h"
#include "repl/edit.h"
#include "repl/repl.h"

/* ---- what the stub calls ---- */

static void command(void *self, const char *line, struct text *out) { repl_execute_for(self, line, out); }

static void said(void *self, const char *line)
{
	const struct repl *r = self;
	if (r->quiet || !r->interactive)
		return;
	printf("\n%s", line);
	fflush(stdout);
	edit_redraw();
}

/* Whoever sits at the prompt sees where gdb has led the machine. */
static void stopped(void *self, const struct debug_stop *stop)
{
	struct repl *r = self;
	struct text t = {0};
	if (stop->status)
		repl_set_status(r, (enum repl_status)stop->status);
	if (!r->interactive)
		return;
	debug_stop_report(r->dbg, stop, &t);
	printf("\n%s", text_str(&t));
	fflush(stdout);
	edit_redraw();
	text_free(&t);
}

static void killed(void *self)
{
	struct repl *r = self;
	if (r->batch)
		r->quit = true;
}

static bool done(void *self) { return ((const struct repl *)self)->quit; }

/* ---- what the prompt calls ---- */

static bool listen_or_stop(void *self, const char *where, struct text *out, struct text *why)
{
	if (strcmp(where, "off"))
		return gdbstub_listen(self, where, out, why);
	gdbstub_close(self);
	return true;
}

static bool active(void *self) { return gdbstub_active(self); }
static void wait_for(void *self, int fd) { gdbstub_serve(self, fd); }
static void running(void *self, bool on) { gdbstub_watch(self, on); }
static void moved(void *self, const struct debug_stop *stop) { gdbstub_machine_moved(self, stop); }

struct stub *main_gdb_create(struct repl *r, struct debug *d)
{
	struct gdbstub_host host = {.self = r,
				    .command = command,
				    .stopped = stopped,
				    .said = said,
				    .killed = killed,
				    .done = done,
				    .interrupt = &r->interrupted};
	struct stub *s = gdbstub_create(d, &host);
	r->server = (struct repl_server){.self = s,
					 .listen = listen_or_stop,
					 .active = active,
					 .wait = wait_for,
					 .running = running,
					 .moved = moved};
	return s;
}

/* ---- -g ---- */

void main_gdb_keep_pipe(struct main_gdb_pipe *p)
{
	*p = (struct main_gdb_pipe){fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)};
	dup2(STDERR_FILENO, STDOUT_FILENO);
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (nothing < 0)
		return;
	dup2(nothing, STDIN_FILENO);
	if (nothing != STDIN_FILENO)
		close(nothing);
}

/* gdb gives a program behind `target remote |` a socket for standard error (ser-pipe.c), and shows what comes from there; a file
 * or a terminal is not gdb's. */
static bool is_socket(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && S_ISSOCK(st.st_mode);
}

bool main_gdb_start(struct stub *s, const char *where, const struct main_gdb_pipe *p, struct repl *r)
{
	struct text out = {0}, why = {0};
	bool ok = true;
	if (strcmp(where, "-")) {
		ok = gdbstub_listen(s, where, &out, &why);
	} else if (p->in < 0 || p->out < 0) {
		text_add(&why, "gdb's pipe is standard input and output: they are not open");
		ok = false;
	} else {
		fflush(stdout); /* else gdb would show what the commands said behind its first stop */
		r->server.shows_errors = is_socket(STDERR_FILENO);
		/* front ends of gdb drop what it shows while they start */
		if (r->error.n)
			gdbstub_not_launched(s, text_str(&r->error));
		gdbstub_attach(s, p->in, p->out);
	}
	fputs(text_str(&out), stderr); /* standard output is for results */
	if (!ok)
		repl_error(r, "%s", text_str(&why));
	text_free(&out);
	text_free(&why);
	return ok;
}

void main_gdb_stay(struct stub *s, struct repl *r)
{
	while (!r->quit && gdbstub_active(s)) {
		r->interrupted = 0;
		gdbstub_serve(s, -1);
		if (r->interrupted) /* Ctrl-C where there is no prompt any more */
			break;
	}
}

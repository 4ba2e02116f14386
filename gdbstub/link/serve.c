/* Clients: one at a time is served, from when it comes until it is gone. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "gdbstub/link/room.h"

/* Around runs of the machine that another face asks for: a gdb that comes, or wants something, sets the interrupt flag. */
void link_others_run(struct stub *s, bool on)
{
	if (on && (!gdbstub_active(s) || s->running))
		return;
	if (on || s->link->watching)
		link_watch_fd(s, s->link->in_fd, on);
	s->link->watching = on;
}

/* ---- clients ---- */

static void begin_client(struct stub *s, int in, int out)
{
	struct link_room *l = s->link;
	l->in_fd = in;
	l->out_fd = out;
	s->is_confined = !l->is_pipe && l->is_open && !l->trusts;
	l->closing = false;
	text_clear(&l->in);
	l->in_at = 0;
	text_clear(&l->out);
	l->events->client_begins(s);
}

void link_drop(struct stub *s)
{
	if (!s->attached)
		return;
	link_flush(s);
	if (s->link->in_fd >= 0)
		close(s->link->in_fd);
	if (s->link->out_fd >= 0 && s->link->out_fd != s->link->in_fd)
		close(s->link->out_fd);
	s->link->in_fd = s->link->out_fd = -1;
	s->attached = false;
	s->link->closing = s->link->is_pipe;
	s->link->events->client_is_gone(s);
	session_say(s->session, &s->face,
		    s->runs_on ? "gdb has left; the program runs on.\n" : "gdb has left; the machine stays where it is.\n");
}

bool link_is_occupied(const struct stub *s) { return s->attached && !s->detached && !link_is_gone(s->link->in_fd); }

/* Makes the first connection that has sent a packet the client. */
static void admit(struct stub *s)
{
	int one = 1;
	struct text bytes = {0};
	if (s->attached && s->detached)
		link_drop(s);
	while (s->attached && link_is_gone(s->link->in_fd)) /* maybe with a last wish: kill */
		if (!link_read(s))
			link_drop(s);
	const int fd = s->attached ? -1 : visitors_take(s, &bytes);
	if (fd >= 0) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
		begin_client(s, fd, fd);
		session_say(s->session, &s->face, "gdb has attached.\n");
		link_take(s, text_str(&bytes), bytes.n);
	}
	text_free(&bytes);
}

void gdbstub_attach(struct stub *s, int in, int out, bool shows_errors)
{
	s->shows_errors = shows_errors;
	s->link->is_pipe = true;
	begin_client(s, in, out);
}

/* ---- closing ---- */

static void close_listener(struct stub *s)
{
	const bool was_on = watcher_off(s); /* it has the descriptors while the machine runs */
	if (s->link->listen_fd >= 0)
		close(s->link->listen_fd);
	s->link->listen_fd = -1;
	socket_file_remove(s);
	visitors_close(s);
	if (was_on)
		watcher_on(s, s->link->in_fd);
}

void gdbstub_close(struct stub *s)
{
	close_listener(s);
	if (s->running) /* by a monitor command: the client goes when it is done */
		s->link->closing = true;
	else
		link_drop(s);
	if (!s->running) {
		watcher_stop(s);
		awake_stop(s);
		s->link->events->client_is_gone(s);
	}
}

bool gdbstub_active(const struct stub *s) { return s->link->listen_fd >= 0 || s->attached; }

/* ---- serving ---- */

/* Fills in the descriptors to wait for: the caller's, the listener, the client, other connections. */
static void fill_poll(const struct stub *s, int fd, struct pollfd *fds)
{
	int all[3] = {fd, s->link->listen_fd, s->link->in_fd};
	for (unsigned i = 0; i < 3; i++)
		fds[i] = (struct pollfd){.fd = all[i], .events = POLLIN};
	visitors_poll(s, fds + 3);
}

/* Runs the program that the client has detached from. */
static void run_on(struct stub *s)
{
	if (!s->runs_on)
		return;
	s->runs_on = false;
	session_report_detached(s->session, &s->face);
}

void gdbstub_serve(struct stub *s, int fd)
{
	struct pollfd fds[3 + STUB_VISITORS];
	const nfds_t n_fds = sizeof fds / sizeof *fds;
	bool heard = false; /* of gdb, a moment ago */
	admit(s);
	while (gdbstub_active(s) && !session_done(s->session)) {
		fill_poll(s, fd, fds);
		int n = heard ? awake_poll(s, fds, n_fds) : 0;
		if (!n)
			n = poll(fds, n_fds, -1);
		if (n < 0 && (errno != EINTR || stub_is_interrupted(s)))
			return;
		if (n <= 0)
			continue;
		heard = fds[2].revents;
		if (heard && !link_read(s))
			link_drop(s);
		run_on(s);
		if (visitors_serve(s, fds + 3, link_is_occupied(s)))
			admit(s);
		if (fds[1].revents & POLLIN)
			visitors_accept(s);
		if (fds[0].revents)
			return;
	}
}

/* ---- the room ---- */

void link_room_create(struct stub *s, const struct link_events *events)
{
	s->link = xcalloc(1, sizeof *s->link);
	s->link->events = events;
	s->link->listen_fd = s->link->in_fd = s->link->out_fd = -1;
	s->link->socket_folder = -1;
	visitors_init(s);
}

void link_room_free(struct stub *s)
{
	text_free(&s->link->in);
	text_free(&s->link->out);
	free(s->link);
}

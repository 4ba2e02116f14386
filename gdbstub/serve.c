/* The link: sockets and pipes, one client at a time. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "gdbstub/image/image.h"
#include "gdbstub/lanes/lanes.h"
#include "gdbstub/link/link.h"
#include "gdbstub/protocol/packet.h"

#define SEND_TIMEOUT_MS 10000
#define SEND_LOOK_MS 100     /* so often it looks whether somebody at the prompt has lost patience */
#define INPUT_MAX (4u << 20) /* bytes that may wait while the machine runs */

/* ---- bytes that come while the machine runs ---- */

/* Is there a 0x03 outside of packets among the bytes that wait? It is taken out. */
static bool take_interrupt(struct stub *s)
{
	unsigned left = 0; /* of a checksum */
	bool inside = false;
	for (size_t i = s->input_at; i < s->input.n; i++) {
		char c = s->input.s[i];
		if (left) {
			left--;
		} else if (inside) {
			inside = c != '#';
			left = inside ? 0 : 2;
		} else if (c == '$') {
			inside = true;
		} else if (c == 0x03) {
			memmove(s->input.s + i, s->input.s + i + 1, s->input.n - i - 1);
			s->input.n--;
			return true;
		}
	}
	return false;
}

/* Reads what is there; false: the peer is gone. */
static bool read_some(struct stub *s)
{
	char bytes[65536];
	ssize_t n;
	do
		n = read(s->in_fd, bytes, sizeof bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return true;
	if (n <= 0)
		return false;
	dispatch_bytes(s, bytes, (size_t)n);
	return true;
}

static bool readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	return fd >= 0 && poll(&p, 1, 0) == 1;
}

bool link_is_gone(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLRDHUP};
	return fd >= 0 && poll(&p, 1, 0) == 1;
}

bool link_wants_stop(struct stub *s)
{
	bool gone = s->in_fd >= 0 && readable(s->in_fd) && !read_some(s);
	if (gone || s->input.n - s->input_at > INPUT_MAX)
		s->closing = true;
	bool stop = take_interrupt(s) || s->closing;
	*s->interrupt = stop;
	if (!stop) /* the watcher has done its work: send it out again */
		link_watch(s, false), link_watch(s, true);
	return stop;
}

static void watch_fd(struct stub *s, int fd, bool on)
{
	if (on)
		watcher_on(s, fd);
	else
		watcher_off(s);
	if (!on)
		*s->interrupt = 0;
}

void link_watch(struct stub *s, bool on)
{
	if (on)
		*s->interrupt = take_interrupt(s);
	if (on)
		s->interrupted = false;
	if (s->in_fd >= 0)
		watch_fd(s, s->in_fd, on);
}

/* Around runs of the machine that another face asks for: a gdb that comes, or wants something, sets the interrupt flag. */
void stub_face_running(void *self, bool on)
{
	struct stub *s = self;
	int fd = s->in_fd >= 0 ? s->in_fd : s->listen_fd;
	if (on && !s->running)
		points_settle(s, false); /* what gdb has taken out is not to stop others */
	if (on && (fd < 0 || s->running))
		return;
	if (on || s->watching)
		watch_fd(s, fd, on);
	s->watching = on;
}

/* ---- sending ---- */

/* Waits until the peer takes more. While the machine runs, whose output it is then, as long as that takes: a user may have stopped gdb, or
 * its terminal. Else a peer that takes nothing for so long is as good as gone. */
static bool can_send(const struct stub *s)
{
	struct pollfd p = {.fd = s->out_fd, .events = POLLOUT};
	for (int ms = 0; !stub_is_interrupted(s) && (s->running || ms < SEND_TIMEOUT_MS); ms += SEND_LOOK_MS)
		if (poll(&p, 1, SEND_LOOK_MS) > 0)
			return true;
	return false;
}

void link_flush(struct stub *s)
{
	size_t at = 0;
	while (s->out_fd >= 0 && at < s->out.n) {
		ssize_t n = write(s->out_fd, s->out.s + at, s->out.n - at);
		if (n > 0) {
			at += (size_t)n;
			continue;
		}
		bool is_full = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
		if ((n < 0 && errno == EINTR) || (is_full && can_send(s)))
			continue;
		if (is_full && s->running) /* the rest when the machine stands */
			break;
		s->closing = true;
		at = s->out.n;
	}
	if (s->out_fd >= 0 && at) {
		s->out.n -= at;
		memmove(s->out.s, s->out.s + at, s->out.n + 1);
	}
}

/* ---- clients ---- */

static void begin_client(struct stub *s, int in, int out)
{
	s->in_fd = in;
	s->out_fd = out;
	s->attached = true;
	s->closing = s->detached = s->no_program = s->no_ack = s->is_gdb = s->no_swbreak = s->has_begun =
		s->first_unanswered = s->extended = s->brief = s->hinted = s->stops_next = false;
	client_forget(s);
	rsp_decoder_reset(&s->decoder);
	text_clear(&s->input);
	s->input_at = 0;
	text_clear(&s->out);
	text_clear(&s->last);
	text_clear(&s->console);
	s->tid_g = s->stop_tid = s->favourite = thread_of_focus(s);
	s->tid_c = ARGS_ANY_THREAD;
	s->seen = true;
	images_clear(s);
	view_forget(s);
}

void link_drop(struct stub *s)
{
	if (!s->attached)
		return;
	link_flush(s);
	if (s->in_fd >= 0)
		close(s->in_fd);
	if (s->out_fd >= 0 && s->out_fd != s->in_fd)
		close(s->out_fd);
	s->in_fd = s->out_fd = -1;
	s->attached = false;
	s->closing = s->is_pipe;
	points_clear(s);
	stale_clear(s);
	images_clear(s);
	s->n_aliases = 0;
	for (unsigned i = 0; i < STUB_HEADS; i++)
		s->heads[i].uid = 0;
	s->break_mode = BREAK_AUTO;
	s->expose_blocks = 1;
	session_say(s->session, &s->face, "gdb has left; the machine stays where it is.\n");
}

/* gdb acknowledges the last answer, too, and calls it an error if the pipe is closed by then. */
void link_await(struct stub *s)
{
	struct pollfd p = {.fd = s->in_fd, .events = POLLIN};
	link_flush(s);
	poll(&p, 1, 3000);
}

int link_accept(struct stub *s)
{
	int fd = accept4(s->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	/* without a descriptor for it the client stays in the queue, and poll would come back at once */
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		poll(NULL, 0, 100);
	return fd;
}

static void accept_client(struct stub *s)
{
	int one = 1;
	if (s->attached && s->detached)
		link_drop(s);
	while (s->attached && link_is_gone(s->in_fd)) /* maybe with a last wish: kill */
		if (!read_some(s))
			link_drop(s);
	if (s->attached) {
		refused_accept(s);
		return;
	}
	int fd = link_accept(s);
	if (fd < 0)
		return;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
	begin_client(s, fd, fd);
	session_say(s->session, &s->face, "gdb has attached.\n");
}

void gdbstub_attach(struct stub *s, int in, int out, bool shows_errors)
{
	s->shows_errors = shows_errors;
	s->is_pipe = true;
	begin_client(s, in, out);
}

/* ---- listening ---- */

/* HOST:PORT, [HOST]:PORT, :PORT, PORT. */
static bool parse_place(const char *where, char host[256], char port[16], struct text *why)
{
	const char *colon = strrchr(where, ':');
	const char *number = colon ? colon + 1 : where;
	size_t n = colon ? (size_t)(colon - where) : 0;
	char *end;
	unsigned long v = strtoul(number, &end, 10);
	if (!*number || *end || strlen(number) > 5 || v > 65535 || n > 255 ||
	    strspn(number, "0123456789") != strlen(number)) {
		text_addf(why, "'%s' is no place to listen, expected [HOST:]PORT", where);
		return false;
	}
	if (n > 1 && where[0] == '[' && where[n - 1] == ']') {
		where++;
		n -= 2;
	}
	snprintf(host, 256, "%.*s", n ? (int)n : 9, n ? where : "127.0.0.1");
	snprintf(port, 16, "%lu", v);
	return true;
}

static bool is_loopback(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
	return a->sa_family == AF_INET6 &&
	       IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static int open_listener(const struct addrinfo *a)
{
	int one = 1, fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, SOMAXCONN))
		return fd;
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

static void say_where(int fd, struct text *out)
{
	struct sockaddr_storage a = {0};
	socklen_t n = sizeof a;
	char host[256], port[16];
	if (getsockname(fd, (struct sockaddr *)&a, &n) || getnameinfo((struct sockaddr *)&a, n, host, sizeof host, port,
								      sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	bool v6 = a.ss_family == AF_INET6;
	text_addf(out, "Listening for gdb on %s%s%s:%s\n", v6 ? "[" : "", host, v6 ? "]" : "", port);
	if (!is_loopback((struct sockaddr *)&a))
		text_addf(out, "warning: anybody who reaches this machine can attach there, and gdb's users may run "
			       "commands here\n");
}

bool gdbstub_listen(struct stub *s, const char *where, struct text *out, struct text *why)
{
	char host[256], port[16];
	struct addrinfo *list, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	if (!parse_place(where, host, port, why))
		return false;
	int failed = getaddrinfo(host, port, &hints, &list);
	if (failed) {
		text_addf(why, "can't listen on '%s': %s", where, gai_strerror(failed));
		return false;
	}
	int fd = -1, error = 0;
	/* localhost may be ::1 first where there is no IPv6 */
	for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
		fd = open_listener(a);
		error = errno;
	}
	freeaddrinfo(list);
	if (fd < 0) {
		text_addf(why, "can't listen on '%s': %s", where, strerror(error));
		return false;
	}
	gdbstub_close(s);
	s->listen_fd = fd;
	say_where(fd, out);
	return true;
}

static void close_listener(struct stub *s)
{
	int fd = watcher_off(s); /* it has the descriptors while the machine runs */
	if (fd == s->listen_fd)
		fd = -1;
	if (s->listen_fd >= 0)
		close(s->listen_fd);
	s->listen_fd = -1;
	refused_close(s);
	if (fd >= 0)
		watcher_on(s, fd);
}

void gdbstub_close(struct stub *s)
{
	close_listener(s);
	if (s->running) /* by a monitor command: the client goes when it is done */
		s->closing = true;
	else
		link_drop(s);
	if (!s->running) {
		watcher_stop(s);
		awake_stop(s);
		points_clear(s);
		images_clear(s);
		view_forget(s);
	}
}

bool gdbstub_active(const struct stub *s) { return s->listen_fd >= 0 || s->attached; }

/* ---- serving ---- */

/* Descriptors to wait for: the caller's, the listener, the client, those refused. */
static void fill_poll(const struct stub *s, int fd, struct pollfd *fds)
{
	int all[3] = {fd, s->listen_fd, s->in_fd};
	for (unsigned i = 0; i < 3; i++)
		fds[i] = (struct pollfd){.fd = all[i], .events = POLLIN};
	refused_poll(s, fds + 3);
}

void gdbstub_serve(struct stub *s, int fd)
{
	struct pollfd fds[3 + STUB_REFUSED];
	const nfds_t n_fds = sizeof fds / sizeof *fds;
	bool heard = false; /* of gdb, a moment ago */
	while (gdbstub_active(s) && !session_done(s->session)) {
		fill_poll(s, fd, fds);
		int n = heard ? awake_poll(s, fds, n_fds) : 0;
		if (!n)
			n = poll(fds, n_fds, -1);
		if (n < 0 && (errno != EINTR || stub_is_interrupted(s)))
			return;
		if (n <= 0)
			continue;
		refused_answer(s, fds + 3);
		heard = fds[2].revents;
		if (heard && !read_some(s))
			link_drop(s);
		if (fds[1].revents & POLLIN)
			accept_client(s);
		if (fds[0].revents)
			return;
	}
}

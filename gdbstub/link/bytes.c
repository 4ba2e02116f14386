/* Bytes to and from the client. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdbstub/link/room.h"

#define SEND_TIMEOUT_MS 10000
#define SEND_LOOK_MS 100     /* interval at which the interrupt flag is read */
#define INPUT_MAX (4u << 20) /* bytes that may wait while the machine runs */

/* ---- bytes that come while the machine runs ---- */

/* Is there a 0x03 outside of packets among the bytes that wait? It is taken out. */
static bool take_interrupt(struct stub *s)
{
	unsigned left = 0; /* of a checksum */
	bool inside = false;
	for (size_t i = s->link->in_at; i < s->link->in.n; i++) {
		char c = s->link->in.s[i];
		if (left) {
			left--;
		} else if (inside) {
			inside = c != '#';
			left = inside ? 0 : 2;
		} else if (c == '$') {
			inside = true;
		} else if (c == 0x03) {
			memmove(s->link->in.s + i, s->link->in.s + i + 1, s->link->in.n - i - 1);
			s->link->in.n--;
			return true;
		}
	}
	return false;
}

void link_take(struct stub *s, const char *bytes, size_t n)
{
	struct link_room *l = s->link;
	text_addn(&l->in, bytes, n);
	if (s->running)
		return; /* they are taken when the machine stands again */
	/* bytes after a detach are dropped */
	while (s->attached && l->in_at < l->in.n)
		l->events->byte(s, (unsigned char)l->in.s[l->in_at++]);
	text_clear(&l->in);
	l->in_at = 0;
	link_send(s);
}

bool link_read(struct stub *s)
{
	char bytes[65536];
	ssize_t n;
	do
		n = read(s->link->in_fd, bytes, sizeof bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return true;
	if (n <= 0)
		return false;
	link_take(s, bytes, (size_t)n);
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

/* Reads the bytes that were received meanwhile. Returns true if gdb wants the machine to stop, or has disconnected. */
static bool link_wants_stop(struct stub *s)
{
	bool gone = s->link->in_fd >= 0 && readable(s->link->in_fd) && !link_read(s);
	if (gone || s->link->in.n - s->link->in_at > INPUT_MAX)
		s->link->closing = true;
	bool stop = take_interrupt(s) || s->link->closing;
	*s->interrupt = stop;
	if (!stop) /* the watcher has done its work: send it out again */
		link_watch(s, false), link_watch(s, true);
	return stop;
}

bool link_only_packets(struct stub *s)
{
	bool came = s->link->interrupted;
	s->link->interrupted = false;
	return came && !link_wants_stop(s);
}

void link_watch_fd(struct stub *s, int fd, bool on)
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
		s->link->interrupted = false;
	if (s->link->in_fd >= 0)
		link_watch_fd(s, s->link->in_fd, on);
}

/* ---- sending ---- */

/* Waits until the peer takes more. While the machine runs, whose output it is then, as long as that takes: a user may have stopped gdb, or
 * its terminal. Else a peer that takes nothing for so long is as good as gone. */
static bool can_send(const struct stub *s)
{
	struct pollfd p = {.fd = s->link->out_fd, .events = POLLOUT};
	for (int ms = 0; !stub_is_interrupted(s) && (s->running || ms < SEND_TIMEOUT_MS); ms += SEND_LOOK_MS)
		if (poll(&p, 1, SEND_LOOK_MS) > 0)
			return true;
	return false;
}

void link_flush(struct stub *s)
{
	size_t at = 0;
	while (s->link->out_fd >= 0 && at < s->link->out.n) {
		ssize_t n = write(s->link->out_fd, s->link->out.s + at, s->link->out.n - at);
		if (n > 0) {
			at += (size_t)n;
			continue;
		}
		bool is_full = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
		if ((n < 0 && errno == EINTR) || (is_full && can_send(s)))
			continue;
		if (is_full && s->running) /* the rest when the machine stands */
			break;
		s->link->closing = true;
		at = s->link->out.n;
	}
	if (s->link->out_fd >= 0 && at) {
		s->link->out.n -= at;
		memmove(s->link->out.s, s->link->out.s + at, s->link->out.n + 1);
	}
}

void link_send(struct stub *s)
{
	link_flush(s);
	if (s->link->closing)
		link_drop(s);
}

/* gdb acknowledges the last answer, too, and calls it an error if the pipe is closed by then: at most three seconds for that. */
static void await(struct stub *s)
{
	struct pollfd p = {.fd = s->link->in_fd, .events = POLLIN};
	link_flush(s);
	poll(&p, 1, 3000);
}

void link_leave(struct stub *s, bool awaits)
{
	s->link->closing = true;
	if (awaits && s->link->is_pipe)
		await(s);
}

bool link_is_leaving(const struct stub *s) { return s->link->closing; }

void link_put(struct stub *s, const char *bytes, size_t n) { text_addn(&s->link->out, bytes, n); }

struct text *link_out(const struct stub *s) { return &s->link->out; }

int link_accept(struct stub *s)
{
	int fd = accept4(s->link->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	/* without a descriptor for it the client stays in the queue, and poll would come back at once */
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		poll(NULL, 0, 100);
	return fd;
}

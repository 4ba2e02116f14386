/* Bytes to and from the client. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdbstub/link/room.h"
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
	bool gone = s->link->in_fd >= 0 && readable(s->link->in_fd) && !link_read(s);
	if (gone || s->input.n - s->input_at > INPUT_MAX)
		s->closing = true;
	bool stop = take_interrupt(s) || s->closing;
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
	while (s->link->out_fd >= 0 && at < s->out.n) {
		ssize_t n = write(s->link->out_fd, s->out.s + at, s->out.n - at);
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
	if (s->link->out_fd >= 0 && at) {
		s->out.n -= at;
		memmove(s->out.s, s->out.s + at, s->out.n + 1);
	}
}

/* gdb acknowledges the last answer, too, and calls it an error if the pipe is closed by then. */
void link_await(struct stub *s)
{
	struct pollfd p = {.fd = s->link->in_fd, .events = POLLIN};
	link_flush(s);
	poll(&p, 1, 3000);
}

int link_accept(struct stub *s)
{
	int fd = accept4(s->link->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	/* without a descriptor for it the client stays in the queue, and poll would come back at once */
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		poll(NULL, 0, 100);
	return fd;
}

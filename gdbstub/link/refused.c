/* Clients that come while another one is attached: whatever they ask is answered with a refusal, until they go. Done by the loop that
 * serves, and while the machine runs by the watcher's thread; only one of them at a time. */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdbstub/link/room.h"
#include "gdbstub/protocol/rsp.h"

void refused_accept(struct stub *s)
{
	int fd = link_accept(s);
	if (fd < 0)
		return;
	for (unsigned i = 0; i < STUB_REFUSED; i++)
		if (s->link->refused[i] < 0) {
			s->link->refused[i] = fd;
			return;
		}
	close(fd);
}

void refused_poll(const struct stub *s, struct pollfd *fds)
{
	for (unsigned i = 0; i < STUB_REFUSED; i++)
		fds[i] = (struct pollfd){.fd = s->link->refused[i], .events = POLLIN};
}

static void answer(int *fd)
{
	static const char why[] = "E.warpstep: another gdb is attached here already";
	char bytes[4096];
	struct text t = {0};
	ssize_t n = read(*fd, bytes, sizeof bytes);
	for (ssize_t i = 0; i < n; i++)
		if (bytes[i] == '#') { /* the end of a packet */
			text_addc(&t, '+');
			rsp_encode_reply(&t, why, sizeof why - 1);
		}
	if (n > 0 && t.n)
		n = send(*fd, t.s, t.n, MSG_DONTWAIT | MSG_NOSIGNAL);
	text_free(&t);
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	close(*fd);
	*fd = -1;
}

void refused_answer(struct stub *s, const struct pollfd *fds)
{
	for (unsigned i = 0; i < STUB_REFUSED; i++)
		if (s->link->refused[i] >= 0 && s->link->refused[i] == fds[i].fd && fds[i].revents)
			answer(&s->link->refused[i]);
}

void refused_close(struct stub *s)
{
	for (unsigned i = 0; i < STUB_REFUSED; i++) {
		if (s->link->refused[i] >= 0)
			close(s->link->refused[i]);
		s->link->refused[i] = -1;
	}
}

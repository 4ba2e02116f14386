/* Connections that aren't the served client: candidates, which haven't sent a packet yet, and those that are refused.
 *
 * A candidate becomes the client with its first packet, so that a silent connection keeps no gdb out. A refused one gets the reason as
 * the answer to each packet, until it goes. The serving loop does all of this, and while the machine runs the watcher's thread does:
 * only one of them at a time. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdbstub/link/room.h"
#include "gdbstub/wire/rsp.h"

#define FIRST_BYTES_MAX 65536u /* a first packet that is longer is none */

void visitors_init(struct stub *s)
{
	for (unsigned i = 0; i < STUB_VISITORS; i++)
		s->link->visitors[i].fd = -1;
}

static void drop_visitor(struct visitor *v)
{
	if (v->fd >= 0)
		close(v->fd);
	text_free(&v->in);
	text_free(&v->refusal);
	*v = (struct visitor){.fd = -1};
}

void visitors_close(struct stub *s)
{
	for (unsigned i = 0; i < STUB_VISITORS; i++)
		drop_visitor(&s->link->visitors[i]);
}

/* Returns how much a place is needed: 0 for a free one, then refused connections, candidates, and those that have sent a packet. */
static unsigned rank(const struct visitor *v) { return v->fd < 0 ? 0 : v->refusal.n ? 1 : v->is_ready ? 3 : 2; }

/* Returns the place for a new connection: the least needed one, among equals that of the oldest connection. */
static struct visitor *place_for_one(struct stub *s)
{
	struct visitor *best = &s->link->visitors[0];
	for (unsigned i = 1; i < STUB_VISITORS; i++) {
		struct visitor *v = &s->link->visitors[i];
		if (rank(v) < rank(best) || (rank(v) == rank(best) && v->number < best->number))
			best = v;
	}
	return best;
}

void visitors_accept(struct stub *s)
{
	const int fd = link_accept(s);
	if (fd < 0)
		return;
	struct visitor *v = place_for_one(s);
	drop_visitor(v);
	*v = (struct visitor){.fd = fd, .number = ++s->link->n_accepted};
	owner_check(fd, &v->refusal);
}

void visitors_poll(const struct stub *s, struct pollfd *fds)
{
	for (unsigned i = 0; i < STUB_VISITORS; i++) {
		const struct visitor *v = &s->link->visitors[i];
		fds[i] = (struct pollfd){.fd = v->is_ready ? -1 : v->fd, .events = POLLIN};
	}
}

/* ---- what a candidate has sent ---- */

enum first_bytes { FIRST_NONE, FIRST_PACKET, FIRST_FOREIGN };

/* Returns FIRST_FOREIGN if there is a byte outside of packets that the protocol has no use for, as in the request of a browser; else whether
 * a packet is complete. */
static enum first_bytes look_at_first(const char *s, size_t n)
{
	enum first_bytes found = FIRST_NONE;
	size_t i = 0;
	while (i < n) {
		if (s[i] == '+' || s[i] == '-' || s[i] == 0x03) {
			i++;
			continue;
		}
		if (s[i] != '$')
			return FIRST_FOREIGN;
		const char *end = memchr(s + i, '#', n - i);
		const size_t n_packet = (end ? (size_t)(end - s) : n) - i;
		if (memchr(s + i, '\r', n_packet) || memchr(s + i, '\n', n_packet))
			return FIRST_FOREIGN; /* a first line of HTTP may begin with a $, too */
		if (!end || (size_t)(end - s) + 2 >= n)
			return found;
		found = FIRST_PACKET;
		i = (size_t)(end - s) + 3;
	}
	return found;
}

/* Answers each received packet with the refusal. */
static void refuse(struct visitor *v)
{
	struct text t = {0};
	ssize_t n = 1;
	for (size_t i = 0; i < v->in.n; i++)
		if (v->in.s[i] == '#') { /* the end of a packet */
			text_addc(&t, '+');
			rsp_encode_reply(&t, v->refusal.s, v->refusal.n);
		}
	text_clear(&v->in);
	if (t.n)
		n = send(v->fd, t.s, t.n, MSG_DONTWAIT | MSG_NOSIGNAL);
	text_free(&t);
	if (n <= 0 && errno != EAGAIN && errno != EINTR)
		drop_visitor(v);
}

/* Reads what a connection has sent, and decides what it is. */
static void read_from(struct visitor *v)
{
	char bytes[4096];
	const ssize_t n = read(v->fd, bytes, sizeof bytes);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop_visitor(v);
		return;
	}
	text_addn(&v->in, bytes, (size_t)n);
	const enum first_bytes first = v->is_known ? FIRST_PACKET : look_at_first(v->in.s, v->in.n);
	if (first == FIRST_FOREIGN || v->in.n > FIRST_BYTES_MAX) {
		drop_visitor(v);
		return;
	}
	if (first == FIRST_NONE)
		return;
	v->is_known = true;
	v->is_ready = !v->refusal.n;
	if (v->refusal.n)
		refuse(v);
}

bool visitors_serve(struct stub *s, const struct pollfd *fds, bool is_occupied)
{
	static const char another[] = "E.warpstep: another gdb is attached here already";
	bool any = false;
	for (unsigned i = 0; i < STUB_VISITORS; i++) {
		struct visitor *v = &s->link->visitors[i];
		if (v->fd >= 0 && v->fd == fds[i].fd && fds[i].revents)
			read_from(v);
		if (v->is_ready && is_occupied) {
			v->is_ready = false;
			text_add(&v->refusal, another);
			refuse(v);
		}
		any = any || v->is_ready;
	}
	return any;
}

int visitors_take(struct stub *s, struct text *bytes)
{
	struct visitor *first = NULL;
	for (unsigned i = 0; i < STUB_VISITORS; i++) {
		struct visitor *v = &s->link->visitors[i];
		if (v->is_ready && (!first || v->number < first->number))
			first = v;
	}
	if (!first)
		return -1;
	const int fd = first->fd;
	text_addn(bytes, first->in.s, first->in.n);
	first->fd = -1;
	drop_visitor(first);
	return fd;
}

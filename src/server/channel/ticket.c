/* Tickets: descriptors that programs pass to other processes, for CUDA's shareable handles.
 *
 * A ticket is one end of a socket pair and holds a struct wire_ticket, which its holders peek at. The debugger has the other end, where it notices
 * when all copies of the ticket have been closed in all processes. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "server/channel/state.h"
#include "server/channel/ticket.h"

struct ticket {
	int end; /* the debugger's end of the socket pair */
	enum wire_export kind;
	uint64_t number;
};

uint64_t channel_device(const struct server *c)
{
	const char *name = channel_name(c);
	return hash_fnv1a64(name, strlen(name));
}

static bool is_held(const struct ticket *t)
{
	struct pollfd end = {.fd = t->end};
	return poll(&end, 1, 0) <= 0 || !(end.revents & POLLHUP);
}

/* Removes the tickets that no process holds any more. */
static void close_unheld(struct server_channel *l)
{
	size_t kept = 0;
	for (size_t k = 0; k < l->n_tickets; k++)
		if (is_held(&l->ticket[k]))
			l->ticket[kept++] = l->ticket[k];
		else
			close(l->ticket[k].end);
	l->n_tickets = kept;
}

static bool send_ticket(struct server_call *c, int ends[2], const struct wire_ticket *t)
{
	const struct wire_passed passed = {.magic = WIRE_MAGIC};
	return send(ends[0], t, sizeof *t, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *t &&
	       channel_send_fds(c->client->socket, &passed, sizeof passed, &ends[1], 1);
}

uint32_t ticket_send(struct server_call *c, enum wire_export kind, uint64_t number)
{
	struct server_channel *l = c->server->channel;
	const struct wire_ticket t = {
		.magic = WIRE_MAGIC, .kind = kind, .device = channel_device(c->server), .number = number};
	int ends[2];
	close_unheld(l);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return WIRE_SYSTEM_FAILED;
	const bool given = send_ticket(c, ends, &t);
	close(ends[1]);
	if (!given) {
		close(ends[0]);
		return WIRE_SYSTEM_FAILED;
	}
	l->ticket = xgrow(l->ticket, &l->cap_tickets, l->n_tickets + 1, sizeof *l->ticket);
	l->ticket[l->n_tickets++] = (struct ticket){ends[0], kind, number};
	return 0;
}

bool ticket_is_held(struct server *c, enum wire_export kind, uint64_t number)
{
	struct server_channel *l = c->channel;
	close_unheld(l);
	for (size_t k = 0; k < l->n_tickets; k++)
		if (l->ticket[k].kind == kind && l->ticket[k].number == number)
			return true;
	return false;
}

void tickets_close(struct server_channel *l)
{
	for (size_t k = 0; k < l->n_tickets; k++)
		close(l->ticket[k].end);
	free(l->ticket);
	l->ticket = NULL;
	l->n_tickets = l->cap_tickets = 0;
}

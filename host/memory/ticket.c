/* Receives and reads tickets. */
#include "host/memory/ticket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Returns the descriptor received with an answer; -1: none. */
static int receive(int socket)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct wire_passed passed;
	struct iovec part = {&passed, sizeof passed};
	struct msghdr m = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	const struct cmsghdr *c = recvmsg(socket, &m, MSG_DONTWAIT) == sizeof passed ? CMSG_FIRSTHDR(&m) : NULL;
	int fd = -1;
	if (c && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fd))
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}

/* Requests are serialized, so that each receives its own descriptor. */
int ticket_request(enum wire_export kind, uint64_t number, int *fd)
{
	static struct host_lock lock;
	host_lock(&lock);
	int error = call_ticket(&(struct call_ticket){number, kind, 0}, NULL, 0, NULL);
	const int got = error ? -1 : receive(host_socket());
	host_unlock(&lock);
	if (!error && got < 0)
		error = cudaErrorOperatingSystem;
	if (!error)
		*fd = got;
	return error;
}

bool ticket_peek(int fd, struct wire_ticket *out)
{
	const ssize_t n = recv(fd, out, sizeof *out, MSG_PEEK | MSG_DONTWAIT | MSG_TRUNC);
	return n == sizeof *out && out->magic == WIRE_MAGIC;
}

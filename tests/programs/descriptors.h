/* Descriptors that go from one process to the other, both of one program. */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "expect.h"

static int line[2]; /* between the processes */

static int open_line(void) { return socketpair(AF_UNIX, SOCK_STREAM, 0, line); }

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

/* It is closed here. */
static void send_descriptor(int fd)
{
	union control control = {0};
	char byte = 0;
	struct iovec part = {&byte, 1};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(h), &fd, sizeof fd);
	EXPECT(sendmsg(line[0], &m, 0) == 1);
	close(fd);
}

static int receive_descriptor(void)
{
	union control control;
	int fd = -1;
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
	if (recvmsg(line[1], &m, 0) == 1 && CMSG_FIRSTHDR(&m))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
	EXPECT(fd >= 0);
	return fd;
}

static void *as_handle(int fd) { return (void *)(intptr_t)fd; }

#endif

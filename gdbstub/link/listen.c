/* The place where clients come. */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdbstub/link/room.h"

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
		text_addf(why, "'%s' is no place to listen, expected [HOST:]PORT or unix:PATH", where);
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

/* Says where the listener is. Returns whether its address is not a loopback one. */
static bool say_where(int fd, bool trusts, struct text *out)
{
	struct sockaddr_storage a = {0};
	socklen_t n = sizeof a;
	char host[256], port[16];
	if (getsockname(fd, (struct sockaddr *)&a, &n) || getnameinfo((struct sockaddr *)&a, n, host, sizeof host, port,
								      sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
		return true;
	bool v6 = a.ss_family == AF_INET6;
	text_addf(out, "Listening for gdb on %s%s%s:%s\n", v6 ? "[" : "", host, v6 ? "]" : "", port);
	if (is_loopback((struct sockaddr *)&a))
		return false;
	text_addf(out, "warning: anybody who reaches this machine can attach there%s\n",
		  trusts ? ", and has your programs and files by monitor commands (--gdb-trust)" : "");
	return true;
}

static bool listen_on_file(struct stub *s, const char *path, struct text *out, struct text *why)
{
	const int fd = socket_file_listen(s, path, why);
	if (fd < 0)
		return false;
	s->link->listen_fd = fd;
	s->link->is_open = false;
	text_addf(out, "Listening for gdb on unix:%s\n", path);
	return true;
}

void gdbstub_trust(struct stub *s) { s->link->trusts = true; }

bool gdbstub_listen(struct stub *s, const char *where, struct text *out, struct text *why)
{
	static const char file[] = "unix:";
	if (!strncmp(where, file, sizeof file - 1))
		return listen_on_file(s, where + sizeof file - 1, out, why);
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
	s->link->listen_fd = fd;
	s->link->is_open = say_where(fd, s->link->trusts, out);
	return true;
}

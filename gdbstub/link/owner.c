/* Finds the user at the other end of a connection. The kernel lists the sockets of this machine with their users, and none of other machines. */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdbstub/link/room.h"

#define TRIES 5	  /* the list isn't taken in one moment: a row may be missing */
#define TRY_MS 10 /* between two of them */

#define ADDRESS_DIGITS 33 /* of an IPv6 address, with the NUL */

/* An end of a connection as /proc/net has it. IPv4 has 8 digits, and in tcp6 24 more in front of them. */
struct end {
	char address[ADDRESS_DIGITS];
	unsigned port;
	bool is_v4, is_loopback;
};

static const char mapped[] = "0000000000000000FFFF0000";

static void set_v4(struct end *e, uint32_t address)
{
	e->is_v4 = true;
	e->is_loopback = ntohl(address) >> 24 == 127;
	snprintf(e->address, sizeof e->address, "%08" PRIX32, address);
}

/* Returns false if the address is none of IP. */
static bool take_end(struct end *e, const struct sockaddr_storage *a)
{
	uint32_t word[4];
	*e = (struct end){0};
	if (a->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const void *)a;
		e->port = ntohs(in->sin_port);
		set_v4(e, in->sin_addr.s_addr);
		return true;
	}
	if (a->ss_family != AF_INET6)
		return false;
	const struct sockaddr_in6 *in = (const void *)a;
	e->port = ntohs(in->sin6_port);
	memcpy(word, &in->sin6_addr, sizeof word);
	if (IN6_IS_ADDR_V4MAPPED(&in->sin6_addr)) {
		set_v4(e, word[3]);
		return true;
	}
	e->is_loopback = IN6_IS_ADDR_LOOPBACK(&in->sin6_addr);
	snprintf(e->address, sizeof e->address, "%08" PRIX32 "%08" PRIX32 "%08" PRIX32 "%08" PRIX32, word[0], word[1],
		 word[2], word[3]);
	return true;
}

/* Returns whether an address of the list, in tcp or in tcp6, is that of an end. */
static bool is_address(const char *listed, const struct end *e)
{
	const size_t n = sizeof mapped - 1;
	if (e->is_v4 && strlen(listed) > n)
		return !strncmp(listed, mapped, n) && !strcmp(listed + n, e->address);
	return !strcmp(listed, e->address);
}

/* Looks for the socket from `peer` to `own`. Returns false if there is none, or if its process has closed it: the list then has no inode and no
 * user of it. */
static bool find_in(const char *path, const struct end *peer, const struct end *own, unsigned *uid)
{
	char line[512], from[ADDRESS_DIGITS], to[ADDRESS_DIGITS];
	unsigned from_port, to_port, user;
	unsigned long inode;
	bool found = false;
	FILE *f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof line, f)) {
		if (sscanf(line, " %*u: %32[0-9A-F]:%x %32[0-9A-F]:%x %*x %*x:%*x %*x:%*x %*x %u %*u %lu", from,
			   &from_port, to, &to_port, &user, &inode) != 6)
			continue;
		found = from_port == peer->port && to_port == own->port && is_address(from, peer) &&
			is_address(to, own) && inode;
		if (found)
			*uid = user;
	}
	if (f)
		fclose(f);
	return found;
}

static bool find_owner(const struct end *peer, const struct end *own, unsigned *uid)
{
	return (peer->is_v4 && find_in("/proc/net/tcp", peer, own, uid)) || find_in("/proc/net/tcp6", peer, own, uid);
}

/* Returns whether the peer's user is known. *is_here: the peer is on this machine. */
static bool user_of_peer(int fd, unsigned *uid, bool *is_here)
{
	struct sockaddr_storage a = {0}, b = {0};
	socklen_t n_a = sizeof a, n_b = sizeof b;
	struct end peer, own;
	*is_here = true;
	if (getsockname(fd, (struct sockaddr *)&b, &n_b))
		return false;
	if (b.ss_family == AF_UNIX) {
		struct ucred user;
		socklen_t n = sizeof user;
		const bool ok = !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &n);
		*uid = ok ? user.uid : 0;
		return ok;
	}
	if (getpeername(fd, (struct sockaddr *)&a, &n_a) || !take_end(&peer, &a) || !take_end(&own, &b))
		return false;
	*is_here = peer.is_loopback || !strcmp(peer.address, own.address);
	for (unsigned k = 0; k < TRIES; k++) {
		if (find_owner(&peer, &own, uid))
			return *is_here = true;
		if (!*is_here)
			return false;
		poll(NULL, 0, TRY_MS);
	}
	return false;
}

void owner_check(int fd, struct text *refusal)
{
	unsigned uid = 0;
	bool is_here;
	const bool is_known = user_of_peer(fd, &uid, &is_here);
	if (!is_here || (is_known && (uid == geteuid() || !uid)))
		return;
	if (is_known)
		text_addf(refusal, "E.warpstep: this server is for user %u, and not for user %u", (unsigned)geteuid(),
			  uid);
	else
		text_add(refusal, "E.warpstep: the connection's user can't be found in /proc/net/tcp; a socket file "
				  "works without it: "
				  "-g unix:PATH");
}

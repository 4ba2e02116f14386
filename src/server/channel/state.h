/* Private state of this folder. Only its own files include this. */
#ifndef SERVER_CHANNEL_STATE_H
#define SERVER_CHANNEL_STATE_H

#include "server/channel/channel.h"

struct server_channel {
	int listener, event;
	int spare;	  /* a spare descriptor, closed to reject a connection when no other descriptor is left */
	int window;	  /* the file of channel_window */
	uint64_t reserve; /* start of the addresses that programs may not use otherwise */
	char name[64];
	struct ticket *ticket; /* tickets that processes hold (ticket.c) */
	size_t n_tickets, cap_tickets;
};

/* Sends n bytes with n_fds descriptors, 1 to WIRE_FDS, on a socket, without waiting. Returns false if not all bytes could be sent. */
bool channel_send_fds(int socket, const void *bytes, size_t n, const int *fds, unsigned n_fds);
/* Closes the debugger's ends of all tickets and empties the channel's table of tickets. */
void tickets_close(struct server_channel *l);

#endif

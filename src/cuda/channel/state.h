/* Private state of this folder. Only its own files include this. */
#ifndef CUDA_CHANNEL_STATE_H
#define CUDA_CHANNEL_STATE_H

#include "cuda/channel/channel.h"

struct cuda_channel {
	int listener, event;
	int spare;	  /* a spare descriptor, closed to reject a connection when no other descriptor is left */
	int window;	  /* the file of channel_window */
	uint64_t reserve; /* start of the addresses that programs may not use otherwise */
	char name[64];
	struct ticket *ticket; /* tickets that processes hold (ticket.c) */
	size_t n_tickets, cap_tickets;
};

/* Sends n bytes with up to WIRE_FDS descriptors. Returns false if they could not be sent. */
bool channel_send_fds(int socket, const void *bytes, size_t n, const int *fds, unsigned n_fds);
/* Closes the debugger's ends of all tickets and frees the table. */
void tickets_close(struct cuda_channel *l);

#endif

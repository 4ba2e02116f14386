/* What the room keeps. Only its own files include this. */
#ifndef CUDA_CHANNEL_ROOM_H
#define CUDA_CHANNEL_ROOM_H

#include "cuda/channel/channel.h"

struct cuda_channel {
	int listener, event;
	int spare;	  /* given up where there is no other descriptor for whoever comes */
	int window;	  /* channel_window */
	uint64_t reserve; /* where device memory begins that no program may have anything else in */
	char name[64];
	struct ticket *ticket; /* those that are out (ticket.c) */
	size_t n_tickets, cap_tickets;
};

/* Sends bytes with descriptors, of which there are WIRE_FDS at most. */
bool channel_pass(int socket, const void *bytes, size_t n, const int *fds, unsigned n_fds);
void tickets_forget(struct cuda_channel *l);

#endif

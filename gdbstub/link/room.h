/* State of this folder in the stub: descriptors, and the two threads that wait for bytes. Only its own files include this. */
#ifndef GDBSTUB_LINK_ROOM_H
#define GDBSTUB_LINK_ROOM_H

#include <stdatomic.h>
#include <sys/types.h>

#include "gdbstub/link/link.h"

/* A connection that isn't the served client (pending_connections.c). */
struct visitor {
	int fd; /* -1: the place is free */
	uint64_t number;
	bool is_known; /* it has sent a packet */
	bool is_ready; /* likewise, and it can become the client */
	struct text in;
	struct text refusal; /* the reply to its packets; "": it isn't refused */
};

struct link_room {
	const struct link_events *events;
	int listen_fd, in_fd, out_fd; /* -1: none */
	struct visitor visitors[STUB_VISITORS];
	uint64_t n_accepted;
	bool is_pipe, closing;
	bool is_open;	   /* the listener's address is not a loopback one */
	bool trusts;	   /* --gdb-trust */
	int socket_folder; /* of the listener's socket file, -1: it has none */
	char *socket_name; /* there */
	ino_t socket_inode;
	struct text in; /* bytes that came while the machine ran */
	size_t in_at;
	struct text out; /* bytes to send */
	struct watcher *watcher;
	struct keeper *keeper;	 /* busy_wait.c */
	bool watching;		 /* while another face runs the machine */
	atomic_bool interrupted; /* also the watcher says so */
};

#endif

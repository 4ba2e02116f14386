/* What the room keeps: descriptors, and the two threads that wait for bytes. Only its own files include this. */
#ifndef GDBSTUB_LINK_ROOM_H
#define GDBSTUB_LINK_ROOM_H

#include <stdatomic.h>

#include "gdbstub/link/link.h"

struct link_room {
	int listen_fd, in_fd, out_fd; /* -1: none */
	int refused[STUB_REFUSED];
	bool is_pipe, closing;
	struct text in; /* bytes that came while the machine ran */
	size_t in_at;
	struct text out; /* bytes to send */
	struct watcher *watcher;
	struct keeper *keeper;	 /* awake.c */
	bool watching;		 /* for somebody else */
	atomic_bool interrupted; /* also the watcher says so */
};

#endif

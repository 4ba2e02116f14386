/* The link to gdb: sockets and pipes, and the two threads that wait for bytes. */
#ifndef GDBSTUB_LINK_H
#define GDBSTUB_LINK_H

#include <poll.h>
#include <pthread.h>

#include "gdbstub/internal.h"

/* What the link calls: functions of the stub. */
struct link_events {
	void (*client_begins)(struct stub *s);
	void (*client_is_gone)(struct stub *s);
	void (*byte)(struct stub *s, unsigned char byte); /* from the client */
};
/* Creates the room's state. `events` must outlive it. */
void link_room_create(struct stub *s, const struct link_events *events);
void link_room_free(struct stub *s);

/* ---- the client (bytes.c, serve.c) ---- */
bool link_read(struct stub *s); /* what is there; false: the peer is gone */
/* Bytes of the client: they become packets, when the machine stands. */
void link_take(struct stub *s, const char *bytes, size_t n);
void link_put(struct stub *s, const char *bytes, size_t n); /* sent by link_flush */
struct text *link_out(const struct stub *s);		    /* that is to be sent */
/* Sends it; and if the client is to go, it goes. (To a peer that takes nothing any more there is nothing to say either.) */
void link_send(struct stub *s);
/* The client is to go. `awaits`: it will say something to the last answer; a pipe stays open for that. */
void link_leave(struct stub *s, bool awaits);
bool link_is_leaving(const struct stub *s);
void link_watch_fd(struct stub *s, int fd, bool on);
int link_accept(struct stub *s); /* -1: nobody is there after all */
bool link_is_gone(int fd);	 /* the peer has closed it; something may still be there to be read */
void link_flush(struct stub *s);
void link_drop(struct stub *s); /* the client is gone */
/* Around runs of the machine: a byte from the peer sets the interrupt flag. */
void link_watch(struct stub *s, bool on);
void link_others_run(struct stub *s, bool on);
/* Takes what has come meanwhile; true if gdb wants the machine to stop, or is gone. */
bool link_wants_stop(struct stub *s);
/* Did something come while the machine ran, of which nothing means "stop"? Then it waits, and the machine goes on. */
bool link_only_packets(struct stub *s);

/* ---- the watcher (watcher.c): a byte of the client on `fd` (-1: there is none), and another client's first packet, set the
 * interrupt flag, from some milliseconds after this on ---- */
void watcher_on(struct stub *s, int fd);
bool watcher_off(struct stub *s); /* returns whether it was on */
void watcher_stop(struct stub *s);
/* A thread that takes no signals: they are the main thread's. */
bool host_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* ---- short waits (awake.c) ---- */
/* poll(), for some milliseconds, without going to sleep. 0: nothing yet; a signal is like poll()'s. */
int awake_poll(const struct stub *s, struct pollfd *fds, nfds_t n_fds);
void awake_step_begins(struct stub *s);
void awake_step_ends(struct stub *s);
void awake_stop(struct stub *s);

/* ---- connections that aren't the served client (visitors.c), so many at a time ---- */
#define STUB_VISITORS 8
void visitors_init(struct stub *s);
void visitors_accept(struct stub *s);
void visitors_poll(const struct stub *s, struct pollfd *fds);
/* Reads what has come, after poll, and refuses those that can't be served; all of them if a client is_occupied. Returns true if one can
 * become the client. */
bool visitors_serve(struct stub *s, const struct pollfd *fds, bool is_occupied);
/* Takes the connection that can become the client, with the bytes that it has sent. Returns -1 if there is none. */
int visitors_take(struct stub *s, struct text *bytes);
void visitors_close(struct stub *s);
void socket_file_remove(struct stub *s); /* the listener's own (socket_file.c) */
/* Makes a socket file of mode 0600 and listens there. A file that a dead server has left is replaced. Returns -1, with the reason in `why`,
 * if that fails. */
int socket_file_listen(struct stub *s, const char *path, struct text *why);
bool link_is_occupied(const struct stub *s); /* a client is served, and hasn't gone or detached */

/* ---- users of connections (owner.c) ---- */
/* Adds a reply that refuses the connection, unless its other end belongs to warpstep's user, to root, or to another machine. */
void owner_check(int fd, struct text *refusal);

#endif

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
/* Creates the room's state in s->link, without connections. `events` must outlive it. */
void link_room_create(struct stub *s, const struct link_events *events);
/* Frees the room's state. */
void link_room_free(struct stub *s);

/* ---- the client (bytes.c, serve.c) ---- */
/* Reads what the client has sent, and takes it as link_take does. Returns false if it has disconnected. */
bool link_read(struct stub *s);
/* Takes bytes of the client. They are parsed, and replies sent, at once, or if the machine runs, once it stands. */
void link_take(struct stub *s, const char *bytes, size_t n);
/* Appends bytes to those pending for link_flush. */
void link_put(struct stub *s, const char *bytes, size_t n);
/* Returns the bytes pending for link_flush, which belong to the stub. */
struct text *link_out(const struct stub *s);
/* Sends the pending bytes, and drops the client if it is to leave. A client that accepts nothing any more is dropped, too. */
void link_send(struct stub *s);
/* Drops the client after the next link_send. `awaits`: the client acknowledges the last reply, for which a pipe stays open up to three seconds. */
void link_leave(struct stub *s, bool awaits);
/* Returns whether the client is to be dropped at the next link_send. */
bool link_is_leaving(const struct stub *s);
/* Starts the watcher on a descriptor, or stops it and clears the interrupt flag. */
void link_watch_fd(struct stub *s, int fd, bool on);
/* Accepts a connection and returns its descriptor, which doesn't block. Returns -1 if there is none. */
int link_accept(struct stub *s);
/* Returns whether the peer has closed the connection. Unread bytes may be left. */
bool link_is_gone(int fd);
/* Sends the pending bytes; while the machine runs, some may stay pending. A client that takes nothing for ten seconds, or has disconnected, is to be
 * dropped. */
void link_flush(struct stub *s);
/* Sends the pending bytes, closes the client's connection and ends its session. Does nothing if there is no client. */
void link_drop(struct stub *s);
/* Starts or stops the watcher around a run: a byte from the client sets the interrupt flag. */
void link_watch(struct stub *s, bool on);
/* Starts or stops the watcher around a run that another face has asked for. */
void link_others_run(struct stub *s, bool on);
/* Returns whether bytes have come while the machine ran and none of them asks for a stop: the run goes on. */
bool link_only_packets(struct stub *s);

/* ---- the watcher (watcher.c): a byte of the client on `fd` (-1: there is none), and another client's first packet, set the
 * interrupt flag, from some milliseconds after this on ---- */
/* Starts the watcher. Some milliseconds later a byte of the client on `fd` (-1: there is none), or another client's first packet, sets the interrupt
 * flag. */
void watcher_on(struct stub *s, int fd);
/* Stops the watcher, which sets no flag any more. Returns whether it was on. */
bool watcher_off(struct stub *s);
/* Ends the watcher's thread. */
void watcher_stop(struct stub *s);
/* Starts a thread that takes no signals: they are for the main thread. Returns false if that fails. */
bool host_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* ---- short waits (awake.c) ---- */
/* Polls for some milliseconds without sleeping, on machines with several processors. Returns like poll(), 0 if nothing has come, and -1 if the
 * session is interrupted. */
int awake_poll(const struct stub *s, struct pollfd *fds, nfds_t n_fds);
/* Keeps gdb's processor from sleeping while a step runs, in performance mode on machines with several processors. */
void awake_step_begins(struct stub *s);
/* Lets gdb's processor sleep again: the step is over. */
void awake_step_ends(struct stub *s);
/* Ends the thread that keeps gdb's processor awake. */
void awake_stop(struct stub *s);

/* ---- connections that aren't the served client (visitors.c), so many at a time ---- */
#define STUB_VISITORS 8
/* Initialises the table of connections: all places are free. */
void visitors_init(struct stub *s);
/* Accepts a connection, if need be in the place of the least needed one, and checks its user. */
void visitors_accept(struct stub *s);
/* Fills in the descriptors of connections for poll(), STUB_VISITORS of them. */
void visitors_poll(const struct stub *s, struct pollfd *fds);
/* Reads what has come, after poll, and refuses those that can't be served; all of them if a client is_occupied. Returns whether one can become the
 * client. */
bool visitors_serve(struct stub *s, const struct pollfd *fds, bool is_occupied);
/* Removes the oldest connection that can become the client, and appends the bytes that it has sent. Returns its descriptor, which the caller closes,
 * or -1 if there is none. */
int visitors_take(struct stub *s, struct text *bytes);
/* Closes all connections that aren't served. */
void visitors_close(struct stub *s);
/* Removes the listener's socket file (socket_file.c), if it has one that is still the same file. */
void socket_file_remove(struct stub *s);
/* Makes a socket file of mode 0600, listens there in place of the listener until now, and returns the descriptor. Replaces a file that a dead server
 * has left. Returns -1, with the reason in `why`, if that fails. */
int socket_file_listen(struct stub *s, const char *path, struct text *why);
/* Returns whether a client is served that has neither disconnected nor detached. */
bool link_is_occupied(const struct stub *s);

/* ---- users of connections (owner.c) ---- */
/* Adds a reply that refuses the connection, unless its other end belongs to warpstep's user, to root, or to another machine. */
void owner_check(int fd, struct text *refusal);

#endif

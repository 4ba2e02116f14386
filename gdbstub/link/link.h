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
/* Frees the room's state. */
void link_room_free(struct stub *s);

/* ---- the client (bytes.c, serve.c) ---- */
/* Reads what the client has sent. Returns false if it has disconnected. */
bool link_read(struct stub *s);
/* Takes bytes of the client. They are parsed once the machine stands. */
void link_take(struct stub *s, const char *bytes, size_t n);
/* Appends bytes to those pending for link_flush. */
void link_put(struct stub *s, const char *bytes, size_t n);
/* Returns the pending bytes. */
struct text *link_out(const struct stub *s);
/* Sends the pending bytes, and drops the client if it is to leave. A client that accepts nothing any more is dropped, too. */
void link_send(struct stub *s);
/* Drops the client after the next link_send. `awaits`: the client acknowledges the last reply, for which a pipe stays open. */
void link_leave(struct stub *s, bool awaits);
/* Returns true if the client is to be dropped. */
bool link_is_leaving(const struct stub *s);
/* Starts the watcher on a descriptor, or stops the watcher and clears the interrupt flag. */
void link_watch_fd(struct stub *s, int fd, bool on);
/* Accepts a connection. Returns -1 if there is none. */
int link_accept(struct stub *s);
/* Returns true if the peer has closed the connection. Unread bytes may be left. */
bool link_is_gone(int fd);
/* Sends the pending bytes. */
void link_flush(struct stub *s);
/* Closes the client's connection and ends its session. */
void link_drop(struct stub *s);
/* Starts or stops the watcher around a run: a byte from the client sets the interrupt flag. */
void link_watch(struct stub *s, bool on);
/* Starts or stops the watcher around a run that another face has asked for. */
void link_others_run(struct stub *s, bool on);
/* Returns true if bytes have come while the machine ran and none of them asks for a stop: the run goes on. */
bool link_only_packets(struct stub *s);

/* ---- the watcher (watcher.c): a byte of the client on `fd` (-1: there is none), and another client's first packet, set the
 * interrupt flag, from some milliseconds after this on ---- */
/* Starts the watcher. A byte of the client on `fd` (-1: there is none) sets the interrupt flag, and so does another client's first packet. */
void watcher_on(struct stub *s, int fd);
/* Stops the watcher. Returns whether it was on. */
bool watcher_off(struct stub *s);
/* Ends the watcher's thread. */
void watcher_stop(struct stub *s);
/* Starts a thread that takes no signals: they are for the main thread. Returns false if that fails. */
bool host_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* ---- short waits (awake.c) ---- */
/* Polls for some milliseconds without sleeping. Returns like poll(), 0 if nothing has come. */
int awake_poll(const struct stub *s, struct pollfd *fds, nfds_t n_fds);
/* Keeps gdb's processor from sleeping while a step runs in performance mode. */
void awake_step_begins(struct stub *s);
/* Lets gdb's processor sleep again: the step is over. */
void awake_step_ends(struct stub *s);
/* Ends the thread that keeps gdb's processor awake. */
void awake_stop(struct stub *s);

/* ---- connections that aren't the served client (visitors.c), so many at a time ---- */
#define STUB_VISITORS 8
/* Initialises the table of connections. */
void visitors_init(struct stub *s);
/* Accepts a connection and checks its user. */
void visitors_accept(struct stub *s);
/* Fills in the descriptors of connections for poll(). */
void visitors_poll(const struct stub *s, struct pollfd *fds);
/* Reads what has come, after poll, and refuses those that can't be served; all of them if a client is_occupied. Returns true if one can
 * become the client. */
bool visitors_serve(struct stub *s, const struct pollfd *fds, bool is_occupied);
/* Takes the connection that can become the client, with the bytes that it has sent. Returns -1 if there is none. */
int visitors_take(struct stub *s, struct text *bytes);
/* Closes all connections that aren't served. */
void visitors_close(struct stub *s);
/* Removes the listener's socket file (socket_file.c). */
void socket_file_remove(struct stub *s);
/* Makes a socket file of mode 0600 and listens there. A file that a dead server has left is replaced. Returns -1, with the reason in `why`,
 * if that fails. */
int socket_file_listen(struct stub *s, const char *path, struct text *why);
/* Returns true if a client is served that has neither disconnected nor detached. */
bool link_is_occupied(const struct stub *s);

/* ---- users of connections (owner.c) ---- */
/* Adds a reply that refuses the connection, unless its other end belongs to warpstep's user, to root, or to another machine. */
void owner_check(int fd, struct text *refusal);

#endif

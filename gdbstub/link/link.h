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
/* Creates this folder's state in s->link, without connections. `events` must outlive it. */
void link_room_create(struct stub *s, const struct link_events *events);
/* Frees this folder's state, after gdbstub_close has closed the connections and ended the threads. */
void link_room_free(struct stub *s);

/* ---- the client (bytes.c, serve.c) ---- */
/* Reads what the client has sent, at most 64 KiB, and takes it as link_take does. Returns false if the client has disconnected or reading fails, true
 * also if nothing was received. */
bool link_read(struct stub *s);
/* Takes bytes of the client: parses them and sends the replies, or while the machine runs, keeps them for the call of link_take that runs it. Drops
 * those behind a detach. */
void link_take(struct stub *s, const char *bytes, size_t n);
/* Appends bytes to those pending for link_flush. */
void link_put(struct stub *s, const char *bytes, size_t n);
/* Returns the bytes pending for link_flush, which belong to the stub. */
struct text *link_out(const struct stub *s);
/* Sends the pending bytes as link_flush does. Drops the client after link_leave, and one that link_flush has marked to be dropped. */
void link_send(struct stub *s);
/* Marks the client to be dropped by the next link_send. `awaits`: on a pipe, first sends the pending bytes and waits up to three seconds for the
 * client's acknowledgement. */
void link_leave(struct stub *s, bool awaits);
/* Returns whether the client is marked to be dropped by the next link_send, or the client of a pipe has left. */
bool link_is_leaving(const struct stub *s);
/* Starts the watcher on a descriptor (-1: none) with `on`. Without `on` stops it and clears the interrupt flag. */
void link_watch_fd(struct stub *s, int fd, bool on);
/* Accepts a connection and returns its descriptor, which doesn't block. Returns -1 if none waits or accepting fails; if no descriptor is left, waits
 * 100 ms first. */
int link_accept(struct stub *s);
/* Returns whether the peer has closed the connection or it is broken; unread bytes may be left. Returns false for -1. */
bool link_is_gone(int fd);
/* Sends the pending bytes. Waits up to ten seconds if the client takes none, without limit while the machine runs; the interrupt flag ends the wait.
 * Then bytes left stay pending while the machine runs. Otherwise, and if the client has disconnected, drops them and marks the client to be dropped. */
void link_flush(struct stub *s);
/* Sends the pending bytes, closes the client's descriptors, ends its session and says so at the other faces. Does nothing if there is no client. */
void link_drop(struct stub *s);
/* Starts the watcher for the client's run (`on`): a byte from the client sets the interrupt flag. A 0x03 that was read before sets it at once.
 * Without `on` stops the watcher and clears the flag. */
void link_watch(struct stub *s, bool on);
/* Starts the watcher for a run that another face has asked for (`on`), unless the stub isn't active or the client runs the machine. Without `on`
 * stops the watcher if it was started so, and clears the interrupt flag. */
void link_others_run(struct stub *s, bool on);
/* Reads the bytes for which the watcher has interrupted a run. Returns true, with the watcher restarted and the interrupt flag clear, if the run goes
 * on: they are packets, without 0x03. Returns false if there was no such interrupt, the client has disconnected, or over 4 MiB wait. */
bool link_only_packets(struct stub *s);

/* ---- the watcher (watcher.c): a byte of the client on `fd` (-1: there is none), and another client's first packet, set the
 * interrupt flag, from some milliseconds after this on ---- */
/* Starts the watcher, with a thread at first use; if that fails, nothing is watched. Some milliseconds later a byte of the client on `fd` (-1: there
 * is none), or another client's first packet, sets the interrupt flag. */
void watcher_on(struct stub *s, int fd);
/* Stops the watcher, which sets no flag any more. Returns whether it was on. */
bool watcher_off(struct stub *s);
/* Stops the watcher and ends its thread, if there is one. */
void watcher_stop(struct stub *s);
/* Starts a thread in which all signals are blocked: they are for the main thread. Returns false if that fails. */
bool host_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* ---- short waits (busy_wait.c) ---- */
/* Polls for up to 2 ms without sleeping, on machines with several processors; on others returns 0 at once. Returns as poll() does, 0 if nothing has
 * come. Returns -1 with EINTR if the interrupt flag is set meanwhile. */
int awake_poll(const struct stub *s, struct pollfd *fds, nfds_t n_fds);
/* Keeps gdb's processor from sleeping until awake_step_ends, 2 ms at most. Does so in performance mode on machines with several processors. */
void awake_step_begins(struct stub *s);
/* Lets gdb's processor sleep again: the step is over. */
void awake_step_ends(struct stub *s);
/* Ends the thread that keeps gdb's processor awake, if there is one. */
void awake_stop(struct stub *s);

/* ---- connections that aren't the served client (pending_connections.c), so many at a time ---- */
#define STUB_VISITORS 8
/* Initialises the table of connections: all places are free. */
void visitors_init(struct stub *s);
/* Accepts a connection, if one waits. Closes the least needed one if all places are taken, and notes a refusal if its user isn't allowed here. */
void visitors_accept(struct stub *s);
/* Fills in STUB_VISITORS descriptors for poll(): -1 for free places and for connections that can become the client. */
void visitors_poll(const struct stub *s, struct pollfd *fds);
/* Reads received bytes, after poll, answers packets with the refusal if there is one, and closes connections that end or send anything but packets.
 * `is_occupied`: refuses those that could become the client. Returns whether one can become the client. */
bool visitors_serve(struct stub *s, const struct pollfd *fds, bool is_occupied);
/* Removes the oldest connection that can become the client, and appends the bytes that it has sent. Returns its descriptor, which the caller closes,
 * or -1 if there is none. */
int visitors_take(struct stub *s, struct text *bytes);
/* Closes all connections that aren't served. */
void visitors_close(struct stub *s);
/* Removes the listener's socket file (socket_file.c), if it has one that is still the same file. */
void socket_file_remove(struct stub *s);
/* Makes a socket file of mode 0600 and listens there. Then closes the old listener and all connections, and returns the new descriptor. Replaces a
 * socket file on which no server listens. Returns -1, with the reason in `why` and nothing closed, if that fails. */
int socket_file_listen(struct stub *s, const char *path, struct text *why);
/* Returns whether a client is served that has neither disconnected nor detached. */
bool link_is_occupied(const struct stub *s);

/* ---- users of connections (owner.c) ---- */
/* Adds a reply that refuses the connection, unless its other end belongs to warpstep's user, to root, or to another machine. An unknown user of this
 * machine is refused. */
void owner_check(int fd, struct text *refusal);

#endif

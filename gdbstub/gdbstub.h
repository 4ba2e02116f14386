/* The GDB remote stub: the second face of src/debug. Stock gdb attaches and finds threads, registers as typed variables, source.
 *
 * It owns no machine and decides nothing about it: packets in, replies out. One client at a time. The caller gives it a chance to
 * work by calling gdbstub_serve whenever it waits for something itself; nothing happens behind its back. */
#ifndef GDBSTUB_GDBSTUB_H
#define GDBSTUB_GDBSTUB_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "session/session.h"

struct interpreter;
struct stub;

/* Creates a stub and attaches it to the session, which must outlive it. `commands` runs what `monitor` is given; NULL: no commands. The caller destroys
 * the stub. */
struct stub *gdbstub_create(struct session *session, struct interpreter *commands);
/* Closes the listener and all connections, drops what gdb has inserted, detaches the stub from the session and frees it. Accepts NULL. */
void gdbstub_destroy(struct stub *s);

/* Listens on [HOST:]PORT (default host 127.0.0.1, port 0: any free one), or on unix:PATH, a socket file of mode 0600. Adds lines about it to `out`,
 * and closes the old listener and the client's connection. Returns false, with an error in `why` and both left open, if that fails. Clients of a HOST
 * that isn't a loopback address may not touch programs and files of this machine. */
bool gdbstub_listen(struct stub *s, const char *where, struct text *out, struct text *why);
/* Allows clients that connect from now on, from any host, to touch programs and files of this machine (--gdb-trust). */
void gdbstub_trust(struct stub *s);
/* Closes the listener and all connections, and removes the socket file. While the client runs the machine, its connection is closed when that run
 * ends. */
void gdbstub_close(struct stub *s);
/* Begins a client on two open descriptors (`-g -`), which the stub closes when the client leaves; gdbstub_serve serves it. `shows_errors`: the client
 * also shows our standard error, so the prompt doesn't print output that the client is sent. */
void gdbstub_attach(struct stub *s, int in, int out, bool shows_errors);
/* Copies the reason why nothing was launched. gdb's console shows it once, when gdb resumes threads while nothing can run; a run in between drops the
 * reason. */
void gdbstub_not_launched(struct stub *s, const char *why);

/* Returns whether the stub listens or has a client. */
bool gdbstub_active(const struct stub *s);

/* Serves clients until `fd` (-1: none) can be read, the session is done, or neither listener nor client is left. Returns also when a signal comes
 * while the interrupt flag is set. */
void gdbstub_serve(struct stub *s, int fd);

/* ---- without descriptors, for tests: bytes in, bytes out ---- */
/* Takes bytes as if a client had sent them, which begins with the first call, and handles complete packets. For tests: there is no descriptor. */
void gdbstub_feed(struct stub *s, const char *bytes, size_t n);
/* Returns the bytes that are to be sent, which belong to the stub. The test clears them. */
struct text *gdbstub_replies(struct stub *s);

#endif

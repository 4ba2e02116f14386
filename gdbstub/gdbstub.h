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

struct stub;

/* Creates a stub and attaches it to the session, which must outlive it. The caller destroys it. */
struct stub *gdbstub_create(struct session *session);
/* Closes connections, detaches the stub from the session and frees it. Accepts NULL. */
void gdbstub_destroy(struct stub *s);

/* Listens on [HOST:]PORT (default host 127.0.0.1, port 0: any free one), or on unix:PATH, a socket file of mode 0600; adds a line about it. Returns
 * false, with an error in `why`, if that fails. Clients of a HOST that isn't a loopback address may not touch programs and files of this machine. */
bool gdbstub_listen(struct stub *s, const char *where, struct text *out, struct text *why);
/* Lets all clients touch programs and files of this machine (--gdb-trust). */
void gdbstub_trust(struct stub *s);
/* Closes the listener and the client's connection; while the client runs the machine, its connection when that is done. */
void gdbstub_close(struct stub *s);
/* Serves one client on two open descriptors (`-g -`). shows_errors: it has our standard error and shows it, so that what it is sent as
 * device output would be there twice if the prompt printed it, too. */
void gdbstub_attach(struct stub *s, int in, int out, bool shows_errors);
/* Keeps the reason why nothing was launched. It is reported once, when gdb resumes while nothing runs. */
void gdbstub_not_launched(struct stub *s, const char *why);

/* Returns whether the stub listens or has a client. */
bool gdbstub_active(const struct stub *s);

/* Serves until `fd` can be read (-1: until gdb has killed the launch or, on a pipe, gone) or the interrupt flag is set. */
void gdbstub_serve(struct stub *s, int fd);

/* ---- without descriptors, for tests: bytes in, bytes out ---- */
/* Takes bytes as if a client had sent them. For tests: there is no descriptor. */
void gdbstub_feed(struct stub *s, const char *bytes, size_t n);
/* Returns the bytes that are to be sent, which belong to the stub. The test clears them. */
struct text *gdbstub_replies(struct stub *s);

#endif

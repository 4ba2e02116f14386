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

/* Attaches itself to the session, which has to live longer. */
struct stub *gdbstub_create(struct session *session);
void gdbstub_destroy(struct stub *s);

/* Listens on [HOST:]PORT (default host 127.0.0.1, port 0: any free one), or on unix:PATH, a socket file of mode 0600. A line about it goes
 * to `out`. Clients of a HOST that isn't a loopback address may not touch programs and files of this machine. */
bool gdbstub_listen(struct stub *s, const char *where, struct text *out, struct text *why);
/* Lets all clients touch programs and files of this machine (--gdb-trust). */
void gdbstub_trust(struct stub *s);
void gdbstub_close(struct stub *s); /* stops listening and drops the client */
/* Serves one client on two open descriptors (`-g -`). shows_errors: it has our standard error and shows it, so that what it is sent as
 * device output would be there twice if the prompt printed it, too. */
void gdbstub_attach(struct stub *s, int in, int out, bool shows_errors);
/* Why nothing was launched: reported once, when gdb goes on while nothing runs. */
void gdbstub_not_launched(struct stub *s, const char *why);

bool gdbstub_active(const struct stub *s); /* listening, or a client is there */

/* Serves until `fd` can be read (-1: until gdb has killed the launch or, on a pipe, gone) or the interrupt flag is set. */
void gdbstub_serve(struct stub *s, int fd);

/* ---- without descriptors, for tests: bytes in, bytes out ---- */
void gdbstub_feed(struct stub *s, const char *bytes, size_t n);
struct text *gdbstub_replies(struct stub *s); /* the reader clears it */

#endif

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
#include "debug/debug.h"

struct stub;

/* What the program around it provides; all but `self` may be NULL. */
struct gdbstub_host {
	void *self;
	/* One line for the prompt's commands (`monitor ...`); its texts, errors too, go to `out`. */
	void (*command)(void *self, const char *line, struct text *out);
	void (*stopped)(void *self, const struct debug_stop *stop); /* the machine was run by gdb and stands again */
	void (*said)(void *self, const char *line); /* a note for the user of this program, with its newline */
	void (*killed)(void *self);		    /* gdb's `kill` */
	bool (*done)(void *self);		    /* true: stop serving */
	volatile sig_atomic_t *interrupt; /* the debugger's flag: set here when gdb wants the machine to stop */
};

struct stub *gdbstub_create(struct debug *d, const struct gdbstub_host *host);
void gdbstub_destroy(struct stub *s);

/* Listens on [HOST:]PORT (default host 127.0.0.1, port 0: any free one). A line about it goes to `out`. */
bool gdbstub_listen(struct stub *s, const char *where, struct text *out, struct text *why);
void gdbstub_close(struct stub *s); /* stops listening and drops the client */
/* Serves one client on two open descriptors (`-g -`). */
void gdbstub_attach(struct stub *s, int in, int out);
/* Why nothing was launched: told once, when gdb goes on while nothing runs. */
void gdbstub_not_launched(struct stub *s, const char *why);

bool gdbstub_active(const struct stub *s); /* listening, or a client is there */

/* Serves until `fd` can be read (-1: until gdb has killed the launch or, on a pipe, gone) or the interrupt flag is set. */
void gdbstub_serve(struct stub *s, int fd);

/* Around runs of the machine that somebody else asks for: a gdb that comes, or wants something, sets the interrupt flag. */
void gdbstub_watch(struct stub *s, bool on);

/* Device output: true if gdb, which runs the machine then, has been sent it. */
bool gdbstub_output(struct stub *s, const char *text, size_t n);
/* The machine was run by somebody else: gdb is told as soon as the protocol allows. */
void gdbstub_machine_moved(struct stub *s, const struct debug_stop *stop);

/* ---- without descriptors, for tests: bytes in, bytes out ---- */
void gdbstub_feed(struct stub *s, const char *bytes, size_t n);
struct text *gdbstub_replies(struct stub *s); /* the reader clears it */

#endif

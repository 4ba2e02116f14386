/* gdb's threads and the warps' lanes: what gdb believes of each lane, and what follows from that when it lets them run. */
#ifndef GDBSTUB_LANES_H
#define GDBSTUB_LANES_H

#include "gdbstub/lanes/machine.h"

struct lanes; /* what gdb believes */
struct lanes *lanes_create(const struct lanes_machine *m, const struct lanes_client *c, void *self);
void lanes_destroy(struct lanes *l);

/* ---- what gdb sees ---- */
/* A lane that gdb sees where the machine hasn't got it. */
struct lanes_seen {
	uint64_t pc, sp;
	uint64_t
		executed; /* by its warp then: its registers are in the snapshot of that; all ones: they are the machine's */
};
bool lanes_see(const struct lanes *l, uint64_t uid, struct lanes_seen *out); /* false: where the machine has it */
/* Is a snapshot of a warp at that place needed? */
bool lanes_needs(const struct lanes *l, uint64_t first_uid, uint64_t executed);
/* What is wrong with what gdb is believed to believe, in words; NULL: nothing. */
const char *lanes_broken(const struct lanes *l);

/* ---- gdb's continue and step ---- */
struct resume {
	bool has_step;	/* one thread steps */
	uint64_t step;	/* its tid */
	bool has_range; /* until its pc is outside of [from, to) */
	uint64_t from, to;
	bool others;	    /* everybody else runs too */
	bool to_end;	    /* the one thread goes on until something happens to it */
	uint64_t locked;    /* tid of the only one that runs, 0: others do, too */
	uint64_t continued; /* tid that gdb has named for a continue, 0: none */
};
/* One stop is reported. */
void lanes_resume(struct lanes *l, const struct resume *r);
/* One stop is reported, earlier in time: of a step back of r->step, or where everybody, back from there, would have stopped. */
void lanes_back(struct lanes *l, const struct resume *r);
/* A packet that looks at threads: if the last step was deferred, it is made now. */
void lanes_look(struct lanes *l);
/* The signal that an exception is for gdb. */
unsigned lanes_exception_signal(enum exec_fault_kind kind);
/* A 0x03 while the machine stood. */
void lanes_interrupt(struct lanes *l);

/* ---- what happens besides ---- */
void lanes_stand(struct lanes *l, uint64_t tid);    /* a client begins, with this thread */
void lanes_leave(struct lanes *l);		    /* it is gone */
void lanes_reported(struct lanes *l, uint64_t tid); /* a stop of this thread was reported */
void lanes_shown(struct lanes *l);		    /* gdb shows the last stop to its user */
void lanes_asked(struct lanes *l, uint64_t tid);    /* whether a thread is there */
void lanes_named(struct lanes *l, uint64_t tid);    /* that is the one it asks about now */
void lanes_forget(struct lanes *l);		    /* all of it: nobody is interested any more */
void lanes_forget_places(
	struct lanes *l); /* gdb sees lanes where the machine has them: it was moved by a command of gdb's own */
void lanes_moved(struct lanes *l,
		 const char *text); /* somebody else has run the machine: that is reported, with this text */

/* tid of the last stop, of the thread that gdb's user has selected since (0: none), and of the one he is on. */
uint64_t lanes_stopped(const struct lanes *l);
uint64_t lanes_chosen(const struct lanes *l);
uint64_t lanes_users(const struct lanes *l);

/* Returns true if gdb has shown the last stop to its user. */
bool lanes_is_shown(const struct lanes *l);
/* Returns the tid of the thread that gdb's step is for while gdb works on it: since the user's command, until gdb shows a stop. Returns 0 if gdb
 * isn't stepping, and after a stop that reports newly loaded code, since gdb then inserts the user's breakpoints. */
uint64_t lanes_stepping(const struct lanes *l);

/* For which lanes of a warp a breakpoint is reported. */
enum break_mode { BREAK_AUTO, BREAK_WARP, BREAK_LANE };
void lanes_break(struct lanes *l, enum break_mode mode);

#endif

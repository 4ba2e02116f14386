/* gdb's threads and the warps' lanes: what gdb believes of each lane, and what follows from that when it resumes threads. */
#ifndef GDBSTUB_LANES_H
#define GDBSTUB_LANES_H

#include "gdbstub/lanes/machine.h"

struct lanes;
/* Returns a new state, of a client that knows nothing yet; freed by lanes_destroy. `s` is the context of both tables. All three must outlive the
 * state. */
struct lanes *lanes_create(const struct lanes_machine *m, const struct lanes_client *c, struct stub *s);
/* Frees the state with its places, hits and queued stops. */
void lanes_destroy(struct lanes *l);

/* ---- what gdb sees ---- */
/* Where gdb sees a lane that the machine has elsewhere. */
struct lanes_seen {
	uint64_t pc, sp;
	uint64_t
		executed; /* by its warp then: the registers are in the snapshot of that; all ones: they are the machine's */
};
/* Fills *out with where gdb sees a lane. Returns false, with *out unchanged, if gdb sees the lane where the machine has it, or there is no such lane.
 * out->executed is UINT64_MAX for a place that the machine hasn't reached. */
bool lanes_see(const struct lanes *l, uint64_t uid, struct lanes_seen *out);
/* Returns whether a snapshot of a warp's registers is still needed: a hit, or a place that the machine has left, is there. `executed`: instructions
 * that the warp had executed at the snapshot. first_uid: uid of the warp's lane 0. */
bool lanes_needs_snapshot(const struct lanes *l, uint64_t first_uid, uint64_t executed);
/* Checks the invariants of the state. Returns the text of one that is violated, or NULL if all hold. */
const char *lanes_broken(const struct lanes *l);

/* ---- gdb's continue and step ---- */
struct resume {
	bool has_step;	/* one thread steps */
	uint64_t step;	/* its tid */
	bool has_range; /* until its pc is outside of [from, to) */
	uint64_t from, to;
	bool others;	    /* all other threads run, too */
	bool to_end;	    /* the one thread runs until something happens to it */
	uint64_t locked;    /* tid of the only thread that runs; 0: others do, too */
	uint64_t continued; /* tid that gdb has named for a continue; 0: none */
};
/* Resumes threads as gdb has asked for in *r, unless a pending event has to be reported before that. Reports exactly one stop. */
void lanes_resume(struct lanes *l, const struct resume *r);
/* Resumes threads backwards in time, and reports exactly one stop: a pending event, else that of a step of thread r->step if r->has_step, else where
 * the machine stops first. r->step is the user's thread also without a step. */
void lanes_resume_back(struct lanes *l, const struct resume *r);
/* Executes the step that was reported and not made yet, and queues other stops to which that step leads. Does nothing if no step is deferred. Called
 * before packets that may read a thread. */
void lanes_make_deferred_step(struct lanes *l);
/* Returns the number of the signal that gdb is sent for an exception: SEGV, BUS, ILL or ABRT, and TRAP for the others. */
unsigned lanes_exception_signal(enum exec_fault_kind kind);
/* Notes a 0x03 that was received while the machine stood. The next resume then stops at once, unless gdb has shown the last stop to its user; in
 * either case the 0x03 is forgotten. */
void lanes_interrupt(struct lanes *l);

/* ---- what happens besides ---- */
/* Begins a client's session: thread `tid` becomes the last stop's, and that stop counts as shown to the client's user. */
void lanes_client_begin(struct lanes *l, uint64_t tid);
/* Ends a client's session: drops all places but hits, and drops a deferred step without executing it. Hits and queued stops stay for the next client. */
void lanes_client_end(struct lanes *l);
/* Notes that a stop of thread `tid` was reported. Forgets which threads gdb has checked and its user has selected since the stop before. */
void lanes_note_reported(struct lanes *l, uint64_t tid);
/* Notes that gdb shows the last stop to its user. */
void lanes_note_shown(struct lanes *l);
/* Notes that gdb checks whether thread `tid` is alive: gdb's user may have selected that thread. Three neighbouring tids in a row are a list, and the
 * selection before the list is restored. */
void lanes_note_checked(struct lanes *l, uint64_t tid);
/* Notes that gdb's next packets are about thread `tid`. If the user may have been on that thread since the last stop, the user counts as back on it. A
 * thread that gdb has checked last doesn't count. */
void lanes_note_selected(struct lanes *l, uint64_t tid);
/* Drops places, hits, queued stops and a deferred step, as the launch has ended or the client has changed. Drops also the user's selection, a pending
 * 0x03 and an unreported move by another face. The last stop's thread stays. */
void lanes_forget(struct lanes *l);
/* Drops all places, hits, queued stops and a deferred step: a command of gdb's user has moved the machine. */
void lanes_forget_places(struct lanes *l);
/* Notes that another face has run the machine, and drops all hits and a deferred step; queued stops stay. The next resume reports the move with
 * `text`, which is copied. */
void lanes_note_moved(struct lanes *l, const char *text);

/* Returns the tid of the last stop. */
uint64_t lanes_stop_thread(const struct lanes *l);
/* Returns the tid of the thread that gdb's user has selected since the last stop. Returns 0 if the user has selected none; a return to an earlier
 * thread doesn't count. */
uint64_t lanes_selected_thread(const struct lanes *l);
/* Returns the tid of the thread that gdb's user is on: the one that the user went back to since the last stop, else the one selected since then, else
 * that of the stop. */
uint64_t lanes_user_thread(const struct lanes *l);
/* Returns whether gdb has shown the last stop to its user. */
bool lanes_is_shown(const struct lanes *l);
/* Returns the tid of the thread that gdb steps while it works on the user's command. Returns 0 if gdb isn't stepping, has shown a stop, or was last
 * sent a stop for newly loaded code: gdb then inserts the user's breakpoints. */
uint64_t lanes_stepped_thread(const struct lanes *l);

/* For which lanes of a warp a breakpoint is reported. */
enum break_mode { BREAK_AUTO, BREAK_WARP, BREAK_LANE };
/* Sets for which lanes of a warp a breakpoint is reported. */
void lanes_set_break_mode(struct lanes *l, enum break_mode mode);

#endif

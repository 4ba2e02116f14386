/* What the lanes' timelines ask of the machine, and what they report to gdb: little enough that a test can play both. */
#ifndef GDBSTUB_LANES_MACHINE_H
#define GDBSTUB_LANES_MACHINE_H

#include "debug/debug.h"

/* A lane as the machine has it now. */
struct machine_lane {
	uint64_t uid, first; /* its own; of its warp's lane 0 */
	unsigned lane, n;    /* its number among the warp's n lanes */
	uint64_t executed;   /* instructions that its warp has executed; all ones: its warp has ended */
	uint64_t
		pc; /* for gdb: behind a barrier that it waits at, before its kernel until it has entered, behind it when exited */
	uint64_t code_pc; /* the instruction's, whatever gdb is shown */
	uint64_t frame;	  /* of its activation */
	uint32_t live;	  /* lanes of its warp that have not exited */
	uint32_t active;  /* lanes that move next, together */
	bool exited;
	bool at_launch;	 /* it hasn't begun, and gdb doesn't know of its first instruction */
	bool is_next;	 /* it executes the instruction at code_pc next, now or when its block begins */
	bool is_waiting; /* for the other side of a branch */
	bool in_barrier; /* it waits there: gdb is shown the place one byte into the barrier */
	bool can_run;	 /* its warp has something to execute, or is going to */
};

/* A breakpoint or watchpoint of gdb's: `type` as in its Z packet. */
struct machine_point {
	char type;
	uint64_t address, length;
	bool is_register; /* a register of one thread is watched */
};

/* The context of both tables: the stub, of which nothing here knows the contents, or a test. */
struct stub;

/* The machine, as a table of functions. */
struct lanes_machine {
	/* ---- lanes ---- */
	/* Finds a lane. Returns false if there is no such thread. */
	bool (*lane)(struct stub *s, uint64_t uid, struct machine_lane *out);
	/* Returns gdb's stack pointer in the lane's activation where the machine has it, or 0 if there is no such lane. */
	uint64_t (*sp)(struct stub *s, uint64_t uid);
	uint64_t stride; /* from an activation's frame to that of the next lane */
	/* Returns the uid of gdb's thread number, or 0 for the host and for numbers that aren't assigned. */
	uint64_t (*uid)(struct stub *s, uint64_t tid);
	/* Returns gdb's thread number of a uid. */
	uint64_t (*tid)(struct stub *s, uint64_t uid);
	/* Returns gdb's thread number of the debugger's focus, or that of the host if there is no focus. */
	uint64_t (*focus)(struct stub *s);
	/* Sets the debugger's focus to thread `uid`. Does nothing if there is no such thread. */
	void (*set_focus)(struct stub *s, uint64_t uid);
	/* Stores the next thread whose pc gdb has read since all threads were resumed. *at, 0 for the first call, is advanced. Returns false at the end. */
	bool (*next_read_thread)(struct stub *s, size_t *at, uint64_t *tid);
	/* Notes that gdb knows the thread's warp to be at the kernel's first instruction, if it has executed nothing. */
	void (*note_entered)(struct stub *s, uint64_t uid);
	/* Drops cached views of lanes, as gdb now sees lanes somewhere else than before. */
	void (*invalidate_views)(struct stub *s);
	/* ---- register snapshots ---- */
	/* Takes a snapshot of the registers of the thread's warp. */
	void (*take_snapshot)(struct stub *s, uint64_t uid);
	/* Returns the lanes of the warp that have the same activations as the thread in the snapshot taken where it stands. Returns only the thread's
	 * lane without a snapshot, 0 if there is no such thread. */
	uint32_t (*lanes_together)(struct stub *s, uint64_t uid);
	/* Returns true if the lane's registers from `sp` on are the same as gdb sees them and as the machine has them. */
	bool (*same_registers)(struct stub *s, uint64_t uid, uint64_t sp);
	/* Drops the snapshots that lanes_needs_snapshot doesn't name. */
	void (*drop_unneeded_snapshots)(struct stub *s);
	/* ---- gdb's breakpoints ---- */
	/* Returns true if gdb has a breakpoint at `pc`, also one that gdb has taken out for a step. */
	bool (*has_breakpoint)(struct stub *s, uint64_t pc);
	/* Returns true if gdb has a breakpoint at `pc` that it has not taken out. */
	bool (*is_inserted)(struct stub *s, uint64_t pc);
	/* Returns true if gdb has a breakpoint at `pc` that is for the lane and whose condition is true. `as_seen`: evaluates the condition as gdb
	 * sees the lane, else as the machine has it. */
	bool (*condition_holds)(struct stub *s, uint64_t uid, uint64_t pc, bool as_seen);
	/* Finds gdb's breakpoint or watchpoint that has the debugger's number `number`. Returns false if gdb has none with that number. */
	bool (*point)(struct stub *s, uint32_t number, struct machine_point *out);
	/* Stores the debugger's number of gdb's breakpoint or watchpoint *p. Returns false if gdb has deleted *p. */
	bool (*number)(struct stub *s, const struct machine_point *p, uint32_t *number);
	/* Returns true if all watchpoints on writes that *stop has hit have the value that gdb knows. */
	bool (*is_known_write)(struct stub *s, const struct debug_stop *stop);
	/* Stores the next watchpoint on writes whose present value differs from the one that gdb knows. *at, 0 for the first call, is advanced.
	 * *uid: the thread whose registers or memory is watched, 0 for memory of all threads. Returns false at the end. */
	bool (*next_changed_watchpoint)(struct stub *s, size_t *at, uint32_t *number, uint64_t *uid);
	/* Returns true if the present value of the watchpoint *p, on writes, is the one that gdb knows. Returns false if gdb knows none. */
	bool (*is_as_known)(struct stub *s, const struct machine_point *p);
	/* Notes a resume. `tid`: the thread that the user's command is for; 0 if gdb steps a thread. */
	void (*note_resume)(struct stub *s, uint64_t tid, bool is_backwards);
	/* Notes that gdb continues from a thread's hit at `pc` without having shown that hit to its user. */
	void (*note_passed)(struct stub *s, uint64_t uid, uint64_t pc);
	/* Returns the lanes of a warp of `n` lanes whose hits at an address are reported now. Hits of the other lanes are kept. */
	uint32_t (*reportable_lanes)(struct stub *s, uint64_t first_uid, unsigned n, uint64_t pc);
	/* Makes gdb's breakpoints that may be for one thread hit for all threads. Returns false if there are no such breakpoints. */
	bool (*release_points)(struct stub *s);
	/* Removes, before a run, breakpoints that gdb has taken out, unless one thread steps off them. */
	void (*remove_taken_out)(struct stub *s, bool is_lone_step);
	/* Lets the thread's warp pass, in the next run, the breakpoint at which it stands, as the hit has been reported. */
	void (*skip_breakpoint)(struct stub *s, uint64_t uid);
	/* Predicts pc and stack pointer of the lane behind its next instruction. Returns false if they can't be predicted, or another event has to be
	 * reported there. */
	bool (*predict)(struct stub *s, uint64_t uid, uint64_t *pc, uint64_t *sp);
	/* ---- running ---- */
	/* Returns true if a kernel is running, so that the machine can be resumed. */
	bool (*can_run)(struct stub *s);
	/* Notes that the machine begins (`on`) or ends to run; `is_step`: one thread steps. */
	void (*set_running)(struct stub *s, bool on, bool is_step);
	/* Runs n instructions of a thread's warp, or all threads if `uid` is 0, until a stop or newly loaded code. Returns false, with the reason, if
	 * nothing can run. */
	bool (*run)(struct stub *s, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
	/* Runs back until a stop if n is 0, by one instruction of the last warp that has run if `uid` is 0. Else runs back by n instructions of the
	 * thread's warp, and on to the last one that the thread executed itself. Returns false, with the reason, if nothing was recorded. */
	bool (*back)(struct stub *s, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
	/* Reads what gdb has sent, and returns true if the run may continue, as gdb has asked for no stop. `ended`: an interrupt has stopped the run,
	 * perhaps only because a packet came. */
	bool (*may_continue)(struct stub *s, bool ended);
	/* Returns true if gdb has disconnected. */
	bool (*client_is_gone)(struct stub *s);
};

/* Why a thread has stopped, besides the signal. */
enum lanes_event_kind {
	EVENT_NONE,
	EVENT_BREAKPOINT,
	EVENT_WRITE,
	EVENT_READ,
	EVENT_ACCESS,
	EVENT_LOADED,	     /* code has been loaded or unloaded */
	EVENT_HISTORY_BEGINS, /* nothing is recorded of the time before */
	EVENT_EXITED	      /* the program has ended for good */
};
struct lanes_event {
	enum lanes_event_kind kind;
	uint64_t address; /* what is watched: WRITE, READ, ACCESS; EXITED: the program's status */
};

/* What is reported to gdb, as a table of functions. */
struct lanes_client {
	/* Sends the stop reply, once for each resume: signal, thread `tid`, and why the thread has stopped. */
	void (*report)(struct stub *s, unsigned signal, uint64_t tid, struct lanes_event event);
	/* Writes `text` to gdb's console; called before the stop reply. */
	void (*say)(struct stub *s, const char *text);
	/* Writes `why`, the reason that nothing can run, to gdb's console. */
	void (*idle)(struct stub *s, const char *why);
	/* Returns true, with the tid that gdb has selected in *tid, if files were loaded or unloaded that gdb doesn't know of; counts them as reported. */
	bool (*loaded)(struct stub *s, uint64_t *tid);
	/* Returns true if the stop is the end of a program that can't be started again. */
	bool (*is_over)(struct stub *s, const struct debug_stop *stop);
	/* Notifies the other faces of a stop. */
	void (*stopped)(struct stub *s, const struct debug_stop *stop);
};

#endif

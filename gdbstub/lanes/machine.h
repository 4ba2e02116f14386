/* What the lanes' timelines ask of the machine, and what they say to gdb: little enough that a test can play both. */
#ifndef GDBSTUB_LANES_MACHINE_H
#define GDBSTUB_LANES_MACHINE_H

#include "debug/debug.h"

/* A lane as the machine has it now. */
struct machine_lane {
	uint64_t uid, first; /* its own; of its warp's lane 0 */
	unsigned lane, n;    /* it is this one of so many */
	uint64_t executed;   /* by its warp; all ones: it has none any more */
	uint64_t
		pc; /* as gdb is to see it: in a barrier after that, before its launch in front of the kernel, when it has exited after it */
	uint64_t code_pc; /* the instruction's, whatever gdb is to see */
	uint64_t frame;	  /* of its activation */
	uint32_t live;	  /* lanes of its warp that have not exited; */
	uint32_t active;  /* those that move next, together */
	bool exited;
	bool at_launch;	 /* it hasn't begun, and gdb doesn't know of its first instruction */
	bool stands;	 /* it is the one to execute what is at code_pc, now or when its block begins */
	bool waits;	 /* it is the other side's turn at a branch */
	bool in_barrier; /* gdb is shown what comes after it */
	bool runs;	 /* its warp has something to execute, or is going to */
};

/* A breakpoint or watchpoint of gdb's: `type` as in its Z packet. */
struct machine_point {
	char type;
	uint64_t address, length;
	bool is_register; /* what is watched is a register of one thread */
};

struct lanes_machine {
	/* ---- lanes ---- */
	bool (*lane)(void *self, uint64_t uid, struct machine_lane *out); /* false: no such thread */
	uint64_t (*sp)(void *self, uint64_t uid);			  /* of its activation's frame, for gdb */
	uint64_t stride; /* the same activation of the next lane has its frame so much further on */
	uint64_t (*uid)(void *self, uint64_t tid); /* of gdb's number of a thread; 0: of none */
	uint64_t (*tid)(void *self, uint64_t uid);
	uint64_t (*focus)(void *self); /* the debugger's, as gdb's number; that of the host without one */
	void (*set_focus)(void *self, uint64_t uid);
	/* Threads whose place gdb has read since it let them run: *at goes from 0 on until there is none any more. */
	bool (*looked_at)(void *self, size_t *at, uint64_t *tid);
	void (*arrived)(void *self, uint64_t uid); /* gdb knows its warp to be at the kernel's first instruction */
	void (*changed)(void *self);		   /* gdb is to see lanes somewhere else than before */
	/* ---- register snapshots ---- */
	void (*snapshot)(void *self, uint64_t uid); /* of its whole warp as it is now */
	uint32_t (*together)(void *self,
			     uint64_t uid); /* lanes of its warp that have the same activations in the last one */
	bool (*same_registers)(void *self, uint64_t uid,
			       uint64_t sp); /* from sp on, as gdb sees them and as they are */
	void (*drop_snapshots)(void *self);  /* those that lanes_needs says nobody needs any more */
	/* ---- gdb's breakpoints ---- */
	bool (*breaks)(void *self, uint64_t pc);   /* also if gdb has taken it out for a step */
	bool (*inserted)(void *self, uint64_t pc); /* it has not */
	bool (*holds)(void *self, uint64_t uid, uint64_t pc,
		      bool as_seen); /* one there whose condition is true, as gdb sees the lane or as it is */
	bool (*point)(void *self, uint32_t number,
		      struct machine_point *out); /* the debugger's number; false: not gdb's */
	bool (*number)(void *self, const struct machine_point *p,
		       uint32_t *number);			      /* the other way; false: it has been deleted */
	bool (*unchanged)(void *self, const struct debug_stop *stop); /* a write that is nothing to gdb */
	/* Watchpoints on writes where gdb would find another value than the one it knows, *at from 0 on. `uid`: of the only thread for which gdb
	 * looks there, 0: it does so for any. */
	bool (*changed_watched)(void *self, size_t *at, uint32_t *number, uint64_t *uid);
	bool (*is_as_known)(void *self, const struct machine_point *p); /* one where it wouldn't */
	/* Called at the beginning of each resume: with the tid of the thread that the user's command is for, if gdb steps none; else with 0. */
	void (*resumes)(void *self, uint64_t tid);
	/* Called when gdb goes on from a thread's hit that it hasn't shown. */
	void (*passes)(void *self, uint64_t uid, uint64_t pc);
	/* Returns the uid of the only thread whose hits at an address are reported now; 0: all threads' hits are. */
	uint64_t (*only)(void *self, uint64_t pc);
	void (*settle)(
		void *self,
		bool lone_step); /* before a run: those that gdb has taken out go, unless one thread steps off them */
	void (*go_on_from)(
		void *self,
		uint64_t uid); /* the hit of the breakpoint it stands at has been reported: the machine goes on */
	bool (*was_reported)(void *self, uint64_t uid); /* that is so for its warp */
	/* Where its next instruction leads to. False: that can't be said, or something else has to be reported there. */
	bool (*predict)(void *self, uint64_t uid, uint64_t *pc, uint64_t *sp);
	/* ---- running ---- */
	bool (*can_run)(void *self);
	void (*running)(void *self, bool on, bool is_step);
	/* One go: n instructions of a thread's warp; uid 0: everybody. False: nothing can run. */
	bool (*run)(void *self, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
	/* Back by n instructions of a thread's warp, and on to the last that the thread executed itself; of the warp that was the last one to, if uid
	 * is 0. n is 0: to where somebody would have stopped. False: nothing was recorded. */
	bool (*back)(void *self, uint64_t uid, uint64_t n, struct debug_stop *stop, struct text *why);
	/* Has nobody asked for a stop? Packets that came while the machine ran are none. `ended`: it has stopped for what came. */
	bool (*goes_on)(void *self, bool ended);
	bool (*gone)(void *self); /* gdb has */
};

/* What is reported to gdb. */
struct lanes_client {
	void (*tell)(void *self, unsigned signal, uint64_t tid,
		     const char *why);		   /* the stop reply: once for each resume */
	void (*say)(void *self, const char *text); /* on its console, before that */
	void (*idle)(void *self, const char *why); /* likewise: nothing can run */
	bool (*loaded)(
		void *self,
		uint64_t *tid); /* files it has not heard of, which are reported now, of the thread it has selected */
	void (*stopped)(void *self, const struct debug_stop *stop); /* others hear of it, too */
};

#endif

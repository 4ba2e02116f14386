/* State of this folder in the stub: what gdb has inserted and read, views and snapshots. Only its own files include this. */
#ifndef GDBSTUB_THREADS_ROOM_H
#define GDBSTUB_THREADS_ROOM_H

#include "gdbstub/threads/threads.h"

#define STUB_ARRIVED 64

/* ---- stop conditions gdb has inserted ---- */
/* The command for which gdb may have inserted a breakpoint with a continue. */
enum step_command {
	COMMAND_FINISH,	 /* at a return address */
	COMMAND_UNTIL,	 /* at a return address and at a location: gdb reads the frame of each thread that hits it */
	COMMAND_ADVANCE, /* at a location, by a thread without a caller: `until` reads the code there */
	COMMAND_REVERSE_FINISH /* at the function's first instruction */
};
struct point_other {
	uint32_t number, at; /* the debugger's; its place in the frame */
};
struct point {
	char type; /* '0' to '4' as in Z packets */
	uint64_t address, length;
	uint32_t number;	  /* the debugger's */
	struct point_other *also; /* on the other registers of a variable that moves, see moving.c */
	size_t n_also, cap_also;
	const struct isa_function *moves_in; /* if there are such: the function, */
	uint32_t moves_at;		     /* the register's place in the frame, */
	unsigned char value[16];	     /* and what gdb knows as the variable's value */
	bool lingering;			     /* taken out by gdb for a step of one thread: others still stop there */
	bool is_new;			     /* inserted since the last resume, and not in before that */
	uint64_t only;			 /* tid of the thread that gdb has inserted it for; 0: it is for all threads */
	struct debug_thread only_thread; /* the same thread */
	bool keeps_others; /* hits of other threads count if gdb leaves it in after the next stop that the user sees */
	bool is_for_listed; /* hits of the threads that gdb's user could name count now: it may be `break ... thread N` */
	uint64_t candidate;	   /* tid of the thread that gdb may have inserted it for; 0: none */
	bool is_users;		   /* it has stopped another thread for the user, so it is for all */
	enum step_command command; /* gdb's command, if it is for the candidate */
	struct text *conditions;   /* bytecode; any of them true: stop */
	size_t n_conditions;
};

/* A watchpoint on writes, as gdb knows it. */
struct watched {
	char type;
	uint64_t address, length;
	uint64_t known; /* a hash of the value that gdb compares with the next one */
	bool is_known;	/* there was something to be seen */
	bool is_in;	/* gdb hasn't taken it out */
	bool is_told;	/* a write there has been reported, and gdb hasn't looked yet */
	bool moves;	/* gdb may look elsewhere: what is watched are several registers of one variable */
};

/* Where a thread was when gdb read its rip: a place of a table with open addressing. */
struct reported_pc {
	uint64_t tid, pc, sp;
	uint64_t run; /* of older ones than reported_run nothing counts: the place is free */
	bool is_over; /* it has been used up */
};

/* The beginnings of a block's rows in the list of threads, and rows without anything but the number. */
#define STUB_HEADS 8
struct thread_heads {
	uint64_t uid; /* of the block's first thread; 0: empty */
	uint32_t core, n;
	struct text text, brief;
	struct text plain;	 /* only the numbers, a comma after each */
	size_t *end, *brief_end; /* of each row in `text`, `brief` */
};

struct threads_room {
	bool has_begun; /* the client knows why the machine stands */
	struct reported_pc
		*reported; /* rip and rsp of threads that gdb hasn't resumed since: half of its places are free */
	size_t n_reported, cap_reported;
	uint64_t reported_run; /* how often all threads were resumed */
	bool brief;	       /* gdb hasn't asked for the threads since it ran the machine, see threads_xml */
	uint64_t *aliases;
	size_t n_aliases, cap_aliases;
	struct point *points;
	size_t n_points, cap_points;
	struct watched *watched;
	size_t n_watched, cap_watched;
	struct register_snapshot **snapshots; /* registers of warps as they were */
	size_t n_snapshots, cap_snapshots;
	size_t many_snapshots;		/* so many: some may be needed no more */
	uint32_t expose_blocks;		/* blocks around the focus shown as threads */
	uint64_t arrived[STUB_ARRIVED]; /* uids of the first lanes of warps, a ring */
	unsigned n_arrived;
	struct thread_heads heads[STUB_HEADS];
	struct thread_view view;
	bool has_read_data;	    /* gdb has read registers or memory, other than code, since the last stop */
	bool has_read_caller;	    /* gdb has read the saved pc of its thread's innermost frame, with the 64 bytes around it and nothing else */
	uint64_t code_read;	    /* the address of the code that gdb has read since the last stop; 0: none */
	struct debug_thread listed; /* the focus when gdb's user last saw a stop: it decides which threads gdb knows */
	bool sees_machine;	    /* views and memory are as the machine is, not as gdb believes: see view_machine */
};

/* Frees all register snapshots and their array as the stub ends. s->threads keeps the freed pointers: no snapshot may be used afterwards. */
void snapshots_free(struct stub *s);

/* Removes gdb's breakpoint or watchpoint with index `i`, and the debugger's breakpoints that were made for it. Those with higher indices move down by
 * one. */
void points_drop(struct stub *s, size_t i);
/* Notes that gdb inserts a breakpoint (`is_new`: gdb had not inserted it), and marks it as one thread's if the step of that thread may continue to it.
 * A marked breakpoint that is inserted after gdb has shown a stop is for all threads again (step_points.c). */
void step_point_inserted(struct stub *s, struct point *p, bool is_new);

/* Stores the frame offsets of the other registers that hold source variables of function f which register `at`, a frame offset, also holds: at
 * most `max`, each once. Returns how many are stored (moving.c). */
size_t moving_others(struct stub *s, const struct isa_function *f, uint32_t at, uint32_t *out, size_t max);
/* Returns whether one of the variables that have `at` as a place in the frame of function f has a place at instruction `pc`. Counts only variables
 * with several places. */
bool moving_has_place(struct stub *s, const struct isa_function *f, uint32_t at, uint32_t pc);

/* Frees the cached view. */
void view_free(struct stub *s);

/* Notes that gdb inserts a watchpoint on writes or accesses. If the watchpoint is new, reads its value as the one that gdb knows. Does nothing for
 * other points. */
void watched_insert(struct stub *s, const struct point *p);
/* Notes that gdb removes a watchpoint, which watched_go_on forgets unless it is inserted again. */
void watched_remove(struct stub *s, const struct point *p);
/* Forgets all watchpoints. */
void watched_clear(struct stub *s);
/* Notes that a write at an address is reported: gdb reads the values of the watchpoints there next, as watched_read notes. */
void watched_told(struct stub *s, uint64_t address);

#endif

/* What gdb believes of lanes, and what the files of this folder ask of each other. Only they include this. */
#ifndef GDBSTUB_LANES_ROOM_H
#define GDBSTUB_LANES_ROOM_H

#include "gdbstub/lanes/lanes.h"
#include "gdbstub/lanes/timeline.h"

/* A stop that could not be reported to gdb when it came: of a thread that is stepped alone gdb wants to hear and of no other. */
struct queued_stop {
	struct debug_stop stop;
	uint64_t focus; /* uid, 0: none */
	struct machine_point
		point; /* gdb's watchpoint, which gets another number when gdb takes it out and puts it in again; type 0: none */
	bool is_undone; /* no access: a way back has changed what is there */
};

/* Where gdb sees the lanes of a thread's warp: what that had executed there. */
struct seen_warp {
	uint64_t uid, first; /* the thread's; of its warp's lane 0 */
	unsigned n;	     /* lanes */
	uint64_t executed[LANES];
};

struct lanes {
	const struct lanes_machine *m;
	const struct lanes_client *c;
	void *self; /* theirs */
	struct timelines t;
	enum break_mode mode;
	/* what was reported, and who looks */
	uint64_t stop_tid;	 /* of the last stop */
	uint64_t reported_hit;	 /* the hit that it reported, 0: none */
	char reported_watch[64]; /* what it said of a watchpoint, "" if of none, or gdb's user has seen it */
	bool seen;		 /* gdb has shown it to its user */
	uint64_t favourite;	 /* tid the user cares about: hits are reported on it if it is among them */
	uint64_t chosen;	 /* tid the user has selected since the last stop, 0: none */
	struct {		 /* threads gdb has asked for, one after the other */
		uint64_t last, chosen_before;
		uint64_t been[8]; /* those that its user may have been on since the last stop; as a ring */
		uint64_t back_on; /* the one of them to which he has gone back from others; 0: none */
		unsigned n, n_been;
	} asked;
	struct { /* a place that isn't the lane's first one, but is looked at */
		uint64_t uid;
		const struct place *place;
	} peek;
	bool went_back;		    /* the last resume was one backwards */
	bool all_go_back;	    /* the last one backwards, but for steps over breakpoints, let everybody run */
	struct seen_warp back_from; /* the user's, when he went back */
	bool stops_next;	    /* a 0x03 came while the machine stood */
	unsigned n_reported;	    /* stops reported for the resume that is under way */
	bool elsewhere;		    /* the machine's stop was reported of a thread that gdb sees somewhere else */
	/* what is still to come */
	struct queued_stop *queued; /* stops of others while gdb stepped one thread by itself, the first one first */
	size_t n_queued, cap_queued;
	uint64_t deferred;  /* uid of a thread whose first place is ahead: its step is still to be made; 0: none */
	uint64_t pretended; /* uid of a thread that was stepped alone and stays where it is (pretend_moved), 0: none */
	uint64_t stepped;   /* tid of the one that gdb steps while others may run, till its user sees a stop; 0: none */
	bool has_said;	    /* the console says that warps have gone on, since the user has seen a stop */
	uint64_t users;	    /* tid of the thread that the user's last command was for */
	uint64_t stepping;  /* tid of the thread that the user's command steps, until the next one; 0: it steps none */
	bool reported_load; /* the last stop was reported for newly loaded code */
	bool moved;	    /* somebody else ran the machine: to be reported first */
	bool moved_reported; /* it was, but for a step of one thread alone gdb may not have shown it */
	struct text moved_text;
};

/* ---- asking (lanes.c) ---- */
bool lanes_find(const struct lanes *l, uint64_t tid, struct machine_lane *out); /* false: no such thread, or the host */
void lanes_tell(struct lanes *l, unsigned signal, uint64_t tid, const char *why);
/* Where it stands in the machine; uid 0: nowhere. */
struct machine_lane lanes_standing(const struct lanes *l, uint64_t uid);
/* A place that the machine has left: not one it still stands at. */
bool lanes_left(const struct lanes *l, uint64_t uid, const struct place *p);
/* The first one, if gdb sees the lane there and not where the machine has it; else NULL. */
struct place *lanes_place(const struct lanes *l, uint64_t uid);
void lanes_step_done(struct lanes *l, uint64_t uid); /* it has left its first place */
/* Is a breakpoint's condition true for the lane, at one of its places? It may be another one than when the warp was there. */
bool lanes_hold_at(struct lanes *l, uint64_t uid, const struct place *p);

/* ---- places that the machine leaves (left.c) ---- */
/* Before a thread moves by itself: places for the other lanes of its warp, and for those of other warps that gdb has looked at; and snapshots of
 * the registers at these and at hits. */
void left_before(struct lanes *l, uint64_t uid);
void left_after(struct lanes *l); /* those that have not been left after all go */
void left_drop(struct lanes *l);  /* gdb sees lanes where the machine has them, or at hits */
void left_snapshot_hits(struct lanes *l);

/* ---- places that were hit (hits.c) ---- */
/* A thread's warp stands at a breakpoint: it is reported that this thread has hit it, now or later. */
void hits_add_reported(struct lanes *l, const struct machine_lane *at);
void hits_add_later(struct lanes *l, const struct machine_lane *at);
void hits_clear(struct lanes *l);
/* Drops hits of breakpoints that gdb has deleted. */
void hits_drop_deleted(struct lanes *l);
/* Drops all hits, except those at breakpoints whose other threads' hits are kept. */
void hits_clear_for_run(struct lanes *l);
void hits_clear_left(struct lanes *l); /* those that warps have left */
void hits_go_on(struct lanes *l);      /* gdb goes on from the last stop */
/* Reports the next one to whom it concerns; false: there is none. */
bool hits_report(struct lanes *l);
/* The lane's first place, if it is a hit that gdb must hear of before the lane goes on from it. `comes`: to gdb it comes there only now. */
bool hits_report_own(struct lanes *l, uint64_t uid, bool comes);
bool hits_concerns(struct lanes *l, uint64_t uid); /* would it be, if the lane came there now? */
/* It is, and gdb itself finds a breakpoint where it sees a lane, and looks at the condition. */
void hits_found(struct lanes *l, uint64_t uid);
void hits_step_off(struct lanes *l, uint64_t uid); /* gdb steps the lane off its first place, a hit */
/* A thread moves by itself: what others of its warp hit meanwhile it has not, nor, where it stands, what gdb has taken out. */
void hits_leave(struct lanes *l, uint64_t uid);

/* ---- stops (stop.c) ---- */
void stop_report(struct lanes *l, const struct debug_stop *stop,
		 uint64_t stepped); /* `stepped`: tid that was to step, 0: none */
/* A thread that is reported without a step, or with a watchpoint, stands where its warp does, which may not have begun to run. If gdb has a
 * breakpoint there it reports that itself: not twice. True: there is one. */
bool stop_stands(struct lanes *l, uint64_t tid);
bool stop_point(const struct lanes *l, const struct debug_stop *stop,
		struct machine_point *out); /* gdb's own that was hit */

/* ---- backwards (back.c) ---- */
/* The thread with which the user goes back stayed while its warp went on, and so did this lane: to gdb it hasn't been where the warp, on its way back, has
 * executed so much. From where they stayed they go back. */
bool back_is_ahead(const struct lanes *l, uint64_t uid, uint64_t executed);

/* ---- stops to be reported later (queue.c) ---- */
void queue_stop(struct lanes *l, struct debug_stop *stop); /* takes its text */
void queue_undone(struct lanes *l, uint32_t number);	   /* of a watchpoint: a way back has changed what is there */
/* One instruction may change what several watchpoints watch; they are reported one by one. Those after the first. */
void queue_others_watched(struct lanes *l, const struct debug_stop *stop);
bool queue_report(struct lanes *l); /* the first one; false: there is none */
/* Of the first one that was for what this lane has written: it goes on by itself, from where the machine has it. */
bool queue_report_own(struct lanes *l, uint64_t uid);
/* What gdb reads when a watched write is reported is what the last one wrote: it would find nothing new at the others. */
void queue_drop_read(struct lanes *l, const struct machine_point *p);
void queue_clear(struct lanes *l);

/* ---- what is reported instead of running (first.c): true if something was ---- */
bool first_report(struct lanes *l, const struct resume *r, uint64_t uid);
/* gdb's user hasn't seen where the machine is: somebody else has run it. */
bool first_report_moved(struct lanes *l, const struct resume *r);

/* ---- running (running.c). `uid`: of the thread that steps; false: nothing can run, `why` says why. ---- */
bool run_has_moved(struct lanes *l, uint64_t uid, const struct machine_lane *before);
/* Runs a step, and on until the thread is where it has come to; or everybody, until somebody stops. */
bool run_there(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* A thread that is stepped alone moves, whatever others hit meanwhile: that is reported later. */
bool run_alone(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Until something happens to the thread, or to all. */
bool run_locked(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Has the thread come to a breakpoint without being there, as it waits for the other side of a branch, or in a barrier, after which it
 * is shown? gdb would take that for a hit. (A thread that is at an earlier hit for gdb has been there.) */
bool run_waits_at_point(struct lanes *l, uint64_t uid);

/* ---- resume.c ---- */
/* Notes at the beginning of a resume which thread the user's command is for, and whether gdb steps it. */
void resume_begin(struct lanes *l, const struct resume *r);
void resume_choose_focus(struct lanes *l, const struct resume *r);

#endif

/* What gdb believes of lanes, and what the files of this folder ask of each other. Only they include this. */
#ifndef GDBSTUB_LANES_ROOM_H
#define GDBSTUB_LANES_ROOM_H

#include "gdbstub/lanes/lanes.h"
#include "gdbstub/lanes/timeline.h"

/* A stop of another thread, which is reported once gdb no longer steps one thread alone. */
struct queued_stop {
	struct debug_stop stop;
	uint64_t focus; /* uid of the thread; 0: none */
	struct machine_point
		point;	/* gdb's watchpoint, whose number changes when gdb removes and inserts it; type 0: none */
	bool is_undone; /* no access: a step back has changed the value */
};

/* Where gdb sees the lanes of a thread's warp: the instructions that the warp had executed there. */
struct seen_warp {
	uint64_t uid, first; /* the thread's; of its warp's lane 0 */
	unsigned n;	     /* lanes */
	uint64_t executed[LANES];
};

struct lanes {
	const struct lanes_machine *m;
	const struct lanes_client *c;
	struct stub *self; /* context of both tables */
	struct timelines t;
	enum break_mode mode;
	/* the last stop, and the thread that gdb's user is on */
	uint64_t stop_tid;		   /* of the last stop */
	uint64_t reported_hit;		   /* number of the hit that it reported; 0: none */
	struct lanes_event reported_watch; /* of a watchpoint, until gdb's user has seen it; else of kind EVENT_NONE */
	bool is_shown;			   /* gdb has shown the last stop to its user */
	uint64_t preferred;	/* tid of the thread that a hit is reported for if it is among those that hit */
	uint64_t selected;	/* tid of the thread that the user has selected since the last stop; 0: none */
	uint64_t command_tid;	/* tid of the thread that the user's last command was for */
	uint64_t command_steps; /* the same, if the command steps it; else 0 */
	struct {		/* threads that gdb has checked, one after the other */
		uint64_t last, selected_before;
		uint64_t been[8]; /* ring of those that its user may have been on since the last stop */
		uint64_t back_on; /* the one of them that the user has returned to; 0: none */
		unsigned n, n_been;
	} checked;
	struct { /* a place other than the lane's first one, while a condition is evaluated there */
		uint64_t uid;
		const struct place *place;
	} peek;
	bool was_backwards;	    /* the last resume was backwards */
	bool all_ran_back;	    /* the last one backwards that was no step over a breakpoint resumed all threads */
	struct seen_warp back_from; /* the warp of the user's thread when the user went back */
	bool interrupt_pending;	    /* a 0x03 was received while the machine stood */
	unsigned n_reported;	    /* stops reported for the current resume */
	bool is_elsewhere;	    /* the machine's stop was reported for a thread that gdb sees somewhere else */
	bool reported_load;	    /* the last stop reported newly loaded code */
	bool said_gone_on;	    /* the console says that warps have gone on, since the user has seen a stop */
	/* what is still to be reported or executed */
	struct queued_stop *queued; /* the oldest one first */
	size_t n_queued, cap_queued;
	uint64_t deferred;  /* uid of a thread whose first place is AHEAD, as its step isn't executed yet; 0: none */
	uint64_t pretended; /* uid of a thread whose step was reported although it hasn't moved; 0: none */
	uint64_t
		stepped; /* tid of the thread that gdb steps while others may run, until the user sees a stop; 0: none */
	bool was_moved;	 /* another face has run the machine, which is to be reported first */
	bool is_move_reported; /* it was reported, but gdb may not have shown it */
	struct text moved_text;
};

/* ---- where a lane is (lane_place.c) ---- */
/* Fills *out with the lane of gdb's thread number as the machine has it. Returns false for the host, or if there is no such thread. */
bool lanes_find(const struct lanes *l, uint64_t tid, struct machine_lane *out);
/* Returns the lane as the machine has it. If `uid` is 0 or there is no such lane, returns a zeroed struct whose `executed` is UINT64_MAX. */
struct machine_lane lane_in_machine(const struct lanes *l, uint64_t uid);
/* Returns whether the machine has the lane elsewhere than at a place. A place AHEAD is always left, and so is each place of a thread that is gone. */
bool place_is_left(const struct lanes *l, uint64_t uid, const struct place *p);
/* Returns the lane's first place if the machine has left it: gdb sees the lane there. Returns NULL if the lane has no place or is still there: gdb
 * sees the lane where the machine has it. */
struct place *lane_place(const struct lanes *l, uint64_t uid);
/* Drops the lane's first place, if there is one, and cached views: gdb then sees the lane at its next place, or where the machine has it. */
void lane_drop_place(struct lanes *l, uint64_t uid);
/* Returns whether gdb has a breakpoint at *p whose condition, as it is now, is true for the lane at *p, one of its places. Evaluates the condition as
 * gdb would see the lane there. */
bool place_holds(struct lanes *l, uint64_t uid, const struct place *p);
/* Returns true if gdb has never seen the lane after `executed` instructions of its warp. The last resume must have gone backwards, from where gdb saw
 * both the lane and the user's thread, of the same warp, at fewer instructions. */
bool lane_has_not_been_at(const struct lanes *l, uint64_t uid, uint64_t executed);
/* Stores the first of gdb's breakpoints and watchpoints among those that the stop has hit. Returns false, with *out undefined, if the stop has hit
 * none of gdb's. */
bool stop_own_point(const struct lanes *l, const struct debug_stop *stop, struct machine_point *out);

/* ---- gdb's user (user_thread.c) ---- */
/* Reports a thread's stop to gdb and counts it for the current resume. `kind`: an event that has no address. */
void lanes_report(struct lanes *l, unsigned signal, uint64_t tid, enum lanes_event_kind kind);
/* Reports a thread's stop to gdb, with its event and the address that is watched, and counts it for the current resume. */
void lanes_report_event(struct lanes *l, unsigned signal, uint64_t tid, struct lanes_event event);
/* Notes at the beginning of a resume which thread the user's command is for, and whether gdb steps that thread. Passes the thread of a continue, or 0
 * for a step, to the machine's note_resume. */
void user_note_command(struct lanes *l, const struct resume *r);
/* Sets the debugger's focus to the thread that the resume is for, unless that thread is unknown or has exited. If the user has seen the last stop,
 * first chooses the thread for which hits are reported first (l->preferred). */
void user_choose_focus(struct lanes *l, const struct resume *r);

/* ---- places that the machine leaves (stale_places.c) ---- */
/* Adds places, before thread `uid` moves alone, for its warp's other lanes and for all lanes of warps of which gdb has read a pc. Lanes that have
 * places get none. Takes snapshots of the registers there and at hits. Does nothing if there is no such thread. */
void stale_add(struct lanes *l, uint64_t uid);
/* Drops the places, except hits and AHEAD, at which the machine still has the lane with the same registers. */
void stale_trim(struct lanes *l);
/* Drops all places but hits, and a deferred step without executing it. gdb then sees lanes without hits where the machine has them. */
void stale_drop(struct lanes *l);

/* ---- breakpoints that were hit (hits.c) ---- */
/* Marks the hit where the warp stands as reported for the lane *at, and as the last reported one. If there is none, adds it for all lanes that hit,
 * unless the warp can't run. First drops hits that warps have left and no lane is at. */
void hits_add_reported(struct lanes *l, const struct machine_lane *at);
/* Adds an unreported hit where the warp stands, unless there is one or the warp can't run. Takes a snapshot of the warp's registers if
 * there is a hit. */
void hits_add_later(struct lanes *l, const struct machine_lane *at);
/* Drops all hits with their places, and snapshots that are needed no more. */
void hits_clear(struct lanes *l);
/* Drops hits of breakpoints that gdb has deleted, with their places. */
void hits_drop_deleted(struct lanes *l);
/* Drops hits, with their places, before all threads run. A hit stays if one of its lanes isn't reported now, because its breakpoint may be for one
 * thread. */
void hits_clear_for_run(struct lanes *l);
/* Drops the hits that warps have left, with their places. */
void hits_clear_left(struct lanes *l);
/* Notes that gdb resumes from the last stop. If gdb's user has seen that stop, its hit counts as shown and isn't reported for other lanes. No hit
 * counts as the last reported one afterwards. */
void hits_note_resume(struct lanes *l);
/* Reports the oldest hit that is due, for one of its lanes, and before that drops all places but hits. Drops hits of breakpoints that aren't inserted.
 * Returns false if none is due. */
bool hits_report(struct lanes *l);
/* Reports the lane's first place if it is an unreported hit of an inserted breakpoint whose condition is true. Returns false, reporting nothing, for
 * another place. `comes`: gdb sees the lane arrive there now, so that with BREAK_LANE a reported hit is reported again. */
bool hits_report_own(struct lanes *l, uint64_t uid, bool comes);
/* Returns whether hits_report_own would report the lane's first place as the lane arrives there. */
bool hits_would_report(struct lanes *l, uint64_t uid);
/* Marks the lane's first place as reported if it is a hit whose condition is true: gdb finds its breakpoint there by itself. With BREAK_LANE the
 * condition isn't tested. Does nothing for other places. */
void hits_mark_found(struct lanes *l, uint64_t uid);
/* Drops the lane's first place, which must be a hit, as gdb steps the lane off its breakpoint. Unless the mode is BREAK_LANE, a hit that gdb's user
 * has seen isn't reported for other lanes. */
void hits_step_off(struct lanes *l, uint64_t uid);
/* Drops the lane's unreported hits as it moves alone. With BREAK_LANE drops only one where the lane stands and whose breakpoint gdb has taken out. */
void hits_drop_unreported(struct lanes *l, uint64_t uid);

/* ---- stops to be reported later (queue.c) ---- */
/* Queues a stop of the debugger's focus, and takes over its text and details. Queues a stop for each other watchpoint that *stop has hit. Drops the
 * oldest if 1000 are queued. If the stop is at gdb's breakpoint, adds a hit instead and leaves text and details. */
void queue_stop(struct lanes *l, struct debug_stop *stop);
/* Queues a report, for the debugger's focus, of a watchpoint whose value a step back has changed. `number`: the debugger's number of the watchpoint.
 * Does nothing if that watchpoint isn't gdb's. */
void queue_undone_write(struct lanes *l, uint32_t number);
/* Queues a stop for each of gdb's watchpoints that *stop has hit, except the first, for the lane that hit it. Does nothing if stop->reason isn't
 * DEBUG_STOP_WATCHPOINT. */
void queue_other_watchpoints(struct lanes *l, const struct debug_stop *stop);
/* Drops queued stops at the watchpoint *p if it is one on writes: gdb reads its latest value with the stop that is reported now. Does nothing for
 * other types of points. */
void queue_drop_known(struct lanes *l, const struct machine_point *p);
/* Moves the oldest queued stop that still counts into *out; the caller frees out->stop. With `uid`, takes only a watchpoint's stop of that lane and
 * drops none. With 0, takes any and drops older ones that no longer count. Returns false if there is none. */
bool queue_take(struct lanes *l, uint64_t uid, struct queued_stop *out);
/* Drops and frees all queued stops. */
void queue_clear(struct lanes *l);

/* ---- reporting (stop_report.c) ---- */
/* Reports a stop of the machine to gdb, for the debugger's focus or the thread that has stepped. At a breakpoint that the user's preferred thread hit
 * too, focuses and reports that thread. Queues the stop's other watchpoints. `stepped`: tid of the thread that was to step, 0: none. */
void stop_report(struct lanes *l, const struct debug_stop *stop, uint64_t stepped);
/* Reports the next queued stop of a watchpoint that lane `uid` has hit, and focuses that lane. With `uid` 0 reports the next queued stop of any lane,
 * and drops places and the hits that warps have left. Returns false if there is none. */
bool stop_report_queued(struct lanes *l, uint64_t uid);
/* Marks the breakpoint at which a thread stands as hit and reported: gdb finds that hit by itself. Returns false if there is no breakpoint whose
 * condition is true, the thread isn't next to run, or gdb sees the thread elsewhere. */
bool stop_note_breakpoint(struct lanes *l, uint64_t tid);

/* ---- events that are reported before the machine is resumed (pending_events.c) ---- */
/* Reports the first pending event before a resume; `uid`: of the thread that steps, else 0. Returns false if nothing is pending, so that the machine
 * runs. Unless one thread steps alone, places are dropped then, and hits as hits_clear_for_run says. */
bool pending_report(struct lanes *l, const struct resume *r, uint64_t uid);
/* Reports that another face has run the machine, if gdb's user doesn't know, and drops places and hits. Returns false if there is nothing to report,
 * or if one thread steps alone again after that report. */
bool pending_report_moved(struct lanes *l, const struct resume *r);

/* ---- running (run.c). Each returns false, with the reason in `why`, if nothing can run ---- */
/* Returns whether the thread's warp has executed an instruction since *before. Returns false if the thread has only waited for the other side of a
 * branch. If the thread was in a barrier, returns whether it no longer is. */
bool run_has_moved(struct lanes *l, uint64_t uid, const struct machine_lane *before);
/* Runs a step, and runs again while the thread only waits in front of a breakpoint that gdb would take for hit; other stops end it. Without a
 * step, runs all threads until one stops. Returns false, with the reason in `why`, if nothing can run. */
bool run_there(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Runs until the thread has made its step, and queues what other threads hit. Another stop ends the run early, in *stop. Returns false, with the
 * reason in `why`, if nothing can run. */
bool run_alone(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Runs until something happens to the thread, and queues what other threads hit. Returns false, with the reason in `why`, if nothing can run. Writes
 * that reason, or another thread's stop that ends the run, to gdb's console. */
bool run_locked(struct lanes *l, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Returns whether gdb would take the thread's place for a hit although the thread only waits in front of a breakpoint. */
bool run_waits_at_point(struct lanes *l, uint64_t uid);

#endif

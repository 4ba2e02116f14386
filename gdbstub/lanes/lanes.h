/* How gdb's steps of threads and the warps' are kept together. */
#ifndef GDBSTUB_LANES_H
#define GDBSTUB_LANES_H

#include "gdbstub/internal.h"
#include "gdbstub/threads/threads.h"

/* ---- gdb's continue and step (resume.c) ---- */
struct resume {
	bool has_step;	/* one thread steps */
	uint64_t step;	/* its tid */
	bool has_range; /* until its pc is outside of [from, to) */
	uint64_t from, to;
	bool others;	 /* everybody else runs too */
	bool to_end;	 /* the one thread goes on until something happens to it */
	uint64_t locked; /* tid of the only one that runs, 0: others do, too */
};
enum packet_result resume(struct stub *s, const struct resume *r, struct text *reply);
/* Only the thread `tid` goes on: `continue` with scheduler-locking on. */
enum packet_result resume_locked(struct stub *s, uint64_t tid, struct text *reply);
/* Makes the deferred step, if there is one. */
void resume_deferred(struct stub *s);
/* The debugger's focus is where the user of gdb is. */
void resume_choose_focus(struct stub *s, const struct resume *r);

/* ---- what is reported without running (report_first.c). True: `reply` is there, and the machine must not run. ---- */
/* Of a thread that steps alone, over a breakpoint, gdb wants to hear and of no other: everything else waits. `uid`: of that thread. */
bool report_first(struct stub *s, const struct resume *r, uint64_t uid, struct text *reply);
/* gdb's user hasn't seen where the machine is: somebody else has run it. `alone`: one thread steps and no other. */
bool report_moved(struct stub *s, const struct resume *r, bool alone, struct text *reply);

/* ---- running (running.c). `uid`: of the thread that steps; false: nothing can run, `why` says why. ---- */
/* Where a thread is, and whether its warp can move without it: it is the other side's turn at a branch. */
struct standing {
	uint64_t executed; /* by the warp */
	uint64_t frame;
	uint32_t pc;
	bool waits;
	bool in_barrier; /* gdb is shown what comes after */
};
struct standing run_standing(struct stub *s, uint64_t uid);
bool run_has_moved(struct stub *s, uint64_t uid, const struct standing *before);
/* Runs a step, and on until the thread is where it has come to; or everybody, until somebody stops. */
bool run_there(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* A thread that is stepped alone moves, whatever others hit meanwhile: that is reported later. */
bool run_alone(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Until something happens to the thread, or to all. */
bool run_locked(struct stub *s, const struct resume *r, uint64_t uid, struct debug_stop *stop, struct text *why);
/* Has the thread come to a breakpoint without being there, as it waits for the other side of a branch, or in a barrier, after which it
 * is shown? gdb would take that for a hit. (A thread that is at an earlier hit for gdb has been there.) */
bool run_waits_at_point(struct stub *s, uint64_t uid);

/* ---- stop replies (stops.c) ---- */
/* `stepped`: tid that was to step, 0: none. */
void stop_reply(struct stub *s, const struct debug_stop *stop, uint64_t stepped, struct text *reply);
void stop_reply_thread(struct stub *s, unsigned signal, uint64_t tid, const char *why, struct text *reply);
/* A thread that is reported without a step, or with a watchpoint, stands where its warp does, which may not have begun to run. If gdb has a
 * breakpoint there it reports that itself: not twice. */
bool stop_stands(struct stub *s, uint64_t tid); /* is there such a breakpoint? */

/* ---- breakpoints that were hit (hits.c) ---- */
void hits_clear(struct stub *s);
void hits_clear_left(struct stub *s); /* those that warps have left */
void hits_free(struct stub *s);
/* A thread's warp stands at a breakpoint: it is reported that this thread has hit it, now or later. */
void hits_add_reported(struct stub *s, const struct debug_where *w);
void hits_add_later(struct stub *s, const struct debug_where *w);
/* gdb goes on. If its user has seen the hit that the last stop reported, it is not reported for the warp's other lanes (but with `monitor break
 * lane`). */
void hits_go_on_from_reported(struct stub *s);
/* Others are to run than one thread alone. Reports the next hit instead. False: there is none. */
bool hits_report(struct stub *s, struct text *reply);
/* The hit that a thread is at for gdb, and its warp isn't any more; NULL: none. */
const struct hit *hits_left(struct stub *s, const struct debug_where *w);
/* Is a thread's warp still where it has hit? */
bool hits_stand(const struct hit *h, const struct debug_where *w);
/* Where gdb is to see a thread then. */
void hits_place(const struct hit *h, const struct debug_where *w, uint64_t *pc, uint64_t *sp);
/* The machine is going to run while lanes are at hits for gdb. */
void hits_snapshot(struct stub *s);
/* A lane that is accounted for when another one of its warp moves. */
bool hits_moves_along(struct stub *s, const struct debug_where *w);
/* A thread moves by itself: what others of its warp hit meanwhile it has not, nor, where it stands, what gdb has taken out. */
void hits_leave(struct stub *s, const struct debug_where *w);
/* It steps one whose view is stale. True: to a hit that its warp has left already. */
bool hits_reach(struct stub *s, const struct debug_where *w);
/* It steps a thread from a breakpoint that it has left in: it doesn't know that this thread has hit it, and hears of it instead of a
 * step, as of a thread on a processor that executes the breakpoint. To step off a hit it knows of it takes the breakpoint out. */
bool hits_report_own(struct stub *s, const struct debug_where *w, struct text *reply);
/* It lets a thread go on by itself, from where gdb sees it. True: to a hit of its own, which has been reported. */
bool hits_go_on(struct stub *s, const struct debug_where *w, bool is_stale, struct text *reply);
/* gdb steps a thread by itself. True: off a hit that its warp has left already, so nothing has to move. */
bool hits_step(struct stub *s, const struct debug_where *w);

/* ---- stale views of lanes (stale.c) ---- */
const struct stale_view *stale_of(const struct stub *s, uint64_t uid); /* NULL: it isn't stale */
bool stale_has_moved(const struct stub *s, uint64_t uid); /* has the machine taken it further than was reported? */
void stale_add(struct stub *s, const struct stale_view *l);
void stale_drop(struct stub *s, uint64_t uid);
void stale_clear(struct stub *s);
/* Before a thread steps alone: the other lanes of its warp, as gdb sees them, and those of other warps that gdb has looked at. */
void stale_others(struct stub *s, uint64_t uid);
/* After that: those that it didn't move. */
void stale_drop_unmoved(struct stub *s);
/* Views that were stale before a step, to go back to if that doesn't happen after all; the caller frees `v`. */
struct stale_before {
	struct stale_view *v;
	size_t n;
};
struct stale_before stale_save(const struct stub *s);
void stale_restore(struct stub *s, const struct stale_before *b);

/* ---- register snapshots of warps (snapshot.c) ---- */
struct register_snapshot;
/* Of the registers of a thread's warp as they are now, before it goes on. */
const struct register_snapshot *snapshot_take(struct stub *s, const struct debug_where *w);
/* Those of a thread's warp when it had executed so many instructions. NULL: there are none, or it still stands there. */
const struct register_snapshot *snapshot_find(const struct stub *s, const struct debug_where *w, uint64_t executed);
/* A lane's activations, innermost first; 0: it had exited. */
size_t snapshot_activations(const struct register_snapshot *k, unsigned lane, const struct debug_activation **out);
uint32_t snapshot_lanes_with(const struct register_snapshot *k, unsigned lane); /* lanes that have the same ones */
/* An activation's registers, for debug_frame_register; NULL: there were too many. */
const void *snapshot_frame(const struct register_snapshot *k, const struct debug_activation *a);
void snapshots_drop_unused(struct stub *s);
void snapshots_free(struct stub *s);

/* ---- a step over a breakpoint, deferred until gdb's next packet (deferred.c) ---- */
/* Where a step that can be deferred leads to. False: it has to be made. */
bool deferred_step_to(struct stub *s, const struct resume *r, uint64_t uid, struct stale_view *to);
/* It was no step: everybody is to run, from that breakpoint, too. */
void deferred_was_none(struct stub *s);
bool deferred_survives(const char *packet, size_t n); /* a packet that doesn't look at the thread */

/* The point of gdb's own that was hit, NULL: none. */
const struct point *stop_point(const struct stub *s, const struct debug_stop *stop);

/* ---- stops to be reported later (queue.c) ---- */
void queue_stop(struct stub *s, struct debug_stop *stop); /* takes its text */
/* One instruction may change what several watchpoints watch; they are reported one by one. Those after the first. */
void queue_others_watched(struct stub *s, const struct debug_stop *stop);
bool queue_report(struct stub *s, struct text *reply); /* the first one; false: there is none */
void queue_clear(struct stub *s);

#endif

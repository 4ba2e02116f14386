/* What going back in time (src/history) needs of stops and their reports. */
#ifndef DEBUG_STOP_PAST_H
#define DEBUG_STOP_PAST_H

#include "debug/debug.h"
#include "debug/view/focus.h"
#include "gpu/moment.h"

/* Prepares for moving the machine to another moment: notes whether the focused launch has begun, and the kernels of the watchpoints' launches. */
void debug_past_leaving(struct debug *d);
/* Adapts the debugger after the machine was moved to another moment: rebinds names and watchpoints, and forgets which places were reported. Clears
 * the focus if its thread doesn't exist now, or if its launch had begun, hasn't now, and an earlier launch is unfinished. */
void debug_past_moved(struct debug *d);
/* Returns an array of flags, and stores in *n the number of the device's launches, one flag for each. A flag is true if the host made the launch and
 * the launch has finished. The caller frees the array. */
bool *debug_past_launches_over(struct debug *d, uint32_t *n);
/* Adds `Kernel N NAME finished` to the stop for each launch of the host that has finished. Skips launches whose flag in `over`, an array of n flags,
 * is true; launches from number n on have no flag. Adds nothing if a program is attached. */
void debug_past_finished(struct debug *d, const bool *over, uint32_t n, struct debug_stop *stop);
/* Completes a stop whose reason and text are set: fills in cycle, status and thread, and makes a copy of *stop the last stop. Moves the focus to a
 * live thread, and flushes the device's output. */
void debug_past_stop(struct debug *d, struct debug_stop *stop);
/* Fills and completes a stop after a step back. With `by_thread`, a breakpoint or catchpoint in front of the focused warp that hits and wasn't
 * reported is the stop. Else the text is `Stepped to ...`, or `Reached cycle N` without a live thread. */
void debug_past_stepped(struct debug *d, bool by_thread, struct debug_stop *stop);
/* Runs to a cycle, passing breakpoints, watchpoints and findings, and completes `stop`. The run ends earlier at a failure, an interrupt, the end of
 * work, or where debug_past.arrived returns false. */
void debug_run_on_to_cycle(struct debug *d, uint64_t cycle, struct debug_stop *stop);

/* Where `continue` would have stopped: in front of what, and how the stop would be reported. */
struct debug_would_stop {
	struct gpu_moment front;
	struct debug_stop stop; /* its text, hits and lanes; owned by the code that reports it */
	bool has_focus;
	struct debug_thread focus;
	uint32_t by_host; /* 1 + the finding of what the host did, behind which the machine stands; 0: none */
};
/* Runs on and calls `tell` at each place where `continue` might stop at a breakpoint, watchpoint, catchpoint or finding, while `tell` returns true.
 * Counts, prints and deletes nothing; `tell` owns w->stop. Ends also at the end of work, at an uncaught failure, or where debug_past.arrived
 * returns false. Returns false, with `stop` filled, if the user interrupts; else leaves `stop` cleared. */
bool debug_scan_stops(struct debug *d, bool (*tell)(void *self, struct debug_would_stop *w), void *self,
		      struct debug_stop *stop);
/* Selects whether debug_scan_stops also reports checkers' findings at kernels' instructions. If not, a scan marks the findings as reported and passes
 * them. */
void debug_scan_findings(struct debug *d, bool on);
/* Counts a hit of each breakpoint of a scanned stop that still exists. Returns true if at least one hit isn't ignored, or the stop is at a checker's
 * finding. */
bool debug_scanned_counts(struct debug *d, const struct debug_stop *stop);
/* Returns true if a scanned stop has hit a watchpoint that still exists. */
bool debug_scanned_is_watch(struct debug *d, const struct debug_stop *stop);
/* Reports a scanned stop at which the machine stands already: sets the focus, disables `once` breakpoints, removes temporary ones, and completes
 * *stop. Takes over the text and details of w->stop. Doesn't count hits; breakpoints removed since the scan drop out of the stop. */
void debug_scanned_stop(struct debug *d, const struct debug_would_stop *w, struct debug_stop *stop);

/* Instructions of a thread in the order they were executed, for steps back by lines. */
struct debug_trail {
	uint32_t pc, depth; /* depth: of calls */
	bool moved;	    /* the thread was among the lanes that executed it */
	uint64_t executed;  /* by the warp before it */
};
/* Returns the index, among the n instructions of `t` before `here`, of the one that `reverse-next` goes back to. That is where the line before
 * begins, or at a function's beginning the line of its call. Returns n if the trail doesn't show it. `whole`: the thread executed nothing before
 * t[0]. */
size_t debug_line_before(struct debug *d, const struct debug_trail *t, size_t n, const struct debug_trail *here,
			 bool whole);
/* Returns the index of the last instruction of `t` that the thread executed at a call depth below `depth`: the call of that activation. Returns n
 * if there is none. */
size_t debug_call_before(const struct debug_trail *t, size_t n, uint32_t depth);
/* Stores the call depth of the selected frame, 0 if that frame has no caller. Returns false if there is no thread in focus or the thread has no such
 * frame. */
bool debug_selected_depth(struct debug *d, uint32_t *depth);
/* Fills `out` with the instruction in front of which a thread stands; out->executed is 0 if its block isn't on a core yet. Returns false if the thread
 * doesn't exist, has exited or has no frame. */
bool debug_trail_now(struct debug *d, const struct debug_thread *t, struct debug_trail *out);

#endif

/* What going back in time (src/history) asks of those who stop the machine and tell of it. */
#ifndef DEBUG_STOP_PAST_H
#define DEBUG_STOP_PAST_H

#include "debug/debug.h"
#include "debug/view/focus.h"
#include "gpu/moment.h"

/* Notes what the focus and watchpoints are on: the machine is about to be moved to another moment. */
void debug_past_leaving(struct debug *d);
/* Forgets where the machine stood: it has been moved to another moment. Clears a focus on a thread that isn't there. */
void debug_past_moved(struct debug *d);
/* Returns a flag for each of *n launches, in memory that the caller frees: true if it has finished and the host made it. */
bool *debug_past_launches_over(struct debug *d, uint32_t *n);
/* Appends `finished` lines for launches of the host that have finished since debug_past_launches_over, unless there is a program. */
void debug_past_finished(struct debug *d, const bool *over, uint32_t n, struct text *out);
/* Finishes a stop as run_finish does: fills in the rest, and focuses a live thread. */
void debug_past_stop(struct debug *d, struct debug_stop *stop);
/* Fills a stop with `Stepped to ...`, or with the breakpoint that the focus' warp stands at if `by_thread`, and finishes it. */
void debug_past_stepped(struct debug *d, bool by_thread, struct debug_stop *stop);
/* Runs to a cycle and stops on the way only at a failure, the end of work, or an interrupt; fills and finishes `stop`. */
void debug_run_on_to_cycle(struct debug *d, uint64_t cycle, struct debug_stop *stop);

/* Where `continue` would have stopped: in front of what, and how the stop would be reported. */
struct debug_would_stop {
	struct gpu_moment front;
	struct debug_stop stop; /* its text, hits and lanes; owned by the code that reports it */
	bool has_focus;
	struct debug_thread focus;
	uint32_t by_host; /* 1 + the finding of what the host did, behind which the machine stands; 0: none */
};
/* Runs as `continue` does and calls `tell` for each stop there would be, while `tell` returns true. Counts, prints and deletes nothing. Ends where
 * the past's `arrived` says so. Returns false if the user interrupts. */
bool debug_scan_stops(struct debug *d, bool (*tell)(void *self, struct debug_would_stop *w), void *self,
		      struct debug_stop *stop);
/* Selects whether scans report checkers' findings, too. */
void debug_scan_findings(struct debug *d, bool on);
/* Counts a hit of each of a scanned stop's breakpoints. Returns whether one of the hits isn't to be ignored, or the stop is a checker's. */
bool debug_scanned_counts(struct debug *d, const struct debug_stop *stop);
/* Makes a stop that a scan has found, as if the run had reached it forwards. */
void debug_scanned_stop(struct debug *d, const struct debug_would_stop *w, struct debug_stop *stop);

/* Instructions of a thread in the order they were executed, for steps back by lines. */
struct debug_trail {
	uint32_t pc, depth; /* depth: of calls */
	bool moved;	    /* the thread was among the lanes that executed it */
	uint64_t executed;  /* by the warp before it */
};
/* Returns the index, of the n instructions in front of `here`, of the one that `reverse-next` goes back to. That is where the line before begins, or
 * at a function's beginning the line that called it. Returns n if these don't tell; `whole`: nothing is before the first. */
size_t debug_line_before(struct debug *d, const struct debug_trail *t, size_t n, const struct debug_trail *here,
			 bool whole);
/* Returns the index of the last instruction in the trail that the thread executed at a depth below `depth`: the call of that frame. Returns n if
 * there is none. */
size_t debug_call_before(const struct debug_trail *t, size_t n, uint32_t depth);
/* Stores the call depth of the selected frame, 0 if it is the kernel's own. Returns false if there is no frame. */
bool debug_selected_depth(struct debug *d, uint32_t *depth);
/* Fills `out` with what a thread executes next. Returns false if it has exited or isn't there. */
bool debug_trail_now(struct debug *d, const struct debug_thread *t, struct debug_trail *out);

#endif

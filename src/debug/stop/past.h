/* What going back in time (src/history) asks of those who stop the machine and tell of it. */
#ifndef DEBUG_STOP_PAST_H
#define DEBUG_STOP_PAST_H

#include "debug/debug.h"
#include "debug/view/focus.h"
#include "gpu/moment.h"

/* The machine is about to be taken somewhere else. */
void debug_past_leaving(struct debug *d);
/* The machine has been taken somewhere else: what was known of where it stands is void. A focus on a thread that isn't there is taken away. */
void debug_past_moved(struct debug *d);
/* Launches that are over, by id, in memory that the caller frees; and those that have ended since, as `finished` lines: for a machine that is
 * taken forward over their ends. */
bool *debug_past_launches_over(struct debug *d, uint32_t *n);
void debug_past_finished(struct debug *d, const bool *over, uint32_t n, struct text *out);
/* Fills in the rest of a stop. stepped: with `Stepped to ...`, or the breakpoint that the focus' warp stands at. */
void debug_past_stop(struct debug *d, struct debug_stop *stop);
void debug_past_stepped(struct debug *d, bool by_thread, struct debug_stop *stop);
/* A run forwards that stops nowhere on its way but at a failure, the end of work, or an interrupt. */
void debug_run_on_to_cycle(struct debug *d, uint64_t cycle, struct debug_stop *stop);

/* Where `continue` would have stopped: in front of what, and how the stop would be reported. */
struct debug_would_stop {
	struct gpu_moment front;
	struct debug_stop stop; /* its text, hits and lanes; whoever reports it takes it over */
	bool has_focus;
	struct debug_thread focus;
	uint32_t by_host; /* 1 + the finding of what the host did, behind which the machine stands; 0: none */
};
/* Runs on, as `continue` does, and tells of each stop there would be, as long as `tell` says true. Nothing is counted, printed or deleted. Ends where the
 * past's `arrived` says so. False: something else ended it, and is in `stop`. */
bool debug_scan_stops(struct debug *d, bool (*tell)(void *self, struct debug_would_stop *w), void *self,
		      struct debug_stop *stop);
/* Selects whether scans report checkers' findings, too. */
void debug_scan_findings(struct debug *d, bool on);
/* Would it count as a hit, or is it one of those to be ignored? Either is counted. */
bool debug_scanned_counts(struct debug *d, const struct debug_stop *stop);
/* The stop that a scan has found is made: as if it had been come to forwards. */
void debug_scanned_stop(struct debug *d, const struct debug_would_stop *w, struct debug_stop *stop);

/* Instructions of a thread in the order they were executed, for steps back by lines. */
struct debug_trail {
	uint32_t pc, depth; /* depth: of calls */
	bool moved;	    /* the thread was among the lanes that executed it */
	uint64_t executed;  /* by the warp before it */
};
/* The last of n instructions in front of `here` that `reverse-next` goes to; n: so few don't say. `whole`: before the first there is
 * nothing. */
size_t debug_line_before(struct debug *d, const struct debug_trail *t, size_t n, const struct debug_trail *here,
			 bool whole);
/* Likewise the call of the frame at `depth`. */
size_t debug_call_before(const struct debug_trail *t, size_t n, uint32_t depth);
/* How deep in calls the selected frame is; 0: it is the kernel's own. */
bool debug_selected_depth(struct debug *d, uint32_t *depth);
/* What the focused thread executes next. False: nothing. */
bool debug_trail_now(struct debug *d, const struct debug_thread *t, struct debug_trail *out);

#endif

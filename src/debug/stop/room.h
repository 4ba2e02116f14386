/* State of this folder in a debugger: breakpoints, what stands on them, and the watcher of memory. Only its own files include this. */
#ifndef DEBUG_STOP_ROOM_H
#define DEBUG_STOP_ROOM_H

#include "debug/setup/launches.h"
#include "debug/stop/stop.h"
#include "gpu/moment.h"

struct stop_room {
	struct breakpoint **bps;
	size_t n_bps, cap_bps;
	uint32_t next_internal;
	uint64_t aliases; /* gpu_aliases_changed at that time */
	struct debug_stood stood[DEBUG_STOOD];
	uint32_t n_stood, next_stood;
	struct debug_stood unreported; /* a warp that came in front of a breakpoint by the instruction that something else has stopped after */
	bool has_unreported;
	bool scans_findings; /* scanning: what checkers find stops, too */
	bool scan_host; /* the last of them was a finding of what the host did */
	enum run_direction direction; /* of the run that is under way */
	bool scan_over; /* the end of what is to be scanned was reached */
	struct gpu_moment front, cycle_front; /* scanning: in front of what happened last; of the cycle that runs */
	struct {	/* the module loaded or unloaded last, until it is compared with the catchpoints */
		uint32_t module; /* 0: nothing */
		bool is_loaded;
	} changed;
	struct {	/* the program's call, or its end, that stops next */
		enum { PROGRAM_RUNS, PROGRAM_CALLS, PROGRAM_ENDS } what;
		struct text call; /* CALLS: name and arguments */
		struct text name;
		uint32_t context;
		uint64_t caller;
		int status; /* ENDS: -1: unknown */
	} program;
	bool hit_passed; /* breakpoint_check_code has counted a hit that was to be ignored, or has printed for it */
	struct exec_watcher watcher; /* of accesses to what watchpoints of memory name */
	struct exec_range *ranges;   /* the watcher's, with room for cap_ranges */
	size_t cap_ranges;
	bool reported_warm, reported_split; /* that caches are; that a load was written in parts */
	bool focus_had_begun; /* the focus' kernel had, where the machine stood before it was taken somewhere else */
	bool done_unreported;		    /* a kernel has finished, and debug_host.kernel_done doesn't know yet */
	struct {
		bool on;
		struct launch_name name; /* without a name: */
		uint32_t launch;
	} until;	   /* stop when it begins */
	bool is_alone; /* the run that is under way is of the focused warp alone (set scheduler-locking) */
	struct {
		bool is_on; /* a command that moves one warp runs: breakpoints of other warps are counted, and don't stop */
		struct debug_thread warp; /* any thread of that warp */
	} step;
	char *last_launch; /* its text; memory was marked after it (gpu_memory_mark) */
};

/* Returns true if a breakpoint can be hit by the run that is under way. */
static inline bool breakpoint_is_on(const struct debug *d, const struct breakpoint *b)
{
	return b->enabled && d->stop->direction != RUN_PASS;
}

#endif

/* The one loop that runs the machine, and what it may run for. Inside src/debug only. */
#ifndef DEBUG_MACHINE_H
#define DEBUG_MACHINE_H

#include "debug/ground/ground.h"
#include "debug/stop/stop.h"
#include "debug/view/focus.h"

/* What a run is for. All fields that are set have to be met absolutely, so a run can be cut anywhere. */
struct machine_goal {
	enum run_direction direction;
	uint64_t cycle;		  /* stop when the machine's cycle is this; UINT64_MAX: no matter */
	bool has_warp;		  /* stop when this warp has executed so many instructions in all, or is done */
	struct debug_thread warp; /* any thread of it */
	uint64_t executed;
	bool stays_waiting;	  /* the warp isn't resumed if it waits: what it waits for has to come */
	/* places: marked instructions at which `reached` is asked; NULL: none */
	const uint32_t *pcs;
	uint32_t n_pcs;
	bool (*reached)(struct debug *d, const struct machine_goal *goal, const struct debug_hit *h);
	uint64_t from;	/* places count once the goal's warp has executed so many instructions */
	uint32_t depth; /* for `reached`, and so are these: */
	uint32_t n_locations;	 /* so many of the places, the first ones, are where the user wants to get; the last is the caller's */
	uint32_t location_depth; /* how deep in calls those count; UINT32_MAX: anywhere */
};

enum machine_end { MACHINE_GOAL, MACHINE_STOPPED };

/* Runs until the goal is reached or anything else stops the machine; the caller has initialised *stop. Returns MACHINE_GOAL, with *stop empty, or
 * MACHINE_STOPPED, with *stop filled except for what stop_finish adds. If a goal with has_warp and without
 * places ends in front of a breakpoint, that is a stop. */
enum machine_end machine_run(struct debug *d, const struct machine_goal *goal, struct debug_stop *stop);

/* Checks the breakpoints and catchpoints in front of which the thread's warp stands after a step, and fills `stop` if one stops. Returns false, with
 * `stop` as it was, if none does, the place was reported already, or the block isn't on a core. Ignored hits are counted, dprintf prints. */
bool machine_landed(struct debug *d, const struct debug_thread *t, struct debug_stop *stop);

/* Lets the next run pass breakpoints in front of which the focused warp stands. Does nothing if there is no focus or the warp hasn't executed an
 * instruction. `by_hand`: the run is of a command about the focused thread, such as step. Without `by_hand`, breakpoints that another stop there kept
 * from being reported still stop the warp. */
void machine_go_on_from_focus(struct debug *d, bool by_hand);

/* Ends what `set scheduler-locking` holds: all warps may run again. */
void machine_release_warps(struct debug *d);

/* Stores how many instructions the thread's warp has executed. Returns false, storing 0, if the thread's block isn't resident. */
bool machine_warp_executed(struct debug *d, const struct debug_thread *t, uint64_t *executed);

/* Returns true if runs have to check launches that begin, for `run-to-launch` or the setting break_on_launch. */
bool launch_stop_wanted(const struct debug *d);
/* Checks a launch that begins for `run-to-launch` and the setting break_on_launch. Returns true if the machine stops there; `stop` is then filled,
 * unless it has hits already. Always returns false during a RUN_PASS. */
bool launch_stop_check(struct debug *d, uint32_t launch, struct debug_stop *stop);

#endif

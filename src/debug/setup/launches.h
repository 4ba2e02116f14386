/* Launches by name, NAME#K: the K-th of all that the name fits, counted since the program, or the session, began. And `simulate`: which of
 * them run in performance mode. */
#ifndef DEBUG_LAUNCHES_H
#define DEBUG_LAUNCHES_H

#include "debug/debug.h"

/* NAME or NAME#K; {0} is none. */
struct launch_name {
	char *name;
	uint64_t k;	   /* 0: all of them */
	signed char *fits; /* of each function: 1 the name does, 0 it doesn't, -1 not known yet */
	uint32_t n_fits;
	uint64_t seen, n_seen; /* how many it fits among the first n_seen launches */
};
/* Reads NAME or NAME#K at *s and moves *s behind it; the caller frees *out with launch_name_free. Returns false, with an error in `why` and nothing
 * changed, if there is none or K isn't a number from 1. */
bool launch_name_scan(const char **s, struct launch_name *out, struct text *why);
/* Frees what a name holds and clears it. */
void launch_name_free(struct launch_name *n);
/* Returns true if a name means launch number `launch` of the device. The launch's kernel fits the name and, with #K, it is the K-th such launch
 * since the count began. Returns false for launches before the count began. */
bool launch_name_means(struct debug *d, struct launch_name *n, uint32_t launch);

/* Starts the count of launches anew, as a program begins: NAME#1 is then the next launch of NAME. */
void debug_launches_begin(struct debug *d);
/* Notes the functions of all launches before a reset lets the device use their numbers again; they still count. */
void debug_launches_forget(struct debug *d);

/* Makes the launches of `all | none | NAME[#K]...` run in performance mode and all others functionally, queued ones too. Returns false, with an error
 * in `why`, for another text, or if the device can't perform. */
bool debug_simulate(struct debug *d, const char *text, struct text *why);
/* Adds `mode`, or the list `performance` of the launches that alone run in that mode. */
void debug_describe_simulated(const struct debug *d, struct report *answer);
/* Returns *with, a copy of the input with the mode that `simulate` selects, if `in` is a launch without a mode and `simulate` was set. Otherwise
 * returns `in`. */
const struct gpu_input *debug_launch_input(struct debug *d, const struct gpu_input *in, struct gpu_input *with);

#endif

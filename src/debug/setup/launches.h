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
/* The word at *s, which moves behind it. False, with the reason: it is none. */
bool launch_name_scan(const char **s, struct launch_name *out, struct text *why);
void launch_name_free(struct launch_name *n);
/* Does it mean this launch? */
bool launch_name_means(struct debug *d, struct launch_name *n, uint32_t launch);

/* Launches so far are nobody's: the next is the first of its name. A program begins. */
void debug_launches_begin(struct debug *d);
/* Launches are about to be forgotten, and their numbers to come again; they still count. */
void debug_launches_forget(struct debug *d);

/* all | none | NAME[#K]... : these run in performance mode, all others functionally; without arguments: says what holds. Those that are
 * queued change their mode, too. */
debug_answer_fn debug_cmd_simulate;
/* A launch that nobody has given a mode gets the one that `simulate` says. *with and *spec have room for what comes back instead of `in`. */
const struct gpu_input *debug_launch_input(struct debug *d, const struct gpu_input *in, struct gpu_input *with,
					   struct gpu_launch_spec *spec);

#endif

/* Timelines of lanes: the place at which gdb sees a lane, those that come after it, and then the machine. */
#ifndef GDBSTUB_LANES_TIMELINE_H
#define GDBSTUB_LANES_TIMELINE_H

#include "base/lanes.h"
#include "gdbstub/lanes/machine.h"

enum place_kind {
	PLACE_LEFT, /* the machine was here; it may have taken the lane further */
	PLACE_HIT,  /* the same, and a breakpoint that is reported to gdb */
	PLACE_AHEAD /* the machine has not been here: a step was reported that is predicted, or pretended */
};
/* Where gdb sees a lane, or will see it. */
struct place {
	enum place_kind kind;
	uint64_t pc, sp;
	uint64_t executed; /* by its warp then */
	uint64_t hit;	   /* HIT: its number */
	bool reported;	   /* HIT: gdb knows that this lane has hit it */
	bool waits;	   /* LEFT: it was the other side's turn at a branch; */
	bool at_launch;	   /* it was in front of its kernel */
	bool is_pretended; /* AHEAD: by a byte of the next place, or of where the machine has it */
};
struct timeline {
	struct place *places; /* gdb sees the lane at the first one; if there is none, where the machine has it */
	size_t n, cap;
};
/* Those of a warp. */
struct warp_timelines {
	uint64_t first; /* uid of lane 0 */
	unsigned n;
	struct timeline lane[LANES];
};

/* A breakpoint that a warp has hit: one stop, for all its lanes that have a place of it. */
struct hit {
	uint64_t number;       /* one of its own, from 1 on */
	uint64_t first;	       /* uid of the warp's lane 0 */
	unsigned n, found;     /* its lanes; the one for which it was found to be hit */
	uint64_t executed, pc; /* of the warp then */
	bool reported;	       /* for some lane */
	bool seen;	       /* gdb's user has been shown it */
	bool is_said;	       /* that the warp has gone on */
};

struct timelines {
	struct warp_timelines **warps; /* by `first`; only those that have places */
	size_t n_warps, cap_warps;
	struct hit *hits; /* the first one first */
	size_t n_hits, cap_hits;
	uint64_t last_hit;
};

/* ---- one lane's ---- */
const struct timeline *timeline_of(const struct timelines *t, uint64_t uid); /* NULL: it has no places */
struct place *timeline_first(const struct timelines *t, uint64_t uid);	     /* NULL: likewise */
void timeline_put_first(struct timelines *t, const struct machine_lane *of, uint64_t uid, const struct place *p);
/* A breakpoint is hit where the lane is: that is where the machine left it, or a new place. */
void timeline_hit(struct timelines *t, const struct machine_lane *of, uint64_t uid, const struct place *p);
void timeline_drop_first(struct timelines *t, uint64_t uid);
/* Its place of a hit; NULL: it has none. */
struct place *timeline_find_hit(const struct timelines *t, uint64_t uid, uint64_t hit);

/* ---- all of them ---- */
typedef bool timeline_unwanted(void *context, uint64_t uid, const struct place *p);
void timelines_drop(struct timelines *t, timeline_unwanted *unwanted, void *context);
void timelines_free(struct timelines *t);

/* ---- hits ---- */
struct hit *timelines_find_hit(const struct timelines *t, uint64_t number);
struct hit *timelines_hit_at(const struct timelines *t, uint64_t first, uint64_t executed); /* of a warp, there */
struct hit *timelines_add_hit(struct timelines *t, const struct machine_lane *of, uint64_t pc);
void timelines_drop_hit(struct timelines *t, struct hit *h); /* with its places */
void timelines_forget_hits(struct timelines *t);	     /* all; a lane that gdb sees at one stays there */
/* The lanes that have a place of it. */
uint32_t timelines_lanes_of(const struct timelines *t, const struct hit *h, bool unreported);

/* What is wrong, in words; NULL: nothing. */
const char *timelines_broken(const struct timelines *t);

#endif

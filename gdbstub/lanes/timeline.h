/* Timelines of lanes: the place at which gdb sees a lane, those that come after it, and then the machine. */
#ifndef GDBSTUB_LANES_TIMELINE_H
#define GDBSTUB_LANES_TIMELINE_H

#include "base/lanes.h"
#include "gdbstub/lanes/machine.h"

enum place_kind {
	PLACE_LEFT, /* the machine was here; it may have taken the lane further */
	PLACE_HIT,  /* the same, and a breakpoint that is reported to gdb */
	PLACE_AHEAD /* the machine has not been here: the step that was reported is predicted, or pretended */
};
/* Where gdb sees a lane, or will see it. */
struct place {
	enum place_kind kind;
	uint64_t pc, sp;
	uint64_t executed; /* by its warp then */
	uint64_t hit;	   /* HIT: its number */
	bool reported;	   /* HIT: gdb knows that this lane has hit it */
	bool was_waiting;  /* LEFT: it was the other side's turn at a branch */
	bool at_launch;	   /* LEFT: it was in front of its kernel */
	bool is_pretended; /* AHEAD: by a byte of the next place, or of where the machine has it */
};
struct timeline {
	struct place *places; /* gdb sees the lane at the first one; if there is none, where the machine has it */
	size_t n, cap;
};
/* The timelines of a warp's lanes. */
struct warp_timelines {
	uint64_t first; /* uid of lane 0 */
	unsigned n;
	struct timeline lane[LANES];
};

/* A breakpoint that a warp has hit: one stop, for all its lanes that have a place of it. */
struct hit {
	uint64_t number;       /* one of its own, from 1 on */
	uint64_t first;	       /* uid of the warp's lane 0 */
	unsigned n;	       /* its lanes */
	unsigned found;	       /* the lane for which the machine has stopped */
	uint64_t executed, pc; /* of the warp then */
	bool reported;	       /* for some lane */
	bool is_shown;	       /* gdb's user has seen it */
	bool is_said;	       /* the console says that the warp has gone on */
};

struct timelines {
	struct warp_timelines **warps; /* by `first`; only those that have places */
	size_t n_warps, cap_warps;
	struct hit *hits; /* the oldest one first */
	size_t n_hits, cap_hits;
	uint64_t last_hit;
};

/* ---- one lane's ---- */
/* Returns a lane's timeline, or NULL if it has no places. Valid until a place is added or removed. */
const struct timeline *timeline_of(const struct timelines *t, uint64_t uid);
/* Returns a lane's first place, or NULL if it has none. Valid until a place is added or removed. */
struct place *timeline_first(const struct timelines *t, uint64_t uid);
/* Inserts a copy of place *p in front of the lane's others. `of`: a lane of the same warp. */
void timeline_put_first(struct timelines *t, const struct machine_lane *of, uint64_t uid, const struct place *p);
/* Appends a copy of *p, a hit, to the lane's places; replaces the last place if the machine has left the lane there, at the same pc and count. Does
 * nothing if the last place is a later one. `of`: a lane of the same warp. */
void timeline_hit(struct timelines *t, const struct machine_lane *of, uint64_t uid, const struct place *p);
/* Removes a lane's first place; does nothing if the lane has none. Pointers to the lane's places become invalid. */
void timeline_drop_first(struct timelines *t, uint64_t uid);
/* Returns a lane's place of a hit, by the hit's number, or NULL if it has none. Valid until a place is added or removed. */
struct place *timeline_find_hit(const struct timelines *t, uint64_t uid, uint64_t hit);

/* ---- all of them ---- */
/* Returns true for a place that is to be removed. */
typedef bool timeline_unwanted(void *context, uint64_t uid, const struct place *p);
/* Removes the places for which `unwanted`, called with `context`, returns true. Hits stay, also those without places. */
void timelines_drop(struct timelines *t, timeline_unwanted *unwanted, void *context);
/* Frees all timelines and hits; *t is then empty and may be used again. */
void timelines_free(struct timelines *t);

/* ---- hits ---- */
/* Returns the hit with a number, or NULL if there is none. Valid until a hit is added or dropped. */
struct hit *timelines_find_hit(const struct timelines *t, uint64_t number);
/* Returns the hit of the warp whose lane 0 has uid `first`, at which the warp had executed `executed` instructions, or NULL. Valid until a hit is
 * added or dropped. */
struct hit *timelines_hit_at(const struct timelines *t, uint64_t first, uint64_t executed);
/* How many hits are kept: their snapshots take memory. */
#define TIMELINES_HITS_MAX 1000u
/* Adds a hit without places where lane `of` is, and returns the hit, valid until one is added or dropped. `pc` is gdb's address of the breakpoint.
 * With TIMELINES_HITS_MAX hits, drops the oldest with its places first. */
struct hit *timelines_add_hit(struct timelines *t, const struct machine_lane *of, uint64_t pc);
/* Removes a hit with its places. Pointers to hits become invalid. */
void timelines_drop_hit(struct timelines *t, struct hit *h);
/* Removes all hits with their places. A lane that gdb sees at a hit keeps that place as PLACE_LEFT. */
void timelines_forget_hits(struct timelines *t);
/* Returns a mask of the lanes that have a place of a hit. With `unreported`, only of lanes for which the hit isn't reported yet. */
uint32_t timelines_lanes_of(const struct timelines *t, const struct hit *h, bool unreported);

/* Checks the invariants of the timelines and hits. Returns the text of one that is violated, or NULL if all hold. */
const char *timelines_broken(const struct timelines *t);

#endif

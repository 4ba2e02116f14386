/* The race checker's hooks: from effects to accesses and ordering. */
#ifndef CHECK_RACE_WATCH_H
#define CHECK_RACE_WATCH_H

#include "check/race_host.h"

struct race_report {
	const struct exec *x;
	const struct race_access *access;
	const struct race_found *found;
	uint32_t lanes; /* found for them with accesses of the same instruction; that of `found` is the lowest */
	bool both_write, same_value; /* plain writes, and their values are equal */
};

/* A thread's access and an earlier one of the host's. */
struct race_host_report {
	const struct exec *x;
	const struct race_access *access;
	unsigned lane; /* the lowest of `lanes` */
	uint32_t lanes;
	const struct race_host_access *host;
};

struct race_watch {
	struct race race;
	struct race_host host;
	struct gpu *g;
	const struct isa_program *program;
	bool opened; /* by the barrier instruction that is being executed */
	/* Report functions. They return true if the machine must stop in front of the access. */
	bool (*report)(void *self, const struct race_report *r);
	bool (*report_host)(void *self, const struct race_host_report *r);
	void *self;
};

#define RACE_LOOKS \
	(EXEC_LOOK(ACCESS) | EXEC_LOOK(BARRIER) | EXEC_LOOK(OPEN) | EXEC_LOOK(FLOW) | EXEC_LOOK(SYNC) | \
	 EXEC_LOOK(FENCE))

/* Adds the sections of the race checker. The caller sets the report functions, host.found and both `self`. Returns false if there is no address
 * space. */
bool race_watch_init(struct race_watch *w, struct gpu *g);
/* Forgets all accesses of threads and of the host. */
void race_watch_forget(struct race_watch *w);

/* ---- race_lanes.c ---- */
/* Returns the lanes of a store whose value differs from that of the first lane with the same address, first[l]. */
uint32_t race_lanes_differ(const struct exec *x, const struct exec_access *e, const struct race_access *a,
			   unsigned first[LANES]);
/* Returns a pointer to one element of the value that a lane stores. Returns NULL if the value isn't known. */
const char *race_stored(const struct exec *x, const struct isa_insn *i, unsigned lane, uint32_t element);

/* Judges the accesses of an effect that is about to happen, and reports races. `self` is a struct race_watch. Returns true if the machine must stop.
 * */
bool race_before(void *self, const struct exec *x, const struct exec_effect *e);
/* Records the latest launch of the device, which a lane has made. */
void race_watch_launched(struct race_watch *w, const struct exec *x, unsigned lane);
/* Records that lanes have waited for the launches of their block. */
void race_watch_waited(struct race_watch *w, const struct exec *x);
/* Records what an effect that has happened orders: barriers, fences, synchronisation, strong accesses. `self` is a struct race_watch. */
void race_after(void *self, const struct exec *x, const struct exec_effect *e);

#endif

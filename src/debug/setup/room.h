/* State of this folder in a debugger: launches by name, declared structures. Only its own files include this. */
#ifndef DEBUG_SETUP_ROOM_H
#define DEBUG_SETUP_ROOM_H

#include "debug/ground/ground.h"
#include "debug/setup/buffer.h"
#include "debug/setup/launches.h"

/* Launches since the count began, also those that a reset has made the device forget. */
struct launch_log {
	uint32_t *function; /* of each, in the order they came */
	size_t n, cap;
	size_t first;	  /* the device's launches begin here, */
	uint32_t skipped; /* those of its numbers that don't count left out */
};

enum simulate { SIMULATE_DEVICE /* not set: the device's mode */, SIMULATE_ALL, SIMULATE_NONE, SIMULATE_NAMED };

struct setup_room {
	struct launch_log launched;
	enum simulate simulate;
	struct launch_name *simulated;
	size_t n_simulated;
	struct text structs; /* what `struct` has declared, as typed: strings one after the other */
};

struct record_reader;
/* Appends the log of launches to a checkpoint's record. */
void launches_record(struct debug *d, struct text *out);
/* Replaces the log of launches by that of a checkpoint's record, and counts the names of `simulate` anew. */
void launches_take(struct debug *d, struct record_reader *r);
/* Frees the log of launches and the names of `simulate`. */
void launches_free(struct debug *d);

#endif

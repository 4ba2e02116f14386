/* What the room keeps for a debugger: buffers, launches by name. Only its own files include this. */
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

/* One change to the list of buffers. A change leads to one state of the list and follows from the one before: the states are a tree, since a user may
 * go back in time and change something there. */
struct buffer_change;

struct setup_room {
	struct debug_buffer *buffers;
	size_t n_buffers, cap_buffers;
	struct buffer_change *state;	/* the change that made the list what it is; NULL: the list as it was when changes began to be kept */
	struct buffer_change *newest;	/* of all that are kept, in the order in which they were made */
	bool keeps_changes;
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
/* Inserts a buffer in the list, which then owns its name, and keeps the change for going back in time. */
void buffers_insert(struct debug *d, size_t at, const struct debug_buffer *b);
/* Removes a buffer from the list, and keeps the change for going back in time. */
void buffers_remove(struct debug *d, size_t at);
/* Removes all buffers from the list, and keeps the changes for going back in time. */
void setup_forget_buffers(struct debug *d);
/* Frees the log of launches and the names of `simulate`. */
void launches_free(struct debug *d);

#endif

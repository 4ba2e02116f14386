/* What the room keeps for a debugger: the access in front of the focused warp, what is traced, and what looks at the model. Only its own files include this. */
#ifndef DEBUG_PERF_ROOM_H
#define DEBUG_PERF_ROOM_H

#include "debug/internal.h"
#include "debug/perf/access.h"

struct perf_room {
	bool has_access;
	struct debug_access access; /* the one the focused warp stood in front of when the machine last began to run */
	struct {		    /* PTX_SIM_DEBUG: what is printed, of whom (0: all), and the counts in its lines */
		int level;
		uint64_t uid, n;
		uint32_t *executed; /* by uid */
		size_t cap;
		void (*write)(void *self, const char *s, size_t n); /* a log besides; NULL: none */
		void *write_self;
		uint64_t write_uid;
	} trace;
	struct observer *observer; /* performance mode (dump_internal.h) */
};

#endif

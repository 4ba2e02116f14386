/* What the room keeps for a debugger: where x and list go on. Only its own files include this. */
#ifndef DEBUG_SHOW_ROOM_H
#define DEBUG_SHOW_ROOM_H

#include "debug/expr/format.h"
#include "debug/internal.h"

struct show_room {
	/* x: where it goes on, with what */
	uint64_t x_next;
	struct format_spec x_spec;
};

#endif

/* What the room keeps for a debugger: where x and list go on. Only its own files include this. */
#ifndef DEBUG_SHOW_ROOM_H
#define DEBUG_SHOW_ROOM_H

#include "debug/expr/format.h"
#include "debug/show/show.h"

struct show_room {
	/* x: where it goes on, with what */
	uint64_t x_next;
	struct format_spec x_spec;
	struct expr_value x_last; /* $__ */
	bool x_valid;
	/* list: lines shown last */
	uint32_t list_file, list_first, list_last;
	bool list_counts;    /* with `list /s` */
	uint32_t shown_file; /* last listed or stopped in */
	bool has_shown_file;
};

#endif

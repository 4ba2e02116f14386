/* What the room keeps for a debugger: buffers. Only its own files include this. */
#ifndef DEBUG_SETUP_ROOM_H
#define DEBUG_SETUP_ROOM_H

#include "debug/internal.h"
#include "debug/setup/buffer.h"

struct setup_room {
	struct debug_buffer *buffers;
	size_t n_buffers, cap_buffers;
};

#endif

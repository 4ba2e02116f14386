/* State of this folder in the stub: of the packet that is taken apart, the last answer, and what gdb reads in pieces. Only its own files include this. */
#ifndef GDBSTUB_PROTOCOL_ROOM_H
#define GDBSTUB_PROTOCOL_ROOM_H

#include "gdbstub/protocol/protocol.h"

#define PROTOCOL_FILES 8

struct image;
struct protocol_room {
	struct rsp_decoder decoder;
	struct args args;
	struct text last;    /* the last packet, for a NAK */
	bool no_ack;
	uint64_t back_thread; /* named by the last Hc, 0: none. (tid_c is that until a stop) */
	bool first_unanswered; /* qSupported was the last thing that came */
	bool hinted;	       /* that `monitor` has moved a thread behind gdb's back: once is enough */
	struct text target_xml, threads_xml, libraries_xml;
	const struct image *files[PROTOCOL_FILES]; /* that gdb has open */
};

#endif

/* Packets: what a handler wants done, and the handlers, one for each row of packets.def. */
#ifndef GDBSTUB_WIRE_PACKET_H
#define GDBSTUB_WIRE_PACKET_H

#include "gdbstub/internal.h"
#include "gdbstub/wire/args.h"
#include "gdbstub/wire/rsp.h"

/* Handlers fill `reply` and return what is to be done with it. Only the dispatcher sends. */
enum packet_result {
	PACKET_REPLY,	    /* what is in `reply`; if that is nothing: not supported */
	PACKET_OK,	    /* OK */
	PACKET_BAD,	    /* E01: arguments that make no sense */
	PACKET_NO_THREAD,   /* E03 */
	PACKET_NO_MEMORY,   /* E14: EFAULT */
	PACKET_NOT_ALLOWED, /* E16 */
	PACKET_SILENT,	    /* no reply at all */
	PACKET_LEAVE	    /* reply, then the client goes */
};
typedef enum packet_result packet_fn(struct stub *s, const struct args *a, struct text *reply);

#define PACKET(name, schema, fn, rules, help) packet_fn fn;
#include "gdbstub/wire/packets.def"

#endif

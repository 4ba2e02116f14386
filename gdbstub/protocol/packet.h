/* Packets: what a handler says is to be done, and the handlers, one for each row of packets.def. */
#ifndef GDBSTUB_PACKET_H
#define GDBSTUB_PACKET_H

#include "gdbstub/internal.h"
#include "gdbstub/protocol/args.h"
#include "gdbstub/protocol/rsp.h"

void protocol_room_create(struct stub *s);
void protocol_room_free(struct stub *s);
void protocol_begin(struct stub *s); /* a client */

/* ---- packets (dispatch.c): handlers fill `reply` and say what is to be done with it; only the dispatcher sends ---- */
enum packet_result {
	PACKET_REPLY,	    /* what is in `reply`, maybe nothing: not supported */
	PACKET_OK,	    /* OK */
	PACKET_BAD,	    /* E01: arguments that make no sense */
	PACKET_NO_THREAD,   /* E03 */
	PACKET_NO_MEMORY,   /* E14: EFAULT */
	PACKET_NOT_ALLOWED, /* E16 */
	PACKET_SILENT,	    /* no reply at all */
	PACKET_LEAVE	    /* reply, then the client goes */
};
typedef enum packet_result packet_fn(struct stub *s, const struct args *a, struct text *reply);

/* A byte from the peer. */
void dispatch_byte(struct stub *s, unsigned char byte);
/* Text for gdb's console; and sends it now: only while the machine runs, or before a reply to monitor. */
void dispatch_say(struct stub *s, const char *text, size_t n);
void dispatch_console(struct stub *s);
/* The reply to the packet that lets the machine run. */
struct text *dispatch_reply(const struct stub *s);
/* By what it said in qSupported: is the client gdb? Has it asked for "swbreak" as a reason? */
bool protocol_with_gdb(const struct stub *s);
bool protocol_with_swbreak(const struct stub *s);

/* The packets that are understood, a line each. */
void dispatch_list(struct text *out);

#define PACKET(name, schema, fn, rules, help) packet_fn fn;
#include "gdbstub/protocol/packets.def"

void vfile_forget(struct stub *s); /* the files that gdb has open are none any more */

/* ---- monitor (monitor.c) ---- */
void monitor_command(struct stub *s, const char *line, struct text *out);

#endif

/* Packets from bytes, replies to bytes, and the packets that are about no lane. */
#ifndef GDBSTUB_PROTOCOL_H
#define GDBSTUB_PROTOCOL_H

#include "gdbstub/wire/packet.h"

/* Creates this folder's state in s->protocol. */
void protocol_room_create(struct stub *s);
/* Frees this folder's state. */
void protocol_room_free(struct stub *s);
/* Resets the decoder, and forgets what the last client has asked for and was to be sent. */
void protocol_begin(struct stub *s);

/* Takes a byte from the client. When a packet is complete, acknowledges it, calls its handler and sends the reply. Sends the last packet again after
 * a `-`, and notes a 0x03 for the next resume. */
void dispatch_byte(struct stub *s, unsigned char byte);
/* Sends what stub_say has collected to gdb's console, and clears it. Only while gdb waits for a stop or for the reply to monitor: else gdb doesn't
 * expect it. */
void dispatch_console(struct stub *s);
/* Adds a line for each packet that is understood: its name and what it is for. */
void dispatch_list(struct text *out);

/* Forgets the files that gdb has open. */
void vfile_forget(struct stub *s);
/* Drops what is still to be reported, what gdb believes of lanes and has read of registers; all breakpoints become those of all threads. The launch
 * has ended or the client has changed. */
void launch_forget(struct stub *s);

#endif

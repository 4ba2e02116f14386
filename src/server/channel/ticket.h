/* Tickets: descriptors that represent something of the device and can be passed between processes. */
#ifndef SERVER_CHANNEL_TICKET_H
#define SERVER_CHANNEL_TICKET_H

#include "server/internal.h"

/* Sends the calling process a new ticket for export `number` of that kind, a descriptor that host/memory/ticket.c receives. Closes tickets that no
 * process holds. Returns 0 or WIRE_SYSTEM_FAILED. */
uint32_t ticket_send(struct server_call *c, enum wire_export kind, uint64_t number);
/* Returns whether a process still has a ticket for export `number` of that kind open. Closes tickets that no process holds. */
bool ticket_is_held(struct server *c, enum wire_export kind, uint64_t number);

#endif

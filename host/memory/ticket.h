/* Tickets: descriptors that represent something of the device and are passed between processes (src/cuda/channel/ticket.c). */
#ifndef HOST_TICKET_H
#define HOST_TICKET_H

#include "host/host.h"

/* Requests a ticket for an export of this process by number; *fd gets the descriptor. Returns 0 or an error. */
int ticket_request(enum wire_export kind, uint64_t number, int *fd);
/* Reads what a ticket represents, without consuming it. Returns false if the descriptor is no ticket. */
bool ticket_peek(int fd, struct wire_ticket *out);

#endif

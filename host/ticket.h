/* Tickets: descriptors that stand for something of the device, and go from process to process (src/cuda/channel/ticket.c). */
#ifndef HOST_TICKET_H
#define HOST_TICKET_H

#include "host/host.h"

/* For what the process has of that number; 0, or an error. */
int ticket_ask(enum wire_export kind, uint64_t number, int *fd);
/* What a descriptor is a ticket for; false: it is none. It stays as it is. */
bool ticket_look(int fd, struct wire_ticket *out);

#endif

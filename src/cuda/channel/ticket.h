/* Tickets: descriptors that represent something of the device and can be passed between processes. */
#ifndef CUDA_CHANNEL_TICKET_H
#define CUDA_CHANNEL_TICKET_H

#include "cuda/internal.h"

/* Sends the calling process a new ticket for export `number` of that kind, a descriptor that host/memory/ticket.c receives. Closes tickets that no
 * process holds. Returns 0 or cudaErrorOperatingSystem. */
uint32_t ticket_send(struct cuda_call *c, enum wire_export kind, uint64_t number);
/* Returns whether a process still has a ticket for export `number` of that kind open. Closes tickets that no process holds. */
bool ticket_is_held(struct cuda *c, enum wire_export kind, uint64_t number);

#endif

/* Tickets: descriptors that represent something of the device and can be passed between processes. */
#ifndef CUDA_CHANNEL_TICKET_H
#define CUDA_CHANNEL_TICKET_H

#include "cuda/internal.h"

/* Sends the caller a new ticket together with the answer to its call (host/memory/ticket.c receives it). Returns 0 or a CUDA error. */
uint32_t ticket_send(struct cuda_call *c, enum wire_export kind, uint64_t number);
/* Returns whether any process still has a ticket for that export. */
bool ticket_is_held(struct cuda *c, enum wire_export kind, uint64_t number);

#endif

/* Descriptors that stand for something of the device, and go from process to process. */
#ifndef CUDA_CHANNEL_TICKET_H
#define CUDA_CHANNEL_TICKET_H

#include "cuda/internal.h"

/* The caller gets one, with the answer to its call: host/ticket.c takes it. 0, or CUDA's error. */
uint32_t ticket_give(struct cuda_call *c, enum wire_lent kind, uint64_t number);
/* A process, whichever, has one for that. */
bool ticket_is_out(struct cuda *c, enum wire_lent kind, uint64_t number);

#endif

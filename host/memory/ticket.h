/* Tickets: descriptors that represent something of the device and are passed between processes (src/server/channel/ticket.c). */
#ifndef HOST_TICKET_H
#define HOST_TICKET_H

#include "host/host.h"

/* Requests a ticket: a descriptor with which other processes can open pool `number` or physical memory of handle `number`, by `kind`. *fd gets it,
 * and the caller closes it. Returns 0, the debugger's error, or cudaErrorOperatingSystem if no descriptor arrives. */
int ticket_request(enum wire_export kind, uint64_t number, int *fd);
/* Copies the contents of ticket `fd` to *out; the ticket stays usable. Returns false if `fd` is no ticket, or one of another build. */
bool ticket_peek(int fd, struct wire_ticket *out);

#endif

/* The statuses of calls. Shared with host/. */
#ifndef SERVER_CHANNEL_STATUS_H
#define SERVER_CHANNEL_STATUS_H

enum wire_status {
#define STATUS(name, meaning) WIRE_##name,
#include "server/channel/status.def"
#undef STATUS
};

#endif

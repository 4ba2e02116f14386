/* The state of the connection, for entry.c. */
#ifndef HOST_CHANNEL_H
#define HOST_CHANNEL_H

#include "host/host.h"

/* Connects the process to a debugger, unless it is connected. Returns 0 or an error. */
int channel_connect(void);
/* Returns whether the device's properties are known. */
bool channel_is_ready(void);
/* Returns whether the debugger has ended. */
bool channel_is_lost(void);
/* Sets the device's properties; calls can be made from then on. */
void channel_set_device(const struct wire_device *device);
/* Closes the connection at the program's end and waits for a debugger that this process has started. */
void channel_finish(void);

#endif

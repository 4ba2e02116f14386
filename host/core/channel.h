/* The state of the connection, for entry.c. */
#ifndef HOST_CHANNEL_H
#define HOST_CHANNEL_H

#include "host/host.h"

/* Connects this process to the debugger named by WARPSTEP_SOCKET or, if there is none or it doesn't serve this process, to one that it starts.
 * Reserves the device's addresses and installs the fault handler; does nothing if connected. Returns WIRE_OK, WIRE_NO_DEVICE or WIRE_NOT_INITIALIZED.
 * A failed attempt isn't repeated, and a child forked from a connected process can't connect. */
enum wire_status channel_connect(void);
/* Sends a call with n_in bytes of arguments and n_payload bytes of payload to the connected debugger. If `waits`, serves the debugger's requests
 * until the answer is there, copies n_out bytes, at most WIRE_OUT_BYTES, to `out`, and returns the answer's status; else returns WIRE_OK. Returns an
 * error's status if the thread is inside another call, the message is too large, or the debugger has ended. */
enum wire_status channel_call(enum wire_call call, bool waits, const void *in, size_t n_in, const void *payload,
			      size_t n_payload, void *out, size_t n_out);
/* Returns the status with which this process' context has failed, which every call then returns. Returns WIRE_OK if the context hasn't failed or
 * channel_is_ready returns false. */
enum wire_status channel_sticky(void);
/* Returns true if the debugger wants to know which call fails with channel_sticky's status. */
bool channel_wants_cause(void);
/* Connects as channel_connect does, and returns the CUDA error for its status; 0: connected. (status.c) */
int host_connect_channel(void);
/* Returns whether channel_set_device was called since this process connected, so calls can be made. Returns false in a child of fork until the child
 * has connected by itself. */
bool channel_is_ready(void);
/* Returns true if this process is connected and the debugger wants to be told: WIRE_WANTS_CALLS or WIRE_WANTS_END. */
bool channel_wants(uint32_t what);
/* Returns whether a call has found, while it waited, that the debugger has ended. Doesn't check the connection itself. */
bool channel_is_lost(void);
/* Stores a copy of the device's properties, which host_device then returns. Makes channel_is_ready return true. */
void channel_set_device(const struct wire_device *device);
/* Shuts the connection down for sending and waits until the debugger has ended, if this process has started that debugger. Else does nothing. */
void channel_finish(void);

#endif

/* The text of a call: its name and arguments. */
#ifndef HOST_ANNOUNCE_H
#define HOST_ANNOUNCE_H

#include "host/core/gate.h"

/* Sends a call's name and arguments to the debugger, which answers when the call may go on. */
void announce_call(const struct gate_call *call);

#endif

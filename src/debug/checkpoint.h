/* What the debugger knows of a machine besides what the device has: what a checkpoint keeps of it, in base/record.h's form. */
#ifndef DEBUG_CHECKPOINT_H
#define DEBUG_CHECKPOINT_H

#include "base/record.h"
#include "debug/debug.h"

/* Buffers, launches, values that wait for their threads, the focus. */
void debug_record(struct debug *d, struct text *out);

/* Before another device takes the place of the debugger's device, and afterwards. is_same: both are of the same kind. */
void debug_leave_device(struct debug *d, bool is_same);
void debug_enter_device(struct debug *d, bool is_same);
/* The device has become another one, with the same program: what a record says of it takes the place of all that was known. Breakpoints and
 * settings stay. */
void debug_take_record(struct debug *d, struct record_reader *r);

#endif

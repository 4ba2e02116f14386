/* What the debugger knows of a machine besides what the device has: what a checkpoint keeps of it, in base/record.h's form. */
#ifndef DEBUG_CHECKPOINT_H
#define DEBUG_CHECKPOINT_H

#include "base/record.h"
#include "debug/debug.h"

/* Buffers, launches, values that wait for their threads, the focus. */
void debug_record(struct debug *d, struct text *out);

/* The device is about to be rebuilt (gpu_rebuild), and has been. */
void debug_leave_device(struct debug *d);
void debug_enter_device(struct debug *d);
/* The device has become another one, with the same program: what a record says of it takes the place of all that was known. Breakpoints and
 * settings stay. */
void debug_take_record(struct debug *d, struct record_reader *r);

#endif

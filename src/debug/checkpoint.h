/* What the debugger knows of a machine besides what the device has: what a checkpoint keeps of it, in base/record.h's form. */
#ifndef DEBUG_CHECKPOINT_H
#define DEBUG_CHECKPOINT_H

#include "base/record.h"
#include "debug/debug.h"

/* Appends buffers, launches, values that wait for their threads, and the focus to a checkpoint's record. */
void debug_record(struct debug *d, struct text *out);

/* Prepares for the replacement of the debugger's device. `is_same`: the new device is of the same kind. */
void debug_leave_device(struct debug *d, bool is_same);
/* Attaches the debugger to the device that has replaced its own. `is_same`: both are of the same kind. */
void debug_enter_device(struct debug *d, bool is_same);
/* Replaces what the debugger knows of the machine by a checkpoint's record; the device has become another one with the same program. Breakpoints
 * and settings stay. */
void debug_take_record(struct debug *d, struct record_reader *r);

#endif

/* What the debugger knows of a machine besides what the device has: what a checkpoint keeps of it, in base/record.h's form. */
#ifndef DEBUG_CHECKPOINT_H
#define DEBUG_CHECKPOINT_H

#include "base/record.h"
#include "debug/debug.h"

/* Appends buffers, declared structures, launches, values for threads that haven't started, the last launch's text, and the focus to a checkpoint's
 * record. */
void debug_record(struct debug *d, struct text *out);

/* Prepares for the replacement of the debugger's device: flushes its output and notes which checkers are on. `is_same`: the new device is of the
 * same kind. */
void debug_leave_device(struct debug *d, bool is_same);
/* Attaches the debugger to the device that has replaced its own, and switches the checkers on that debug_leave_device noted. `is_same`: both are of
 * the same kind. */
void debug_enter_device(struct debug *d, bool is_same);
/* Restores from a checkpoint's record what debug_record wrote, after the device was replaced by one with the same program. Forgets the last stop,
 * findings and counts; breakpoints and settings stay. */
void debug_take_record(struct debug *d, struct record_reader *r);

/* Appends the exception's text to *stop, which debug_past_stop has filled, and makes the exception the last stop, if the checkpoint's machine stood
 * at an exception. Does nothing otherwise. */
void debug_core_stands(struct debug *d, struct debug_stop *stop);

#endif

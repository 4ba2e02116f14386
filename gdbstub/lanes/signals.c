/* Exceptions as signals, by gdb's own numbers (include/gdb/signals.def). */
#include "gdbstub/lanes/lanes.h"

#define SIGNAL_ILL 4u
#define SIGNAL_TRAP 5u
#define SIGNAL_ABRT 6u
#define SIGNAL_BUS 10u
#define SIGNAL_SEGV 11u

unsigned lanes_exception_signal(enum exec_fault_kind kind)
{
	switch (kind) {
	case EXEC_FAULT_LANE_ILLEGAL_ADDRESS:
	case EXEC_FAULT_STACK_OVERFLOW:
	case EXEC_FAULT_HARDWARE_STACK_OVERFLOW:
	case EXEC_FAULT_OUT_OF_RANGE:
	case EXEC_FAULT_INVALID_ADDRESS_SPACE:
	case EXEC_FAULT_ILLEGAL_ADDRESS: return SIGNAL_SEGV;
	case EXEC_FAULT_MISALIGNED: return SIGNAL_BUS;
	case EXEC_FAULT_ILLEGAL_INSTRUCTION:
	case EXEC_FAULT_INVALID_PC:
	case EXEC_FAULT_BARRIER: return SIGNAL_ILL;
	case EXEC_FAULT_ASSERT: return SIGNAL_ABRT;
	default: return SIGNAL_TRAP;
	}
}

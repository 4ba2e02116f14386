/* Faults: an instruction stops before its first effect, and exec.fault says why. */
#include <stdarg.h>
#include <stdio.h>

#include "exec/internal.h"

void exec_raise(struct exec *x, enum exec_fault_kind kind, uint32_t lanes, const char *fmt, ...)
{
	x->fault = (struct exec_fault){.kind = kind, .lanes = lanes};
	x->event = EXEC_EVENT(EXEC_FAULT);
	if (!fmt)
		return;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(x->fault.detail, sizeof x->fault.detail, fmt, ap);
	va_end(ap);
}

void exec_raise_access(struct exec *x, enum exec_fault_kind kind, uint32_t lanes, enum isa_space space,
		       uint64_t address, uint32_t size, unsigned access_kinds)
{
	x->fault = (struct exec_fault){.kind = kind,
				       .lanes = lanes,
				       .space = (uint8_t)space,
				       .address = address,
				       .size = size,
				       .is_write = (access_kinds & EXEC_WRITE) != 0,
				       .is_atomic = (access_kinds & EXEC_ATOMIC) != 0};
	x->event = EXEC_EVENT(EXEC_FAULT);
}

EXEC_HANDLER(UNSUPPORTED)
{
	(void)i;
	exec_raise(x, EXEC_FAULT_ILLEGAL_INSTRUCTION, x->mask, "the simulator does not execute this instruction");
}

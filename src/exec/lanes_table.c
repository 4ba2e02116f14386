/* The handler table of one instruction-set level. */
#include "exec/internal.h"

#define ALIAS(name, handler)
#define ONCE(name) exec_h_##name,
#define LEVELED(name) LANES_NAME(exec_h_##name),
#undef HANDLER_ONCE
#undef HANDLER_LEVELED

const exec_handler LANES_NAME(exec_table)[ISA_HANDLER_COUNT] = {
	exec_h_UNSUPPORTED,
#define HANDLER(name) LEVELED(name)
#define HANDLER_ONCE(name) ONCE(name)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#undef HANDLER
#define HANDLER(name) ONCE(name)
#define HANDLER_LEVELED(name) LEVELED(name)
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
};

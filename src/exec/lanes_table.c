/* The handler tables of one instruction-set level: one for a machine without watchers, one for a machine with watchers. */
#include "exec/internal.h"

#define ALIAS(name, handler)
#define ONCE(name) exec_h_##name,
#define LEVELED(name) LANES_NAME(exec_h_##name),
#undef HANDLER_ONCE
#undef HANDLER_LEVELED
#undef HANDLER_MEMORY
#undef HANDLER_ATOMIC
#undef HANDLER_EFFECT

const exec_handler LANES_NAME(exec_table)[ISA_HANDLER_COUNT] = {
	exec_h_UNSUPPORTED,
#define HANDLER(name) LEVELED(name)
#define HANDLER_ONCE(name) ONCE(name)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#undef HANDLER
#undef HANDLER_ONCE
#define HANDLER(name) ONCE(name)
#define HANDLER_LEVELED(name) LEVELED(name)
#define HANDLER_MEMORY(name) LEVELED(name)
#define HANDLER_ATOMIC(name) ONCE(name)
#define HANDLER_EFFECT(name, kind) ONCE(name)
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
#undef HANDLER
#undef HANDLER_LEVELED
#undef HANDLER_MEMORY
#undef HANDLER_ATOMIC
#undef HANDLER_EFFECT
};

const exec_handler LANES_NAME(exec_observed)[ISA_HANDLER_COUNT] = {
	exec_h_UNSUPPORTED,
#define HANDLER(name) LEVELED(name)
#define HANDLER_ONCE(name) ONCE(name)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#undef HANDLER
#define HANDLER(name) ONCE(name)
#define HANDLER_LEVELED(name) LEVELED(name)
#define HANDLER_MEMORY(name) LANES_NAME(exec_o_##name),
#define HANDLER_ATOMIC(name) exec_o_##name,
#define HANDLER_EFFECT(name, kind) exec_o_##name,
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
};

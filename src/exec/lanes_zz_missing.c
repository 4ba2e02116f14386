/* Weak stand-ins for rows whose function isn't written: such an instruction faults as unsupported. */
#include "exec/internal.h"

#define ALIAS(name, handler)
#undef HANDLER_ONCE
#undef HANDLER_LEVELED
#define STAND_IN __attribute__((weak))
#define MISSING_ONCE(name) STAND_IN EXEC_HANDLER(name) { exec_h_UNSUPPORTED(x, i); }
#define MISSING_LEVELED(name) STAND_IN LANES_HANDLER(name) { exec_h_UNSUPPORTED(x, i); }
#define HANDLER(name) MISSING_LEVELED(name)
#define HANDLER_ONCE(name) MISSING_ONCE(name)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#undef HANDLER
#define HANDLER(name) MISSING_ONCE(name)
#define HANDLER_LEVELED(name) MISSING_LEVELED(name)
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
#undef BUILTIN
#define BUILTIN(name) STAND_IN EXEC_BUILTIN(name) { exec_h_UNSUPPORTED(x, i); }
#include "exec/builtins.def"

/* Handlers: one per way of executing a warp instruction. exec implements one function exec_h_NAME for each row.
 *
 * Naming rule, which is all the lowering knows: take the opcode as written, drop what has no effect on the result
 * (isa_handler_drop: .uni, cache operators, scopes, orders, level hints, .aligned ...), turn dots and :: into underscores.
 * "fma.rn.ftz.f32" -> "fma_rn_ftz_f32". isa_handler_find looks for a row or alias of that exact name, then for the base name
 * (mnemonic and types only: "fma_f32"), then for the mnemonic alone ("fma"). The general ones read rounding, flags, types
 * from isa_insn; the exact ones are specialised. So a new fast path is one row here and one function in exec. */
#ifndef ISA_HANDLERS_H
#define ISA_HANDLERS_H

#include <stdint.h>

enum isa_handler {
	ISA_H_UNSUPPORTED, /* a PTX instruction that is not built: executing it is CUDA_EXCEPTION_4 */
#define HANDLER(name) ISA_H_##name,
#define ALIAS(name, handler)
#include "isa/handlers_alu.def"
#include "isa/handlers_cvt.def"
#include "isa/handlers_mem.def"
#include "isa/handlers_control.def"
#undef HANDLER
#undef ALIAS
	ISA_HANDLER_COUNT
};

extern const char *const isa_handler_names[ISA_HANDLER_COUNT];

/* Returns the handler of the first of the three names that has a row or alias (`exact` and `base` may be NULL), else ISA_H_UNSUPPORTED. */
enum isa_handler isa_handler_find(const char *exact, const char *base, const char *mnemonic);

#endif

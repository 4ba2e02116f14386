/* Whom indirect calls call; where arguments of calls are. */
#ifndef EXEC_CALL_H
#define EXEC_CALL_H

#include "exec/internal.h"

/* The device function that begins at a generic address; NULL: none does. */
const struct isa_function *call_function_at(const struct isa_program *p, uint64_t address);
/* Lanes of `mask` that call the same address; of several groups the one whose highest lane is lowest, which runs first. */
uint32_t call_first_group(const uint64_t address[LANES], uint32_t mask);

/* One side of an argument or a return value: a row or predicate of the activation, or an offset in its local frame. */
enum arg_kind { ARG_ROW, ARG_PRED, ARG_LOCAL };
struct call_arg {
	enum arg_kind kind;
	uint32_t ref, bytes;
};
/* The function's parameter number k, return values first, as a call instruction and as the function has it. False: the call has none. */
bool call_arg(const struct isa_program *p, const struct isa_insn *call, const struct isa_function *f, unsigned k,
	      struct call_arg *caller, struct call_arg *callee);

#endif

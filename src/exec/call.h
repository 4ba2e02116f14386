/* The targets of indirect calls, and the places of arguments. */
#ifndef EXEC_CALL_H
#define EXEC_CALL_H

#include "exec/internal.h"

/* Returns the device function that begins at a generic address, or NULL. */
const struct isa_function *call_function_at(const struct isa_program *p, uint64_t address);
/* Returns the lanes of `mask` that call first in an indirect call. They call one address; of several such groups, it is the one whose highest lane is
 * lowest. */
uint32_t call_first_group(const uint64_t address[LANES], uint32_t mask);

/* One side of an argument or a return value: a row or predicate of the activation, or an offset in its local frame. */
enum arg_kind { ARG_ROW, ARG_PRED, ARG_LOCAL };
struct call_arg {
	enum arg_kind kind;
	uint32_t ref, bytes;
};
/* Stores where parameter k of function f (return values first) is for the caller and for the callee of a call. Returns false if the call passes no
 * argument k. */
bool call_arg(const struct isa_program *p, const struct isa_insn *call, const struct isa_function *f, unsigned k,
	      struct call_arg *caller, struct call_arg *callee);

#endif

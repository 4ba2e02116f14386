/* Whom indirect calls call. */
#ifndef EXEC_CALL_H
#define EXEC_CALL_H

#include "exec/internal.h"

/* The device function that begins at a generic address; NULL: none does. */
const struct isa_function *call_function_at(const struct isa_program *p, uint64_t address);
/* Lanes of `mask` that call the same address; of several groups the one whose highest lane is lowest, which runs first. */
uint32_t call_first_group(const uint64_t address[LANES], uint32_t mask);

#endif

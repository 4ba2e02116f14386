/* The variables of shared, constant and local memory that instructions compute their addresses from. */
#ifndef CHECK_MEMORY_LIMITS_H
#define CHECK_MEMORY_LIMITS_H

#include "check/engine.h"
#include "exec/watcher.h"
#include "isa/program.h"

struct memory_limits {
	struct exec_limits table;
	struct exec_limit *limit; /* table.at. Owned */
	size_t cap;
	uint32_t n_functions; /* of the program that the table holds */
};
/* Adds the functions that the program got since the last call. */
void memory_limits_update(struct memory_limits *m, const struct check *c, const struct isa_program *p);
/* Frees the table. */
void memory_limits_free(struct memory_limits *m);

#endif

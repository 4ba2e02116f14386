/* Variables of a program, by their names. */
#ifndef TEST_FIND_VARIABLE_H
#define TEST_FIND_VARIABLE_H

#include <string.h>

#include "isa/program.h"

/* Returns the loaded variable of that name which was loaded last. Returns NULL if there is none. */
static inline const struct isa_variable *find_variable(const struct isa_program *from, const char *name)
{
	for (uint32_t i = from->n_variables; i-- > 0;)
		if (!(from->variables[i]->flags & ISA_VAR_UNLOADED) && !strcmp(from->variables[i]->name, name))
			return from->variables[i];
	return NULL;
}

#endif

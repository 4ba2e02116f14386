/* What the room keeps for a debugger: the value history and the user's variables. Only its own files include this. */
#ifndef DEBUG_EXPR_ROOM_H
#define DEBUG_EXPR_ROOM_H

#include "debug/expr/expr.h"
#include "debug/ground/ground.h"

struct debug_variable {
	char *name;
	struct expr_value value;
};

struct expr_room {
	struct expr_value examined; /* by x last, $__ */
	bool has_examined;
	struct expr_value *history;
	size_t n_history, cap_history;
	struct debug_variable *variables;
	size_t n_variables, cap_variables;
};

#endif

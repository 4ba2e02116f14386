/* State of this folder in a debugger: the value history and the user's variables. Only its own files include this. */
#ifndef DEBUG_EXPR_ROOM_H
#define DEBUG_EXPR_ROOM_H

#include "debug/expr/expr.h"
#include "debug/ground/ground.h"

struct debug_variable {
	char *name;
	struct expr_value value;
};

/* What the accesses say of an array of bytes, as long as the program is of `generation`. */
struct debug_accessed {
	const struct isa_variable *var;
	uint32_t generation;
	enum isa_type type; /* of its elements */
};

struct expr_room {
	struct expr_value examined; /* by x last, $__ */
	bool has_examined;
	struct expr_value *history;
	size_t n_history, cap_history;
	struct debug_variable *variables;
	size_t n_variables, cap_variables;
	struct debug_accessed *accessed;
	size_t n_accessed, cap_accessed;
};

#endif

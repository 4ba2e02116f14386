/* Values of expressions as data (docs/manual/json.md): numbers, strings, lists and objects in each other. */
#ifndef DEBUG_EXPR_VALUE_DESCRIBE_H
#define DEBUG_EXPR_VALUE_DESCRIBE_H

#include "debug/expr/format.h"
#include "report/report.h"

/* The most elements of a value that a report holds, whatever `print-elements` is. */
#define VALUE_ELEMENTS_MAX (1u << 20)

/* The number of elements of one value that may still be added. */
struct value_budget {
	struct debug *d;
	uint64_t left;
};
/* Takes an element from the budget. Returns false if there is none left. */
bool value_budget_take(struct value_budget *b);

/* Adds a value as the member `name`. People read what `print` with the format f shows; f is NULL for the natural format. */
void value_describe(struct debug *d, struct report *r, const char *name, const struct expr_value *v, const struct format_spec *f);
/* Adds a value's type, as `whatis` names it, as the member `name`. */
void value_type_describe(struct debug *d, struct report *r, const char *name, const struct expr_value *v);

/* Adds a value of a type of the source as the member `name`, and takes its elements from the budget. Elements beyond the budget are left out.
 * (cvalue_describe.c) */
void cvalue_describe(struct value_budget *b, struct report *r, const char *name, const struct expr_value *v);

#endif

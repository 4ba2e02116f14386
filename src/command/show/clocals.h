/* Variables of the source in a frame, as text. */
#ifndef COMMAND_CLOCALS_H
#define COMMAND_CLOCALS_H

#include "debug/ground/ground.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

struct expr_value;

/* Adds the list `args` (`arguments`) or `locals` of the source's variables in frame *f of thread *w: `name`, `type`, and `value` or `error`. With
 * inlined code they are those of the level in focus. Returns false, adding nothing, if there is no debug information. */
bool clocals_describe(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool arguments, struct report *answer);
/* Adds the list `args` of the function `inlined` levels of inlining up in frame *f, which people read as `n=3, p=0x80000000 <A>`. Structures, arrays
 * and unreadable values are null. Returns false, adding nothing, if there is no debug information. */
bool clocals_arguments(struct debug *d, const struct debug_where *w, const struct debug_frame *f, uint32_t inlined,
		       struct report *answer);

/* Appends the value of a parameter of PTX as the source's type shows it: a pointer as an address with what it points into, a structure by its size,
 * `<pair: 8 bytes>`, others as print does. `type` may be NULL. */
void parameter_look(struct debug *d, const struct isa_variable *p, const char *type, const struct expr_value *v, struct text *out);

#endif

/* The source's variables of a frame. */
#ifndef DEBUG_CSOURCE_CLOCALS_H
#define DEBUG_CSOURCE_CLOCALS_H

#include "debug/internal.h"
#include "debug/view/focus.h"
#include "debug/view/view.h"

/* ---- the source's variables of a frame (clocals.c); false: nothing is known of them ---- */
/* `void (int, float *)`, with `inner` in front of the parameters; of the source's types, or of PTX's. */
void debug_function_type(struct debug *d, const struct isa_function *f, const char *inner, struct text *out);
bool clocals_show(struct debug *d, const struct debug_where *w, const struct debug_frame *f, bool arguments, struct text *out);
/* ` (n=3, p=0x80000000 <A>)`, of the function that is `inlined` levels up in the frame. */
bool clocals_arguments(struct debug *d, const struct debug_where *w, const struct debug_frame *f, uint32_t inlined,
		       struct text *out);

#endif

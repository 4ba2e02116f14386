/* What x and list have shown, for the other rooms. */
#ifndef DEBUG_SHOW_H
#define DEBUG_SHOW_H

#include "debug/expr/expr.h"
#include "debug/internal.h"

/* What x has shown last, $__; `valid`: has it shown anything that $_ can point at? */
const struct expr_value *show_examined(const struct debug *d, bool *valid);
/* No file was shown at all. */
void show_forget_files(struct debug *d);
void show_stopped_in(struct debug *d, uint32_t file);
/* The file last listed (`listed`) or else stopped in; false: none. */
bool show_last_file(const struct debug *d, bool *listed, uint32_t *file);

#endif

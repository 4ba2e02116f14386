/* What the debugger's objects consist of as data: the one place that says which cells a value, a thread or a place has (docs/manual/json.md). */
#ifndef DEBUG_DESCRIBE_H
#define DEBUG_DESCRIBE_H

#include "debug/debug.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "isa/types.h"
#include "report/report.h"

/* Adds a value of that type as cell `name`: a number, or where JSON has none (NaN, infinity, above 2^63) the string that `print` shows. A type
 * without a size, a predicate, becomes 0 or 1. */
void describe_value(struct report *r, const char *name, enum isa_type type, uint64_t raw);
/* Adds a position as cell `name`, `{"file", "line"}`, which people read as `FILE:LINE`. Adds nothing if p.line is 0. */
void describe_position(struct debug *d, struct report *r, const char *name, struct debug_position p);
/* Adds `{"name", "offset"}` of the allocation that has a name and holds the address. Returns false, with nothing added, if there is none. */
bool describe_allocation(struct debug *d, struct report *r, const char *name, uint64_t address);
/* Adds `instruction`, whose brief look is the opcode, `ptx` and `source` of an instruction to the open object. As people read a place:
 * `{instruction:brief} at {ptx}[ ({source})]`. */
void describe_place(struct debug *d, struct report *r, uint32_t pc);

/* Adds `uid`, `thread`, `block` and `launch` of a thread to the open object; adds nothing if the thread doesn't exist. */
void describe_thread(struct debug *d, struct report *r, const struct debug_thread *t);
/* Adds the object `focus`, which describe_where fills for the thread in focus. Adds nothing if there is no thread in focus. */
void describe_focus(struct debug *d, struct report *r);
/* Adds the thread *w to the open object: `kernel`, launch, block, thread, uid, `core`, `warp`, `lane`, `pc`, and the instruction with its place. */
void describe_where(struct debug *d, struct report *r, const struct debug_where *w);

/* Adds to the open object that thread *t did something: `by` ("thread"), the thread, the instruction at `pc` with its place, and `cycle`. */
void describe_by_thread(struct debug *d, struct report *r, const struct debug_thread *t, uint32_t pc, uint64_t cycle);
/* Adds to the open object what else than a thread did something: `by`, which is `who` ("host" or "nobody"), and `what`, unless that is empty. */
void describe_by(struct report *r, const char *who, const char *what);

#endif

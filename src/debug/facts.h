/* What a report says, for machines: a JSON object that is filled while its text is written. Where nobody wants it these do nothing. */
#ifndef DEBUG_FACTS_H
#define DEBUG_FACTS_H

#include "debug/debug.h"
#include "debug/view/focus.h"
#include "debug/view/source.h"
#include "isa/types.h"

/* From now on they are kept; end: as JSON, a line at its end. */
void facts_begin(struct debug *d);
void facts_end(struct debug *d, struct text *out);

/* ---- members of the object that is open last; of a list: its elements, which have no names ---- */
void facts_open(struct debug *d, const char *name);
void facts_list(struct debug *d, const char *name);
void facts_close(struct debug *d);
void facts_number(struct debug *d, const char *name, uint64_t v);
void facts_text(struct debug *d, const char *name, const char *s);
void facts_flag(struct debug *d, const char *name, bool v);
/* A number, or what `print` shows where JSON has none: NaN, infinity, above 2^63. */
void facts_value(struct debug *d, const char *name, enum isa_type type, uint64_t raw);
void facts_triple(struct debug *d, const char *name, const uint32_t v[3]);
/* `{"file", "line"}`; nothing where there is no line. */
void facts_position(struct debug *d, const char *name, struct debug_position p);

/* Several members: `uid thread block launch`, */
void facts_thread(struct debug *d, const struct debug_thread *t);
/* and `instruction ptx source`; */
void facts_place(struct debug *d, uint32_t pc);
/* `by`: a thread, with both and the cycle; `host` with what is known of it, `nobody`. */
void facts_by_thread(struct debug *d, const struct debug_thread *t, uint32_t pc, uint64_t cycle);
void facts_by(struct debug *d, const char *who, const char *what);

#endif

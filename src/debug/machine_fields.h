/* Fields of the performance model by name, `core[0].warp[3].pc`: what print, display, conditions and watchpoints can say about the
 * machine. The table is machine_fields.def. Inside src/debug only, but for completion. */
#ifndef DEBUG_MACHINE_FIELDS_H
#define DEBUG_MACHINE_FIELDS_H

#include "debug/internal.h"

#define FIELD_INDICES 3u

struct field_value {
	uint64_t v;
	bool is_none; /* nothing there to have a value: an empty register, no warp issued yet */
	bool is_pc;   /* v: an instruction's address */
};
/* `path` with [] for each index. False: no such field, an index out of range, or functional mode; `why` says so. */
bool field_get(struct debug *d, const char *path, const int64_t index[FIELD_INDICES], struct field_value *out, struct text *why);
bool field_known(const char *path);
/* core, partition and so on: a part that fields are of. */
bool field_is_root(const char *name);
/* Does the text begin like a field: one of the roots, then a chain of [..] and .name with a .name in it? Its length in *n. */
bool field_scan(const char *s, size_t *n);
/* Evaluates the text of a field alone, for watchpoints. */
bool field_eval(struct debug *d, const char *text, struct field_value *out, struct text *why);

debug_text_fn info_fields; /* [GLOB] */
/* Fields that begin with the prefix; indices the prefix has not reached are 0. */
void field_complete(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

#endif

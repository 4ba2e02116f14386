/* Fields of the performance model by name, `core[0].warp[3].pc`: what print, display, conditions and watchpoints can say about the
 * machine. The table is machine_fields.def. Inside src/debug only, but for completion. */
#ifndef DEBUG_MACHINE_FIELDS_H
#define DEBUG_MACHINE_FIELDS_H

#include "debug/expr/expr.h"
#include "debug/expr/fields.h"
#include "debug/expr/format.h"
#include "debug/internal.h"

/* `path` with [] for each index. False: no such field, an index out of range, or functional mode; `why` says so. */
bool field_get(struct debug *d, const char *path, const int64_t index[FIELD_INDICES], struct field_value *out, struct text *why);
void field_to_value(const struct field_value *f, struct expr_value *out);

/* ---- parts and slices (machine_parts.c) ---- */
/* All fields of a part, of a slice of parts, or one field of several: a value that can be printed and kept. */
bool field_listing(struct debug *d, const char *path, const struct field_range range[FIELD_INDICES], struct expr_value *out, struct text *why);
/* Adds a listing as data: lists, and objects by the fields' names. */
void field_listing_describe(struct report *r, const char *name, const struct expr_value *v);
void field_listing_format(struct debug *d, const struct expr_value *v, const struct format_spec *f, struct text *out);
/* The table's paths, in its order; NULL after the last. */
const char *field_path(size_t k);
/* Is the index in range of what it counts at path[n], a [? How many there are in *limit. */
bool field_index_ok(struct debug *d, const char *path, size_t n, int64_t index, uint32_t *limit, struct text *why);

/* What expressions ask of the fields' values. */
extern const struct expr_fields perf_fields;

/* Evaluates the text of a field alone, for watchpoints. */
bool field_eval(struct debug *d, const char *text, struct field_value *out, struct text *why);

debug_answer_fn info_fields; /* [GLOB] */
/* Fields that begin with the prefix; indices the prefix has not reached are 0. */
void field_complete(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

#endif

/* Fields of the performance model by name, `core[0].warp[3].pc`: what print, display, conditions and watchpoints can say about the
 * machine. The table is machine_fields.def. Inside src/debug only, but for completion. */
#ifndef DEBUG_MACHINE_FIELDS_H
#define DEBUG_MACHINE_FIELDS_H

#include "debug/expr/expr.h"
#include "debug/expr/fields.h"
#include "debug/expr/format.h"
#include "debug/ground/ground.h"

/* Reads a field by its `path` with [] for each index. Returns false, with an error in `why`, for an unknown field, an index out of range, or in
 * functional mode. */
bool field_get(struct debug *d, const char *path, const int64_t index[FIELD_INDICES], struct field_value *out, struct text *why);
/* Makes an expression's value of a field's; a field that has none leaves `out` as it is. */
void field_to_value(const struct field_value *f, struct expr_value *out);

/* ---- parts and slices (machine_parts.c) ---- */
/* Makes a value of all fields of a part, of a slice of parts, or of one field of several. Returns false, with an error in `why`, if there is none. */
bool field_listing(struct debug *d, const char *path, const struct field_range range[FIELD_INDICES], struct expr_value *out, struct text *why);
/* Adds a listing as data: lists, and objects by the fields' names. */
void field_listing_describe(struct report *r, const char *name, const struct expr_value *v);
/* Appends a listing as text. */
void field_listing_format(struct debug *d, const struct expr_value *v, const struct format_spec *f, struct text *out);
/* Returns path `k` of the table. Returns NULL after the last. */
const char *field_path(size_t k);
/* Checks an index at path[n], a [, and stores in *limit how many there are. Returns false, with an error in `why`, if it is out of range. */
bool field_index_ok(struct debug *d, const char *path, size_t n, int64_t index, uint32_t *limit, struct text *why);

/* What expressions ask of the fields' values. */
extern const struct expr_fields perf_fields;

/* Answers `info fields [GLOB]`. */
debug_answer_fn info_fields;
/* Calls `add` for fields that begin with the prefix; indices that the prefix has not reached are 0. */
void field_complete(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

#endif

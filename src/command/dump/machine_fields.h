/* Fields of the performance model by name, `core[0].warp[3].pc`: what print, display, conditions and watchpoints can say about the
 * machine. The table is machine_fields.def. Inside src/command only, but for completion. */
#ifndef COMMAND_MACHINE_FIELDS_H
#define COMMAND_MACHINE_FIELDS_H

#include "debug/expr/expr.h"
#include "debug/expr/fields.h"
#include "debug/expr/format.h"
#include "debug/ground/ground.h"

/* Reads the machine's field with that path, [] for each index, and those indices; out->is_none: it has no value now. A program counter is in bytes.
 * Returns false, with an error in `why`, for an unknown field, an index out of range, or in functional mode. */
bool field_get(struct debug *d, const char *path, const int64_t index[FIELD_INDICES], struct field_value *out, struct text *why);
/* Sets *out to a field's value: a pointer for a program counter, else a u64. Leaves *out as it is if the field has no value. */
void field_to_value(const struct field_value *f, struct expr_value *out);

/* ---- parts and slices (machine_parts.c) ---- */
/* Sets *out to a listing of all fields of a part, of a slice of parts, or of one field of several; expr_value_free frees it. Returns false, with an
 * error in `why`, for an unknown path, an index out of range, an empty slice, or in functional mode. */
bool field_listing(struct debug *d, const char *path, const struct field_range range[FIELD_INDICES], struct expr_value *out, struct text *why);
/* Adds the listing *v as cell `name`: values, lists, and objects with the fields' names. */
void field_listing_describe(struct report *r, const char *name, const struct expr_value *v);
/* Returns the path of field number `k` of the table. Returns NULL after the last. */
const char *field_path(size_t k);
/* Checks the index of the part whose [ is at path[n], and stores in *limit how many such parts there are. Returns false, with an error in `why`, if
 * it is out of range. Performance mode only. */
bool field_index_ok(struct debug *d, const char *path, size_t n, int64_t index, uint32_t *limit, struct text *why);

/* What expressions ask of the fields' values. */
extern const struct expr_fields perf_fields;

/* Answers `info fields [GLOB]`. */
debug_answer_fn info_fields;
/* Calls `add` for each field that begins with the n bytes of `prefix`; indices that the prefix has not reached are 0. Does nothing in functional
 * mode. */
void field_complete(struct debug *d, const char *prefix, size_t n, void (*add)(void *self, const char *name), void *self);

#endif

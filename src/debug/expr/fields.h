/* Fields of the machine in expressions, `core[0].warp[3].pc`: names and values come from the table that struct debug points to. */
#ifndef DEBUG_EXPR_FIELDS_H
#define DEBUG_EXPR_FIELDS_H

#include "debug/debug.h"
#include "debug/expr/expr.h"
#include "debug/expr/format.h"

#define FIELD_INDICES 3u

struct field_value {
	uint64_t v;
	bool is_none; /* nothing there has a value: an empty register, no warp issued yet */
	bool is_pc;   /* v is an instruction's address */
};
struct field_range {
	bool is_slice;
	int64_t first, last;
};

/* ---- names: a path has [] for each index ---- */
/* Returns whether there is a field of exactly that path. */
bool field_known(const struct debug *d, const char *path);
/* Returns whether a field of the machine has a path that continues `path` with .NAME or [], as core[].l1d.hits continues core[].l1d. */
bool field_is_part(const struct debug *d, const char *path);
/* Returns whether a path may begin with the name: core, partition and others. */
bool field_is_root(const char *name);
/* Returns whether a text begins like a field: a root, then a chain of [..] and .NAME with at least one .NAME. *n gets its length. */
bool field_scan(const char *s, size_t *n);


/* ---- values ---- */
struct expr_fields {
	/* Returns path `k` of the table. Returns NULL after the last. */
	const char *(*path)(size_t k);
	/* Reads a field. Returns false with the reason in `why` in functional mode or if an index is out of range. */
	bool (*get)(struct debug *d, const char *path, const int64_t index[FIELD_INDICES], struct field_value *out, struct text *why);
	/* Makes an expression's value of a field's; it stays as it is if the field has none. */
	void (*to_value)(const struct field_value *f, struct expr_value *out);
	/* Reads all fields of a part, of a slice of parts, or one field of several parts: a value that can be printed and kept. */
	bool (*listing)(struct debug *d, const char *path, const struct field_range range[FIELD_INDICES], struct expr_value *out, struct text *why);
	/* Appends a listing as text. */
	void (*format)(struct debug *d, const struct expr_value *v, const struct format_spec *f, struct text *out);
	/* Adds a listing as data: lists, and objects by the fields' names. */
	void (*describe)(struct report *r, const char *name, const struct expr_value *v);
};

/* Evaluates the text of a field alone, its indices for the focus. Returns false, with an error in `why`, if there is no such field or the field can't
 * be read. */
bool field_eval(struct debug *d, const char *text, struct field_value *out, struct text *why);

#endif

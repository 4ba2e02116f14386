/* Rows of cells as text, and lines that fit the screen. */
#ifndef DEBUG_TABLE_H
#define DEBUG_TABLE_H

#include "debug/internal.h"

/* Rows of cells, columns as wide as their widest cell. A title that begins with < is a left-aligned column. */
struct table {
	const char *const *titles;
	unsigned n_columns;
	char **cells;
	bool *starred;
	size_t n_rows, cap_cells, cap_rows;
	char **groups; /* a line above the row, or NULL */
	uint32_t
		fit; /* columns of the screen: a wider table becomes several, one below the other; 0: one in any case */
};
void table_init(struct table *t, const char *const *titles, unsigned n_columns);
void table_row(struct table *t, bool starred); /* begins a row */
void table_group(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3))); /* line above the newest row */
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_dim3(struct table *t, const uint32_t v[3]);
void table_print(struct table *t, struct text *out); /* and frees */
/* Appends lines; those wider than the screen, if there is one, are broken at blanks, and the rest of them is indented. */
void debug_wrap(const struct debug *d, struct text *lines, struct text *out);

#endif

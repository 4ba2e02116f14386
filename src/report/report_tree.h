/* The tree behind a report: for the files of src/report alone. */
#ifndef REPORT_REPORT_TREE_H
#define REPORT_REPORT_TREE_H

#include "report/report.h"

enum report_kind {
	REPORT_OBJECT,
	REPORT_LIST,
	REPORT_TABLE, /* its children are rows: objects */
	REPORT_NUMBER,
	REPORT_SIGNED,
	REPORT_REAL,
	REPORT_STRING,
	REPORT_FLAG,
	REPORT_NONE,
	REPORT_LINE,  /* a template */
	REPORT_GROUP, /* members of the object around it */
	REPORT_PROSE
};

struct report_node {
	enum report_kind kind;
	char *name; /* NULL: an element, or a cell of a row, which is called like its column's title */
	struct report_node *parent, *next, *first, *last;
	size_t n_children;
	union {
		uint64_t number;
		int64_t signed_number;
		double real;
		bool flag;
		const char *template;
		struct { /* REPORT_TABLE */
			const char *const *titles;
			unsigned n_columns, n_keys;
		} table;
		bool has_focus;	 /* REPORT_OBJECT: of a row */
		unsigned indent; /* REPORT_GROUP */
	} u;
	char *look;	     /* what people read; NULL for most containers. Of a row: the line above it; of a table: what is drawn if it has no rows */
	char *brief;	     /* what `{name:brief}` draws; NULL: the look */
	struct text text;    /* REPORT_STRING, REPORT_PROSE */
};

struct report {
	struct report_node root, *open, *newest; /* newest: what report_look is about */
};

/* Returns whether a node is data, and not words between data. */
static inline bool report_is_data(const struct report_node *n) { return n->kind < REPORT_LINE; }
/* Frees a node with all below it; its parent's list is the caller's matter. */
void report_node_free(struct report_node *n);
/* Returns a column's title without its mark of alignment. */
static inline const char *report_title(const struct report_node *table, unsigned column)
{
	const char *title = table->u.table.titles[column];
	return title + (title[0] == '<');
}
/* Appends what people read for a node: its look, if it has one, else its value, or for a list the elements' looks with ", " between. */
void report_look_of(const struct report_node *n, struct text *out);
/* Appends a table as people read it, in parts if it is wider than `width` columns (0: no limit). Without rows appends what report_instead has set, or
 * nothing. */
void report_draw_table(const struct report_node *table, uint32_t width, struct text *out);

#endif

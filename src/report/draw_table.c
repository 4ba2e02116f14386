/* A table as people read it: columns as wide as their widest cell, in parts if the screen is narrower. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/report_tree.h"

/* A table whose cells' looks have been made. */
struct drawn_table {
	const struct report_node *node;
	unsigned n_columns, n_keys;
	size_t n_rows;
	char **cells; /* [row * n_columns + column] */
	int *width;   /* of each column */
	uint32_t screen;
};

static void cells_fill(struct drawn_table *t)
{
	size_t row = 0;
	for (const struct report_node *r = t->node->first; r; r = r->next, row++) {
		unsigned k = 0;
		for (const struct report_node *c = r->first; c && k < t->n_columns; c = c->next) {
			struct text look = {0};
			if (!report_is_data(c) || c->name) /* a member that is only in the data has a name */
				continue;
			report_look_of(c, &look);
			t->cells[row * t->n_columns + k++] = text_take(&look);
		}
		for (; k < t->n_columns; k++)
			t->cells[row * t->n_columns + k] = xstrdup("");
	}
}

static void widths_fill(struct drawn_table *t)
{
	for (unsigned k = 0; k < t->n_columns; k++) {
		t->width[k] = (int)strlen(report_title(t->node, k));
		for (size_t r = 0; r < t->n_rows; r++) {
			const int n = (int)strlen(t->cells[r * t->n_columns + k]);
			t->width[k] = n > t->width[k] ? n : t->width[k];
		}
	}
}

/* Returns the end of the part that begins at column `from`: as many columns as fit behind the keys, at least one. */
static unsigned part_end(const struct drawn_table *t, unsigned from)
{
	uint64_t used = 1;
	for (unsigned k = 0; from && k < t->n_keys; k++)
		used += 1 + (unsigned)t->width[k];
	unsigned end = from;
	while (end < t->n_columns &&
	       (!t->screen || end <= (from ? from : t->n_keys) || used + 1 + (unsigned)t->width[end] <= t->screen))
		used += 1 + (unsigned)t->width[end++];
	return end;
}

static void cell_add(const struct drawn_table *t, unsigned k, const char *s, struct text *out)
{
	if (t->node->u.table.titles[k][0] != '<')
		text_addf(out, " %*s", t->width[k], s);
	else if (k + 1 == t->n_columns)
		text_addf(out, " %s", s);
	else
		text_addf(out, " %-*s", t->width[k], s);
}

/* Appends the keys and the columns of a part: a row's cells, or the titles if `cells` is NULL. */
static void row_add(const struct drawn_table *t, unsigned from, unsigned end, char *const *cells, struct text *out)
{
	for (unsigned k = 0; k < end; k++)
		if (k >= from || k < t->n_keys)
			cell_add(t, k, cells ? cells[k] : report_title(t->node, k), out);
}

/* Appends a newline in place of the blanks at the line's end. */
static void line_end(struct text *out)
{
	while (out->n && out->s[out->n - 1] == ' ')
		out->s[--out->n] = '\0';
	text_addc(out, '\n');
}

static void part_draw(const struct drawn_table *t, unsigned from, unsigned end, struct text *out)
{
	size_t k = 0;
	text_addc(out, ' ');
	row_add(t, from, end, NULL, out);
	if (end < t->n_columns)
		line_end(out);
	else
		text_addc(out, '\n');
	for (const struct report_node *r = t->node->first; r; r = r->next, k++) {
		if (r->look)
			text_addf(out, "%s\n", r->look);
		text_addc(out, r->u.has_focus ? '*' : ' ');
		row_add(t, from, end, t->cells + k * t->n_columns, out);
		line_end(out);
	}
}

void report_draw_table(const struct report_node *table, uint32_t width, struct text *out)
{
	struct drawn_table t = {.node = table,
				.n_columns = table->u.table.n_columns,
				.n_keys = table->u.table.n_keys,
				.n_rows = table->n_children,
				.screen = width};
	if (!t.n_rows) {
		text_add(out, table->look ? table->look : "");
		return;
	}
	t.cells = xcalloc(t.n_rows * t.n_columns, sizeof *t.cells);
	t.width = xcalloc(t.n_columns, sizeof *t.width);
	cells_fill(&t);
	widths_fill(&t);
	for (unsigned from = 0, end; from < t.n_columns; from = end) {
		end = part_end(&t, from);
		if (from)
			text_addc(out, '\n');
		part_draw(&t, from, end, out);
	}
	for (size_t k = 0; k < t.n_rows * t.n_columns; k++)
		free(t.cells[k]);
	free(t.cells);
	free(t.width);
}

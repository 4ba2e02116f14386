/* Text tables. */
#include <stdarg.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/internal.h"
#include "debug/table.h"

void table_init(struct table *t, const char *const *titles, unsigned n_columns)
{
	*t = (struct table){.titles = titles, .n_columns = n_columns};
}

void table_row(struct table *t, bool starred)
{
	size_t cap = t->cap_rows;
	t->starred = xgrow(t->starred, &cap, t->n_rows + 1, sizeof *t->starred);
	t->groups = xgrow(t->groups, &t->cap_rows, t->n_rows + 1, sizeof *t->groups);
	t->starred[t->n_rows] = starred;
	t->groups[t->n_rows++] = NULL;
	t->cells = xgrow(t->cells, &t->cap_cells, t->n_rows * (t->n_columns + 1u), sizeof *t->cells);
	memset(t->cells + (t->n_rows - 1) * t->n_columns, 0, t->n_columns * sizeof *t->cells);
}

__attribute__((format(printf, 1, 0))) static char *format(const char *fmt, va_list ap)
{
	struct text s = {0};
	text_vaddf(&s, fmt, ap);
	return s.s ? text_take(&s) : xstrdup("");
}

void table_group(struct table *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	t->groups[t->n_rows - 1] = format(fmt, ap);
	va_end(ap);
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;
	char **row = t->cells + (t->n_rows - 1) * t->n_columns;
	unsigned k = 0;
	while (k < t->n_columns && row[k])
		k++;
	if (k == t->n_columns)
		return;
	va_start(ap, fmt);
	row[k] = format(fmt, ap);
	va_end(ap);
}

void table_dim3(struct table *t, const uint32_t v[3]) { table_cell(t, "(%u,%u,%u)", v[0], v[1], v[2]); }

static const char *title(const struct table *t, unsigned k) { return t->titles[k] + (t->titles[k][0] == '<'); }

static void add_cell(const struct table *t, unsigned k, int width, const char *s, struct text *out)
{
	if (t->titles[k][0] != '<')
		text_addf(out, " %*s", width, s);
	else if (k + 1 == t->n_columns)
		text_addf(out, " %s", s);
	else
		text_addf(out, " %-*s", width, s);
}

static int *column_widths(const struct table *t)
{
	int *width = xcalloc(t->n_columns, sizeof *width);
	for (unsigned k = 0; k < t->n_columns; k++) {
		width[k] = (int)strlen(title(t, k));
		for (size_t r = 0; r < t->n_rows; r++) {
			const char *s = t->cells[r * t->n_columns + k];
			if (s && (int)strlen(s) > width[k])
				width[k] = (int)strlen(s);
		}
	}
	return width;
}

static void end_line(struct text *out)
{
	while (out->n && out->s[out->n - 1] == ' ')
		out->s[--out->n] = '\0';
	text_addc(out, '\n');
}

/* Columns that every block of a broken table begins with: what a row is about. */
static unsigned keys(const struct table *t) { return t->n_columns > 1 && !strcmp(title(t, 1), "Warp") ? 2 : 1; }

/* Of the columns from `from` on, after the keys if it isn't the first block: as many as fit, at least one. */
static unsigned block_end(const struct table *t, const int *width, unsigned from)
{
	uint64_t used = 1;
	for (unsigned k = 0; from && k < keys(t); k++)
		used += 1 + (unsigned)width[k];
	unsigned end = from;
	while (end < t->n_columns &&
	       (!t->fit || end <= (from ? from : keys(t)) || used + 1 + (unsigned)width[end] <= t->fit))
		used += 1 + (unsigned)width[end++];
	return end;
}

static void add_row(const struct table *t, const int *width, unsigned from, unsigned end, char *const *cells,
		    struct text *out)
{
	for (unsigned k = 0; k < end; k++)
		if (k >= from || k < keys(t))
			add_cell(t, k, width[k], cells ? cells[k] ? cells[k] : "" : title(t, k), out);
}

static void print_block(const struct table *t, const int *width, unsigned from, unsigned end, struct text *out)
{
	text_addc(out, ' ');
	add_row(t, width, from, end, NULL, out);
	if (end < t->n_columns)
		end_line(out);
	else
		text_addc(out, '\n');
	for (size_t r = 0; r < t->n_rows; r++) {
		if (t->groups[r])
			text_addf(out, "%s\n", t->groups[r]);
		text_addc(out, t->starred[r] ? '*' : ' ');
		add_row(t, width, from, end, t->cells + r * t->n_columns, out);
		end_line(out);
	}
}

void table_print(struct table *t, struct text *out)
{
	int *width = column_widths(t);
	for (unsigned from = 0, end; from < t->n_columns; from = end) {
		end = block_end(t, width, from);
		if (from)
			text_addc(out, '\n');
		print_block(t, width, from, end, out);
	}
	for (size_t k = 0; k < t->n_rows * t->n_columns; k++)
		free(t->cells[k]);
	for (size_t r = 0; r < t->n_rows; r++)
		free(t->groups[r]);
	free(t->cells);
	free(t->groups);
	free(t->starred);
	free(width);
}

/* A module: places of its text as line and column, diagnostics, and what it owns. */
#include "ptx/ast.h"

#include <stdarg.h>

#include "base/text.h"

#define SOURCE_MAX 4096u /* a longer line is not quoted */

void ptx_position(const struct ptx_module *m, ptx_offset at, uint32_t *line, uint32_t *col)
{
	uint32_t lo = 0, hi = m->n_lines;

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->line_start[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	*line = m->n_lines ? lo + 1 : 0;
	*col = m->n_lines ? at - m->line_start[lo] + 1 : 0;
}

void ptx_diag(struct ptx_module *m, enum diag_severity sev, ptx_offset at, const char *fmt, ...)
{
	uint32_t line, col;
	struct text message = {0};
	const char *source = NULL;
	size_t n_source = 0;
	va_list ap;

	ptx_position(m, at, &line, &col);
	if (line) {
		uint32_t start = m->line_start[line - 1],
			 end = line < m->n_lines ? m->line_start[line] : (uint32_t)m->n_text;

		while (end > start && (m->text[end - 1] == '\n' || m->text[end - 1] == '\r'))
			end--;
		source = end - start <= SOURCE_MAX ? m->text + start : NULL;
		n_source = end - start;
	}
	va_start(ap, fmt);
	text_vaddf(&message, fmt, ap);
	va_end(ap);
	diag_add(m->diags, sev, m->file, line, col, source, n_source, "%s", text_str(&message));
	text_free(&message);
}

void ptx_diag_sort(struct diag_list *l, size_t first)
{
	for (size_t i = first + 1; i < l->n; i++) {
		struct diag d = l->v[i];
		size_t k = i;

		for (; k > first &&
		       (l->v[k - 1].line > d.line || (l->v[k - 1].line == d.line && l->v[k - 1].col > d.col));
		     k--)
			l->v[k] = l->v[k - 1];
		l->v[k] = d;
	}
}

void ptx_module_free(struct ptx_module *m)
{
	hash_map_free(&m->opcodes);
	pool_free(&m->pool);
	m->scope = NULL;
	m->functions = NULL;
}

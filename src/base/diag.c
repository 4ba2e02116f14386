#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"

void diag_list_init(struct diag_list *l) { *l = (struct diag_list){0}; }

void diag_list_free(struct diag_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].message);
		free(l->v[i].source);
	}
	free(l->v);
	*l = (struct diag_list){0};
}

void diag_add(struct diag_list *l, enum diag_severity severity, const char *file, uint32_t line, uint32_t col, const char *source,
	      size_t n_source, const char *fmt, ...)
{
	l->n_errors += severity == DIAG_ERROR;
	l->n_warnings += severity == DIAG_WARNING;
	if (l->limit && severity == DIAG_ERROR && l->n_errors > l->limit)
		return;
	struct text message = {0};
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&message, fmt, ap);
	va_end(ap);
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct diag){
		.severity = severity,
		.file = file,
		.line = line,
		.col = col,
		.message = text_take(&message),
		.source = source ? xstrndup(source, n_source) : NULL,
	};
}

/* A source line can be megabytes long: show a part of it around the column. */
#define DIAG_SOURCE_MAX 160u

static void format_source(struct text *out, const struct diag *d)
{
	size_t n = strlen(d->source), from = 0, col = d->col ? d->col - 1 : 0;
	if (col > n)
		col = n;
	if (n > DIAG_SOURCE_MAX) {
		from = col > DIAG_SOURCE_MAX / 2 ? col - DIAG_SOURCE_MAX / 2 : 0;
		n = n - from > DIAG_SOURCE_MAX ? DIAG_SOURCE_MAX : n - from;
	}
	for (size_t i = 0; i < n; i++) {
		char c = d->source[from + i];
		text_addc(out, c == '\t' || (unsigned char)c >= ' ' ? c : '?');
	}
	text_addc(out, '\n');
	if (!d->col)
		return;
	for (size_t i = from; i < col; i++)
		text_addc(out, d->source[i] == '\t' ? '\t' : ' ');
	text_add(out, "^\n");
}

void diag_format(struct text *out, const struct diag *d)
{
	static const char *const word[] = {"error", "warning", "note"};
	text_addf(out, "%s: ", word[d->severity]);
	if (d->file && d->line)
		text_addf(out, "%s:%u:%u: ", d->file, d->line, d->col ? d->col : 1);
	else if (d->file)
		text_addf(out, "%s: ", d->file);
	text_addf(out, "%s\n", d->message);
	if (d->source && d->source[strspn(d->source, " \t\r")])
		format_source(out, d);
}

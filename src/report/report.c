/* Building a report. */
#include "report/report.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/report_tree.h"

struct report *report_create(void)
{
	struct report *r = xcalloc(1, sizeof *r);
	r->root.kind = REPORT_OBJECT;
	r->open = r->newest = &r->root;
	return r;
}

/* Frees what a node holds, and its children. */
static void node_free(struct report_node *n)
{
	for (struct report_node *c = n->first, *next; c; c = next) {
		next = c->next;
		node_free(c);
		free(c);
	}
	free(n->name);
	free(n->look);
	free(n->brief);
	text_free(&n->text);
}

void report_node_free(struct report_node *n)
{
	node_free(n);
	free(n);
}

void report_destroy(struct report *r)
{
	if (!r)
		return;
	node_free(&r->root);
	free(r);
}

static struct report_node *node_add(struct report *r, enum report_kind kind, const char *name)
{
	struct report_node *n = xcalloc(1, sizeof *n), *in = r->open;
	n->kind = kind;
	n->name = name ? xstrdup(name) : NULL;
	n->parent = in;
	if (in->last)
		in->last->next = n;
	else
		in->first = n;
	in->last = n;
	in->n_children++;
	r->newest = n;
	return n;
}

__attribute__((format(printf, 1, 0))) static char *formatted(const char *fmt, va_list ap)
{
	struct text s = {0};
	text_vaddf(&s, fmt, ap);
	return text_take(&s);
}

/* ---- containers ---- */

void report_open(struct report *r, const char *name) { r->open = node_add(r, REPORT_OBJECT, name); }
void report_list(struct report *r, const char *name) { r->open = node_add(r, REPORT_LIST, name); }

void report_group(struct report *r, unsigned columns)
{
	r->open = node_add(r, REPORT_GROUP, NULL);
	r->open->u.indent = columns;
}

void report_move(struct report *r, const char *name, struct report *from)
{
	struct report_node *n = node_add(r, REPORT_OBJECT, name);
	assert(from->open == &from->root);
	n->first = from->root.first;
	n->last = from->root.last;
	n->n_children = from->root.n_children;
	for (struct report_node *c = n->first; c; c = c->next)
		c->parent = n;
	from->root.first = from->root.last = NULL;
	from->root.n_children = 0;
	from->newest = &from->root;
}

void report_append(struct report *r, const char *list, struct report *from)
{
	struct report_node *const in = r->open, *n = in->first;
	while (n && !(n->kind == REPORT_LIST && n->name && !strcmp(n->name, list)))
		n = n->next;
	r->open = n ? n : node_add(r, REPORT_LIST, list);
	report_move(r, NULL, from);
	r->newest = r->open;
	r->open = in;
}

static void copy_children(struct report *r, const struct report_node *from)
{
	for (const struct report_node *c = from->first; c; c = c->next) {
		if (!report_is_data(c) && c->kind != REPORT_GROUP)
			continue;
		struct report_node *const n = node_add(r, c->kind, c->name), *const in = r->open;
		n->u = c->u;
		n->look = c->look ? xstrdup(c->look) : NULL;
		n->brief = c->brief ? xstrdup(c->brief) : NULL;
		text_addn(&n->text, text_str(&c->text), c->text.n);
		r->open = n;
		copy_children(r, c);
		r->open = in;
	}
}

void report_copy(struct report *r, const struct report *from) { copy_children(r, &from->root); }

static bool is_row(const struct report_node *n) { return n->parent && n->parent->kind == REPORT_TABLE; }

static struct report_node *table_of(const struct report *r)
{
	struct report_node *t = is_row(r->open) ? r->open->parent : r->open;
	assert(t->kind == REPORT_TABLE);
	return t;
}

void report_close(struct report *r)
{
	if (is_row(r->open))
		r->open = r->open->parent;
	assert(r->open->parent);
	r->newest = r->open;
	r->open = r->open->parent;
}

void report_table(struct report *r, const char *name, const char *const *titles, unsigned n_columns)
{
	struct report_node *t = node_add(r, REPORT_TABLE, name);
	t->u.table.titles = titles;
	t->u.table.n_columns = n_columns;
	t->u.table.n_keys = 1;
	r->open = t;
}

void report_table_keys(struct report *r, unsigned n) { table_of(r)->u.table.n_keys = n; }

void report_row(struct report *r, bool has_focus)
{
	r->open = table_of(r);
	r->open = node_add(r, REPORT_OBJECT, NULL);
	r->open->u.has_focus = has_focus;
}

void report_row_heading(struct report *r, const char *fmt, ...)
{
	va_list ap;
	assert(is_row(r->open));
	va_start(ap, fmt);
	free(r->open->look);
	r->open->look = formatted(fmt, ap);
	va_end(ap);
}

void report_instead(struct report *r, const char *fmt, ...)
{
	struct report_node *t = table_of(r);
	va_list ap;
	va_start(ap, fmt);
	free(t->look);
	t->look = formatted(fmt, ap);
	va_end(ap);
}

size_t report_rows(const struct report *r) { return table_of(r)->n_children; }

/* ---- cells ---- */

void report_brief(struct report *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	free(r->newest->brief);
	r->newest->brief = formatted(fmt, ap);
	va_end(ap);
}

void report_look(struct report *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	free(r->newest->look);
	r->newest->look = formatted(fmt, ap);
	va_end(ap);
}

void report_number(struct report *r, const char *name, uint64_t v) { node_add(r, REPORT_NUMBER, name)->u.number = v; }
void report_signed(struct report *r, const char *name, int64_t v) { node_add(r, REPORT_SIGNED, name)->u.signed_number = v; }

void report_hex(struct report *r, const char *name, uint64_t v)
{
	report_number(r, name, v);
	report_look(r, "0x%" PRIx64, v);
}

void report_mask(struct report *r, const char *name, uint64_t v, int digits)
{
	report_number(r, name, v);
	report_look(r, "0x%0*" PRIx64, digits, v);
}

void report_lanes(struct report *r, const char *name, uint32_t v) { report_mask(r, name, v, 8); }

void report_real(struct report *r, const char *name, double v, const char *look)
{
	node_add(r, REPORT_REAL, name)->u.real = v;
	report_look(r, "%s", look);
}

void report_text(struct report *r, const char *name, const char *s) { text_add(&node_add(r, REPORT_STRING, name)->text, s); }

void report_textf(struct report *r, const char *name, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(&node_add(r, REPORT_STRING, name)->text, fmt, ap);
	va_end(ap);
}

void report_flag(struct report *r, const char *name, bool v) { node_add(r, REPORT_FLAG, name)->u.flag = v; }

void report_none(struct report *r, const char *name, const char *look)
{
	node_add(r, REPORT_NONE, name);
	report_look(r, "%s", look);
}

void report_triple(struct report *r, const char *name, const uint32_t v[3])
{
	report_list(r, name);
	for (unsigned k = 0; k < 3; k++)
		report_number(r, NULL, v[k]);
	report_close(r);
	report_look(r, "(%u,%u,%u)", v[0], v[1], v[2]);
}

/* ---- sentences ---- */

void report_line(struct report *r, const char *template) { node_add(r, REPORT_LINE, NULL)->u.template = template; }

struct text *report_prose(struct report *r)
{
	struct report_node *last = r->open->last;
	return &(last && last->kind == REPORT_PROSE ? last : node_add(r, REPORT_PROSE, NULL))->text;
}

void report_say(struct report *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	text_vaddf(report_prose(r), fmt, ap);
	va_end(ap);
}

/* Dropping the members of a list that cost least. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/report_tree.h"

struct priced {
	struct report_node *node;
	uint64_t cost;
	size_t place;
};

/* Returns whether a column's title is called `name`, of n characters, as JSON. */
static bool is_title(const char *title, const char *name, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (!title[k] || (isalnum((unsigned char)title[k]) ? tolower((unsigned char)title[k]) : '_') != name[k])
			return false;
	return !title[n];
}

/* Returns the member of an object, or the cell of a table's row, that is called so, or NULL. */
static struct report_node *member(const struct report_node *in, const char *name, size_t n)
{
	const struct report_node *table = in->parent && in->parent->kind == REPORT_TABLE ? in->parent : NULL;
	unsigned column = 0;
	for (struct report_node *c = in->first; c; c = c->next) {
		if (!report_is_data(c))
			continue;
		if (c->name ? strlen(c->name) == n && !memcmp(c->name, name, n)
			    : table && column < table->u.table.n_columns && is_title(report_title(table, column++), name, n))
			return c;
	}
	return NULL;
}

/* Returns the node at the end of a path of members below another one, or NULL. */
static struct report_node *node_at(struct report_node *n, const char *path)
{
	while (n && *path) {
		const size_t length = strcspn(path, ".");
		n = member(n, path, length);
		path += length + (path[length] == '.');
	}
	return n;
}

/* Returns the number at the end of a path of members, `a.b`; 0 if there is none. */
static uint64_t number_at(struct report_node *n, const char *path)
{
	n = node_at(n, path);
	return n && n->kind == REPORT_NUMBER ? n->u.number : 0;
}

static int costliest_first(const void *a, const void *b)
{
	const struct priced *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

static int in_order(const void *a, const void *b)
{
	const struct priced *x = a, *y = b;
	return (x->place > y->place) - (x->place < y->place);
}

/* Keeps the `most` costliest members of a list. Returns how many are left. */
static size_t keep_of(struct report_node *list, const char *cost, size_t most)
{
	const size_t n = list->n_children;
	if (n <= most)
		return n;
	struct priced *v = xcalloc(n + 1, sizeof *v);
	size_t k = 0;
	for (struct report_node *c = list->first; c; c = c->next, k++)
		v[k] = (struct priced){.node = c, .cost = cost ? number_at(c, cost) : 0, .place = k};
	qsort(v, n, sizeof *v, costliest_first);
	for (k = most; k < n; k++)
		report_node_free(v[k].node);
	qsort(v, most, sizeof *v, in_order);
	list->first = list->last = NULL;
	for (k = 0; k < most; k++) {
		*(list->last ? &list->last->next : &list->first) = v[k].node;
		list->last = v[k].node;
		list->last->next = NULL;
	}
	list->n_children = most;
	free(v);
	return most;
}

size_t report_keep(struct report *r, const char *list, const char *cost, size_t most)
{
	struct report_node *n = node_at(r->open, list);
	return n && (n->kind == REPORT_LIST || n->kind == REPORT_TABLE) ? keep_of(n, cost, most) : 0;
}

void report_drop(struct report *r, const char *path)
{
	struct report_node *n = node_at(r->open, path), *before = NULL;
	if (!n || n == r->open)
		return;
	struct report_node *const in = n->parent;
	for (struct report_node *c = in->first; c != n; c = c->next)
		before = c;
	*(before ? &before->next : &in->first) = n->next;
	if (in->last == n)
		in->last = before;
	in->n_children--;
	report_node_free(n);
}

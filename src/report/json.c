/* A report as JSON. */
#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_tree.h"

/* Returns a JSON string; bytes that are no UTF-8 become '?'. */
static json_t *string_json(const char *s)
{
	json_t *j = json_string(s);
	struct text plain = {0};
	if (j)
		return j;
	for (; *s; s++)
		text_addc(&plain, (unsigned char)*s < 0x80 ? *s : '?');
	j = json_string(text_str(&plain));
	text_free(&plain);
	return j;
}

/* Returns a number; one above 2^63, which JSON readers lose, is a string. */
static json_t *number_json(uint64_t v)
{
	char digits[24];
	if (v <= INT64_MAX)
		return json_integer((json_int_t)v);
	snprintf(digits, sizeof digits, "%" PRIu64, v);
	return json_string(digits);
}

/* Appends a member's name: that of a column is its title in lower case, with '_' for all that is no letter or digit. */
static void name_add(const struct report_node *table, const struct report_node *cell, unsigned column, struct text *out)
{
	if (cell->name || !table || column >= table->u.table.n_columns) {
		text_add(out, cell->name ? cell->name : "");
		return;
	}
	for (const char *s = report_title(table, column); *s; s++) {
		if (isalnum((unsigned char)*s))
			text_addc(out, (char)tolower((unsigned char)*s));
		else if (out->n && out->s[out->n - 1] != '_')
			text_addc(out, '_');
	}
}

static json_t *node_json(const struct report_node *n);

/* Adds the members of an object, or of a row of `table`, and of its groups. */
static void members_add(json_t *j, const struct report_node *n, const struct report_node *table)
{
	unsigned column = 0;
	for (const struct report_node *c = n->first; c; c = c->next) {
		struct text name = {0};
		if (c->kind == REPORT_GROUP)
			members_add(j, c, NULL);
		if (!report_is_data(c) || (!c->name && !table))
			continue;
		name_add(table, c, c->name ? 0 : column++, &name);
		json_object_set_new(j, text_str(&name), node_json(c));
		text_free(&name);
	}
}

/* An object, or a row of `table`. */
static json_t *object_json(const struct report_node *n, const struct report_node *table)
{
	json_t *j = json_object();
	if (table && n->look)
		json_object_set_new(j, "heading", string_json(n->look));
	members_add(j, n, table);
	if (table && n->u.has_focus)
		json_object_set_new(j, "focus", json_true());
	return j;
}

static json_t *list_json(const struct report_node *n)
{
	json_t *j = json_array();
	for (const struct report_node *c = n->first; c; c = c->next)
		if (report_is_data(c))
			json_array_append_new(j, n->kind == REPORT_TABLE ? object_json(c, n) : node_json(c));
	return j;
}

static json_t *node_json(const struct report_node *n)
{
	switch (n->kind) {
	case REPORT_OBJECT: return object_json(n, NULL);
	case REPORT_LIST:
	case REPORT_TABLE: return list_json(n);
	case REPORT_NUMBER: return number_json(n->u.number);
	case REPORT_SIGNED: return json_integer(n->u.signed_number);
	case REPORT_REAL: return isfinite(n->u.real) ? json_real(n->u.real) : string_json(n->look);
	case REPORT_STRING: return string_json(text_str(&n->text));
	case REPORT_FLAG: return json_boolean(n->u.flag);
	default: return json_null();
	}
}

/* A report that consists of a list without a name is that list. */
static json_t *root_json(const struct report *r)
{
	for (const struct report_node *c = r->root.first; c; c = c->next)
		if (report_is_data(c) && c->kind == REPORT_LIST && !c->name)
			return list_json(c);
	return object_json(&r->root, NULL);
}

void report_json(const struct report *r, bool one_line, struct text *out)
{
	json_t *j = root_json(r);
	char *s = json_dumps(j, JSON_PRESERVE_ORDER | (one_line ? JSON_COMPACT : JSON_INDENT(2)));
	text_add(out, s ? s : "{}");
	free(s);
	json_decref(j);
}

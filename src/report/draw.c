/* A report as people read it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_tree.h"

void report_look_of(const struct report_node *n, struct text *out)
{
	if (n->look) {
		text_add(out, n->look);
		return;
	}
	switch (n->kind) {
	case REPORT_NUMBER: text_addf(out, "%" PRIu64, n->u.number); break;
	case REPORT_SIGNED: text_addf(out, "%" PRId64, n->u.signed_number); break;
	case REPORT_STRING: text_add(out, text_str(&n->text)); break;
	case REPORT_FLAG: text_add(out, n->u.flag ? "yes" : "no"); break;
	case REPORT_LIST:
		for (const struct report_node *c = n->first; c; c = c->next) {
			text_add(out, c == n->first ? "" : ", ");
			report_look_of(c, out);
		}
		break;
	default: break;
	}
}

/* ---- templates ---- */

/* Finds the data of a dotted path of n bytes in an object. */
static const struct report_node *cell_find(const struct report_node *in, const char *path, size_t n)
{
	const char *dot = memchr(path, '.', n);
	const size_t first = dot ? (size_t)(dot - path) : n;
	for (const struct report_node *c = in->first; c; c = c->next) {
		if (!c->name || !report_is_data(c) || strlen(c->name) != first || memcmp(c->name, path, first))
			continue;
		return dot ? cell_find(c, dot + 1, n - first - 1) : c;
	}
	return NULL;
}

/* Appends a look in as many columns as the text behind the ':' says: on the right, or with a '-' on the left. */
static void padded_draw(const struct report_node *c, const char *columns, struct text *out)
{
	struct text look = {0};
	report_look_of(c, &look);
	text_addf(out, "%*s", atoi(columns), text_str(&look));
	text_free(&look);
}

/* Appends what stands for `{name}`, `{name|s}`, `{name:5}` or `{name:brief}`, whose n bytes between the braces are given. Returns false if there is no such cell. */
static bool cell_draw(const struct report_node *in, const char *s, size_t n, struct text *out)
{
	const char *bar = memchr(s, '|', n), *colon = memchr(s, ':', n);
	const char *const end = bar ? bar : colon ? colon : s + n;
	const struct report_node *c = cell_find(in, s, (size_t)(end - s));
	if (!c)
		return false;
	if (colon && !bar && c->brief && colon + 1 + 5 == s + n && !memcmp(colon + 1, "brief", 5))
		text_add(out, c->brief);
	else if (colon && !bar)
		padded_draw(c, colon + 1, out);
	else if (!bar)
		report_look_of(c, out);
	else if (c->kind != REPORT_NUMBER || c->u.number != 1)
		text_addn(out, bar + 1, (size_t)(s + n - bar - 1));
	return true;
}

/* Appends a template up to its end or to the ']' that closes an optional part, and moves *s there. Returns false if a cell was missing. */
static bool template_draw(const struct report_node *in, const char **s, bool is_part, struct text *out)
{
	bool is_complete = true;
	for (; **s && !(is_part && **s == ']' && (*s)[1] != ']'); ++*s) {
		const char c = **s;
		if (strchr("{}[]", c) && (*s)[1] == c) {
			text_addc(out, *++*s);
		} else if (c == '{') {
			const char *end = strchr(*s, '}');
			if (!end)
				return false;
			is_complete &= cell_draw(in, *s + 1, (size_t)(end - *s - 1), out);
			*s = end;
		} else if (c == '[') {
			struct text part = {0};
			++*s;
			if (template_draw(in, s, true, &part))
				text_add(out, text_str(&part));
			text_free(&part);
			if (!**s)
				break;
		} else {
			text_addc(out, c);
		}
	}
	return is_complete;
}

/* ---- the tree ---- */

static void children_draw(const struct report_node *n, uint32_t width, struct text *out);

/* Appends what a group draws, with blanks in front of each line. */
static void group_draw(const struct report_node *n, uint32_t width, struct text *out)
{
	struct text drawn = {0};
	children_draw(n, width, &drawn);
	for (const char *s = text_str(&drawn); *s;) {
		const size_t line = strcspn(s, "\n");
		text_addf(out, "%*s%.*s\n", (int)n->u.indent, "", (int)line, s);
		s += line + (s[line] == '\n');
	}
	text_free(&drawn);
}

static void node_draw(const struct report_node *n, uint32_t width, struct text *out)
{
	const char *template;
	switch (n->kind) {
	case REPORT_LINE:
		template = n->u.template;
		template_draw(n->parent, &template, false, out);
		break;
	case REPORT_PROSE: text_addn(out, text_str(&n->text), n->text.n); break;
	case REPORT_TABLE: report_draw_table(n, width, out); break;
	case REPORT_GROUP: group_draw(n, width, out); break;
	default: children_draw(n, width, out);
	}
}

static void children_draw(const struct report_node *n, uint32_t width, struct text *out)
{
	for (const struct report_node *c = n->first; c; c = c->next)
		node_draw(c, width, out);
}

void report_draw(const struct report *r, uint32_t width, struct text *out) { node_draw(&r->root, width, out); }

bool report_has_words(const struct report *r)
{
	struct text words = {0};
	report_draw(r, 0, &words);
	const bool any = words.n > 0;
	text_free(&words);
	return any;
}

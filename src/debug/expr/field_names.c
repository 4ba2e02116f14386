/* The machine's fields by name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debug/expr/expr_internal.h"
#include "debug/expr/fields.h"
#include "debug/ground/scan.h"

static const char *const roots[] = {"core", "cluster", "partition", "icnt", "dram", "requests"};

bool field_known(const struct debug *d, const char *path)
{
	const char *p;
	for (size_t k = 0; d->fields && (p = d->fields->path(k)) != NULL; k++)
		if (!strcmp(p, path))
			return true;
	return false;
}

bool field_is_part(const struct debug *d, const char *path)
{
	const size_t n = strlen(path);
	const char *p;
	for (size_t k = 0; d->fields && (p = d->fields->path(k)) != NULL; k++)
		if (!strncmp(p, path, n) && (p[n] == '.' || p[n] == '['))
			return true;
	return false;
}

/* Returns the length of a text from its '[' to the ']' that closes it. Returns 0 if nothing closes it. */
static size_t field_bracket_length(const char *s)
{
	int depth = 0;
	for (size_t n = 0; s[n]; n++) {
		depth += s[n] == '[';
		depth -= s[n] == ']';
		if (!depth)
			return n + 1;
	}
	return 0;
}

bool field_scan(const char *s, size_t *n)
{
	const size_t root = scan_name(s);
	bool known = false, dotted = false;
	for (size_t k = 0; k < sizeof roots / sizeof *roots; k++)
		known |= strlen(roots[k]) == root && !memcmp(roots[k], s, root);
	for (*n = root; known; ) {
		size_t more = 0;
		if (s[*n] == '[') {
			more = field_bracket_length(s + *n);
		} else if (s[*n] == '.' && (isalpha((unsigned char)s[*n + 1]))) {
			more = 1 + scan_name(s + *n + 1);
			dotted = true;
		}
		if (!more)
			break;
		*n += more;
	}
	return known && dotted;
}

bool field_is_root(const char *name)
{
	for (size_t k = 0; k < sizeof roots / sizeof *roots; k++)
		if (!strcmp(roots[k], name))
			return true;
	return false;
}

bool field_eval(struct debug *d, const char *text, struct field_value *out, struct text *why)
{
	struct text path = {0};
	int64_t index[FIELD_INDICES] = {0};
	unsigned k = 0;
	bool ok = true;
	for (const char *s = text; *s && ok;) {
		if (*s != '[') {
			text_addc(&path, *s++);
			continue;
		}
		size_t n = field_bracket_length(s);
		char *inside = n > 2 ? strndup(s + 1, n - 2) : NULL;
		ok = inside && k < FIELD_INDICES && debug_eval_integer(d, inside, &index[k++], why);
		free(inside);
		text_add(&path, "[]");
		s += n;
	}
	if ((!ok || !d->fields) && !why->n)
		debug_fail(why, "the machine has no field %s; `info fields` lists them", text);
	ok = ok && d->fields && d->fields->get(d, text_str(&path), index, out, why);
	text_free(&path);
	return ok;
}

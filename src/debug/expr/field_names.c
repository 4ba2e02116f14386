/* Names of the machine's fields, as the table has them. */
#include <ctype.h>
#include <string.h>

#include "debug/expr/expr_internal.h"
#include "debug/expr/fields.h"
#include "debug/scan.h"

static const char *const paths[] = {
#define FIELD(path, kind, expression, help) path,
#include "debug/perf/machine_fields.def"
#undef FIELD
};
#define PATHS (sizeof paths / sizeof *paths)

static const char *const roots[] = {"core", "cluster", "partition", "icnt", "requests"};

bool field_known(const char *path)
{
	for (size_t k = 0; k < PATHS; k++)
		if (!strcmp(paths[k], path))
			return true;
	return false;
}

bool field_is_part(const char *path)
{
	const size_t n = strlen(path);
	for (size_t k = 0; k < PATHS; k++)
		if (!strncmp(paths[k], path, n) && (paths[k][n] == '.' || paths[k][n] == '['))
			return true;
	return false;
}

size_t field_bracket_length(const char *s)
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

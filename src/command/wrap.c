/* Long lines of dumps on a screen. */
#include <string.h>

#include "debug/ground/ground.h"
#include "command/wrap.h"

#define DEEPER 4u /* what continues in the next line is indented so much more */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Where a line of n characters breaks, so that the first part fits in `width`, or at the first blank after that; n: nowhere. */
static size_t break_of(const char *s, size_t n, size_t width)
{
	size_t at = width;
	while (at && !is_blank(s[at]))
		at--;
	if (at)
		return at;
	for (at = width; at < n && !is_blank(s[at]);)
		at++;
	return at;
}

static void wrap_line(const char *s, size_t n, size_t width, unsigned column, struct text *out)
{
	size_t indent = 0, deep;
	while (indent < n && s[indent] == ' ')
		indent++;
	deep = column ? column : indent + DEEPER;
	deep = deep < width / 2 ? deep : 0;
	text_addn(out, s, indent);
	for (size_t used = indent, first = indent; used < n; first = deep) {
		const size_t room = width > first ? width - first : 1, left = n - used;
		const size_t part = left > room ? break_of(s + used, left, room) : left;
		text_addn(out, s + used, part);
		used += part;
		while (used < n && is_blank(s[used]))
			used++;
		if (used < n)
			text_addf(out, "\n%*s", (int)deep, "");
	}
}

void wrap_lines(const struct debug *d, struct text *lines, struct text *out) { wrap_lines_at(d, 0, lines, out); }

void wrap_lines_at(const struct debug *d, unsigned column, struct text *lines, struct text *out)
{
	const uint32_t width = d->settings.width;
	const char *s = text_str(lines);
	if (!width || width == UINT32_MAX) {
		text_add(out, s);
		return;
	}
	while (*s) {
		const size_t n = strcspn(s, "\n");
		wrap_line(s, n, width, column, out);
		s += n;
		if (*s) {
			text_addc(out, '\n');
			s++;
		}
	}
}

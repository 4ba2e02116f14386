/* Where a name of C++ ends: it may have scopes and template arguments, lin::gemm<8>::C, and < may be a comparison. */
#include <ctype.h>
#include <string.h>

#include "debug/expr/expr.h"
#include "debug/expr/expr_parse.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/view/name_match.h"

static bool begins_with_type(const char *s)
{
	enum isa_type t;
	uint8_t pointers;
	return expr_parse_type(&s, &t, &pointers) && (*s == ',' || *s == '>');
}

/* After a >: can what follows be none of its operands? */
static bool ends_name(const char *s)
{
	s = scan_blanks(s);
	if (!*s || strchr(")],;?|^/<>[=@}", *s) || scan_word(&s, "if"))
		return true;
	return (*s == '.' && !isdigit((unsigned char)s[1])) || (*s == '-' && s[1] == '>') ||
	       (*s == '!' && s[1] == '=') || (*s == '&' && s[1] == '&') || (*s == ':' && s[1] != ':');
}

/* Length of <ARGUMENTS> that belong to the name in front, as they do where :: and a name follow, and where it can be no comparison. */
static size_t scan_arguments(const char *s)
{
	size_t n = name_template_arguments(s);
	const char *after = scan_blanks(s + n);
	if (!n || s[n] == '>' || s[n] == '=') /* >> and >= are other operators */
		return 0;
	if (after[0] == ':' && after[1] == ':' && scan_name(scan_blanks(after + 2)))
		return (size_t)(after - s);
	return begins_with_type(s + 1) || ends_name(s + n) ? n : 0;
}

size_t expr_scan_scopes(const char *name, size_t n)
{
	if (!n || *name == '%' || *name == '$')
		return n;
	n += scan_arguments(name + n);
	while (name[n] == ':' && name[n + 1] == ':') {
		size_t blanks = (size_t)(scan_blanks(name + n + 2) - (name + n + 2)),
		       more = scan_name(name + n + 2 + blanks);
		if (!more || name[n + 2 + blanks] == '%')
			break;
		n += 2 + blanks + more;
		n += scan_arguments(name + n);
	}
	return n;
}

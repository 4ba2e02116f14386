/* Types as users write them: PTX's names, C's spellings, cuda-gdb's spaces. */
#include <ctype.h>
#include <string.h>

#include "debug/expr/expr_internal.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"

static const struct {
	const char *name;
	enum isa_type type;
} c_types[] = {{"char", ISA_S8},      {"short", ISA_S16},    {"int", ISA_S32},	  {"long", ISA_S64},
	       {"float", ISA_F32},    {"double", ISA_F64},   {"half", ISA_F16},	  {"__half", ISA_F16},
	       {"bool", ISA_U8},      {"void", ISA_NOTYPE},  {"int8_t", ISA_S8},  {"int16_t", ISA_S16},
	       {"int32_t", ISA_S32},  {"int64_t", ISA_S64},  {"uint8_t", ISA_U8}, {"uint16_t", ISA_U16},
	       {"uint32_t", ISA_U32}, {"uint64_t", ISA_U64}, {"size_t", ISA_U64}, {"unsigned", ISA_U32},
	       {"signed", ISA_S32}};

static bool type_word(const char **s, enum isa_type *t)
{
	const char *w = scan_blanks(*s);
	w += *w == '.';
	size_t n = 0;
	while (isalnum((unsigned char)w[n]) || w[n] == '_')
		n++;
	*t = isa_type_find(w, (unsigned)n);
	if (*t != ISA_NOTYPE) {
		*s = w + n;
		return true;
	}
	for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++)
		if (strlen(c_types[i].name) == n && !memcmp(c_types[i].name, w, n)) {
			*t = c_types[i].type;
			*s = w + n;
			return true;
		}
	return false;
}

static enum isa_type as_unsigned(enum isa_type t)
{
	return t == ISA_S8 ? ISA_U8 : t == ISA_S16 ? ISA_U16 : t == ISA_S32 ? ISA_U32 : t == ISA_S64 ? ISA_U64 : t;
}

static void skip_space_word(const char **s)
{
	static const char *const words[] = {"@global",	  "@shared",  "@local", "@const",  "@param",
					    "@parameter", "@generic", "const",	"volatile"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		while (scan_word(s, words[i]))
			;
}

enum isa_space expr_space_word(const char *s)
{
	static const struct {
		const char *word;
		enum isa_space space;
	} words[] = {{"@shared", ISA_SPACE_SHARED},
		     {"@local", ISA_SPACE_LOCAL},
		     {"@const", ISA_SPACE_CONST},
		     {"@param", ISA_SPACE_PARAM},
		     {"@parameter", ISA_SPACE_PARAM}};
	while (scan_word(&s, "const") || scan_word(&s, "volatile"))
		;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (scan_word(&s, words[i].word))
			return words[i].space;
	return ISA_SPACE_GENERIC;
}

/* TYPE [*...], C's spellings and PTX's; spaces of cuda-gdb (@shared) are read over, pointers are generic. */
bool expr_parse_type(const char **at, enum isa_type *type, uint8_t *pointers)
{
	const char *s = *at, *more;
	enum isa_type t, next;
	skip_space_word(&s);
	bool is_unsigned = scan_word(&s, "unsigned");
	more = s;
	if (!type_word(&more, &t)) {
		if (!is_unsigned)
			return false;
		t = ISA_U32;
	} else {
		s = more;
		while (t == ISA_S64 || t == ISA_S16 || t == ISA_S32) { /* long long int, short int, signed char */
			if (!type_word(&more, &next) || (next != ISA_S32 && next != ISA_S64 && t != ISA_S32))
				break;
			t = t == ISA_S32 ? next : t;
			s = more;
		}
	}
	skip_space_word(&s);
	*type = is_unsigned ? as_unsigned(t) : t;
	*pointers = 0;
	for (s = scan_blanks(s); *s == '*' && *pointers < 8; s = scan_blanks(s + 1)) {
		++*pointers;
	}
	*at = s;
	return *type != ISA_NOTYPE || *pointers;
}

/* ---- types of the source ---- */

/* Length of NAME[::NAME]...[<...>]. */
static size_t scan_type_name(const char *s)
{
	size_t n = *s == '%' || *s == '$' ? 0 : scan_name(s);
	while (n && s[n] == ':' && s[n + 1] == ':' && scan_name(s + n + 2))
		n += 2 + scan_name(s + n + 2);
	if (!n || s[n] != '<')
		return n;
	unsigned depth = 0;
	for (size_t i = n; s[i]; i++) {
		depth += s[i] == '<';
		if (s[i] == '>' && !--depth)
			return i + 1;
	}
	return n;
}

bool expr_scan_char_type(const char **at, struct source_type *out)
{
	const char *s = *at;
	skip_space_word(&s);
	bool is_unsigned = scan_word(&s, "unsigned"), is_signed = scan_word(&s, "signed");
	bool is_bool = !is_unsigned && !is_signed && scan_word(&s, "bool");
	if (!is_bool && !scan_word(&s, "char"))
		return false;
	out->name = is_bool ? "bool" : is_unsigned ? "unsigned char" : is_signed ? "signed char" : "char";
	out->n = (uint32_t)strlen(out->name);
	out->kind = CTYPE_BASE;
	skip_space_word(&s);
	for (out->pointers = 0, s = scan_blanks(s); *s == '*' && out->pointers < 8; s = scan_blanks(s + 1))
		out->pointers++;
	*at = s;
	return true;
}

bool expr_scan_source_type(const char **at, struct source_type *out)
{
	static const struct {
		const char *word;
		enum ctype_kind kind;
	} words[] = {{"struct", CTYPE_STRUCT}, {"class", CTYPE_CLASS}, {"union", CTYPE_UNION}, {"enum", CTYPE_ENUM}};
	const char *s = *at;
	*out = (struct source_type){.kind = CTYPE_VOID};
	skip_space_word(&s);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (scan_word(&s, words[i].word))
			out->kind = words[i].kind;
	s = scan_blanks(s);
	out->name = s;
	out->n = (uint32_t)scan_type_name(s);
	if (!out->n)
		return false;
	s += out->n;
	skip_space_word(&s);
	for (s = scan_blanks(s); *s == '*' && out->pointers < 8; s = scan_blanks(s + 1))
		out->pointers++;
	*at = s;
	return true;
}

const struct ctype *expr_source_type(struct debug *d, const struct source_type *t, struct text *why)
{
	static const char *const kinds[] = {
		[CTYPE_STRUCT] = "struct", [CTYPE_CLASS] = "class", [CTYPE_UNION] = "union", [CTYPE_ENUM] = "enum"};
	const struct ctype *found =
		t->kind == CTYPE_BASE ? cnames_char(d, t->name) : cnames_type(d, t->name, t->n, t->kind);
	if (!found && (t->kind == CTYPE_STRUCT || t->kind == CTYPE_CLASS)) /* one may be written for the other */
		found = cnames_type(d, t->name, t->n, t->kind == CTYPE_STRUCT ? CTYPE_CLASS : CTYPE_STRUCT);
	if (!found && t->kind != CTYPE_VOID)
		debug_fail(why, "No %s type named %.*s.", kinds[t->kind], (int)t->n, t->name);
	else if (!found)
		debug_fail(why, "No symbol \"%.*s\" in current context.", (int)t->n, t->name);
	for (unsigned i = 0; found && i < t->pointers; i++)
		found = ctype_pointer_to(cnames_pool(d), found);
	return found;
}

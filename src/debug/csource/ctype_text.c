/* Types as text, in gdb's words: declarators inside out, `int (*)[3]`, and bodies for ptype. */
#include <ctype.h>
#include <string.h>

#include "debug/csource/ctype.h"

#define DEPTH_MAX 24	 /* pointers to pointers to ...; what is malformed may go round in circles */
#define PARTS_MAX 20000u /* types in a type, and again in those */

/* How a type is to be written. */
struct how {
	bool expanded; /* with bodies */
	unsigned depth;
	unsigned *left; /* parts that may still be written */
};

static struct how deeper(struct how h) { return (struct how){h.expanded, h.depth + 1, h.left}; }

static struct how inside(struct how h, unsigned depth) { return (struct how){false, depth, h.left}; }

/* A letter after a number, as in 4U or 0UL. */
static bool is_suffix(const char *name, const char *s)
{
	const char *first = s;
	while (first > name && strchr("UL", first[-1]))
		first--;
	return strchr("UL", *s) && first > name && isdigit((unsigned char)first[-1]) &&
	       !isalnum((unsigned char)s[1 + strspn(s + 1, "UL")]);
}

/* `vec<float,4U>` is vec<float, 4u> to gdb. */
static void put_name(const char *name, struct text *out)
{
	const char *arguments = strchr(name, '<');
	for (const char *s = name; *s; s++) {
		text_addc(out,
			  arguments && s > arguments && is_suffix(name, s) ? (char)tolower((unsigned char)*s) : *s);
		if (*s == ',' && s[1] && s[1] != ' ')
			text_addc(out, ' ');
	}
}

static const char *keyword(const struct ctype *t)
{
	switch (t->kind) {
	case CTYPE_STRUCT: return "struct";
	case CTYPE_CLASS: return "class";
	case CTYPE_UNION: return "union";
	case CTYPE_ENUM: return t->is_scoped ? "enum class" : "enum";
	default: return "";
	}
}

static void named(const struct ctype *t, struct text *out)
{
	if (t->name)
		put_name(t->name, out);
	else if (ctype_is_struct(t) || t->kind == CTYPE_ENUM)
		text_addf(out, "%s {...}", keyword(t));
	else
		text_add(out, "void");
}

/* ---- declarators ---- */

static void declare(const struct ctype *t, const char *inner, struct how h, struct text *out);

static void declare_function(const struct ctype *t, const char *inner, struct how h, struct text *out)
{
	struct text d = {0};
	text_addf(&d, "%s(", inner);
	for (uint32_t i = 0; *h.left && i < t->n_members; i++) {
		text_add(&d, i ? ", " : "");
		declare(t->members[i].type, "", inside(h, h.depth + 1), &d);
	}
	text_add(&d, t->n_members ? ")" : "void)");
	declare(t->target, text_str(&d), deeper(h), out);
	text_free(&d);
}

/* `* const` binds to the pointer, `const int` stands in front; const before volatile. */
static void declare_qualified(const struct ctype *t, const char *inner, struct how h, struct text *out)
{
	bool is_const = false, is_volatile = false;
	const struct ctype *of = t;
	for (; of && (of->kind == CTYPE_CONST || of->kind == CTYPE_VOLATILE); of = of->target) {
		is_const |= of->kind == CTYPE_CONST;
		is_volatile |= of->kind == CTYPE_VOLATILE;
	}
	const char *words = !is_const ? "volatile" : is_volatile ? "const volatile" : "const";
	struct text d = {0};
	if (of && of->kind == CTYPE_POINTER) {
		text_addf(&d, " %s%s%s", words, *inner && !strchr(" [)", *inner) ? " " : "", inner);
		declare(of, text_str(&d), deeper(h), out);
	} else {
		text_addf(out, "%s ", words);
		declare(of, inner, deeper(h), out);
	}
	text_free(&d);
}

static void body(const struct ctype *t, struct how h, struct text *out);

static void declare(const struct ctype *t, const char *inner, struct how h, struct text *out)
{
	struct text d = {0};
	const struct ctype *of = t ? t->target : NULL;
	bool grouped = of && (of->kind == CTYPE_ARRAY || of->kind == CTYPE_FUNCTION);
	if (!t || h.depth > DEPTH_MAX || !*h.left) {
		text_addf(out, "%s%s%s", t ? "..." : "void", *inner == '*' || *inner == '&' || *inner == '(' ? " " : "",
			  inner);
		return;
	}
	--*h.left;
	if (t->kind == CTYPE_TYPEDEF && h.expanded) {
		declare(of, inner, deeper(h), out);
		return;
	}
	switch (t->kind) {
	case CTYPE_POINTER:
	case CTYPE_REFERENCE:
		text_addf(&d, grouped ? "(%s%s)" : "%s%s",
			  t->kind == CTYPE_POINTER ? "*"
			  : t->is_rvalue	   ? "&&"
						   : "&",
			  inner);
		declare(of, text_str(&d), deeper(h), out);
		break;
	case CTYPE_ARRAY:
		if (t->is_open)
			text_addf(&d, "%s[]", inner);
		else
			text_addf(&d, "%s[%llu]", inner, (unsigned long long)t->count);
		declare(of, text_str(&d), deeper(h), out);
		break;
	case CTYPE_FUNCTION: declare_function(t, inner, h, out); break;
	case CTYPE_CONST:
	case CTYPE_VOLATILE: declare_qualified(t, inner, h, out); break;
	default:
		if (h.expanded && (ctype_is_struct(t) || t->kind == CTYPE_ENUM))
			body(t, h, out);
		else
			named(t, out);
		text_addf(out, "%s%s", *inner && *inner != ' ' ? " " : "", inner);
	}
	text_free(&d);
}

/* ---- bodies ---- */

static void enum_body(const struct ctype *t, struct text *out)
{
	int64_t next = 0;
	text_addc(out, '{');
	for (uint32_t i = 0; i < t->n_members; i++) {
		text_addf(out, "%s%s", i ? ", " : "", t->members[i].name ? t->members[i].name : "?");
		if (t->members[i].value != next)
			text_addf(out, " = %lld", (long long)t->members[i].value);
		next = (int64_t)((uint64_t)t->members[i].value + 1);
	}
	text_addc(out, '}');
}

static void indent(unsigned depth, struct text *out)
{
	for (unsigned i = 0; i < depth; i++)
		text_add(out, "    ");
}

static void struct_body(const struct ctype *t, struct how h, unsigned depth, struct text *out)
{
	const char *colon = ": public ";
	for (uint32_t i = 0; i < t->n_members; i++)
		if (t->members[i].is_base) {
			text_add(out, colon);
			declare(t->members[i].type, "", inside(h, 0), out);
			colon = ", public ";
		}
	text_add(out, *colon == ',' ? " {\n" : "{\n");
	if (t->is_declared || !t->n_members) {
		indent(depth + 1, out);
		text_add(out, t->is_declared ? "<incomplete type>\n" : "<no data fields>\n");
	}
	for (uint32_t i = 0; *h.left && i < t->n_members; i++) {
		const struct ctype_member *m = &t->members[i];
		const struct ctype *core = ctype_core(m->type);
		if (m->is_base)
			continue;
		--*h.left;
		indent(depth + 1, out);
		bool anonymous = ctype_is_struct(core) && !core->name && depth < DEPTH_MAX / 2;
		if (anonymous) { /* an unnamed type is shown where it is used */
			text_addf(out, "%s ", keyword(core));
			struct_body(core, h, depth + 1, out);
			text_addf(out, "%s%s", m->name ? " " : "", m->name ? m->name : "");
		} else {
			declare(m->type, m->name ? m->name : "", inside(h, 0), out);
		}
		if (m->bit_size)
			text_addf(out, " : %u", m->bit_size);
		text_add(out, ";\n");
	}
	indent(depth, out);
	text_addc(out, '}');
}

static void body(const struct ctype *t, struct how h, struct text *out)
{
	text_addf(out, "%s ", keyword(t));
	if (t->name) {
		put_name(t->name, out);
		text_addc(out, ' ');
	}
	if (t->kind == CTYPE_ENUM)
		enum_body(t, out);
	else
		struct_body(t, h, 0, out);
}

void ctype_declaration_text(const struct ctype *t, const char *name, struct text *out)
{
	unsigned left = PARTS_MAX;
	declare(t, name, (struct how){false, 0, &left}, out);
}

void ctype_text(const struct ctype *t, bool expanded, struct text *out)
{
	unsigned left = PARTS_MAX;
	declare(t, "", (struct how){expanded, 0, &left}, out);
}

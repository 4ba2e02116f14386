/* Structures declared by their fields, in C's words or PTX's, laid out as C does; CUDA's vectors; layouts as text. */
#include "debug/setup/layout.h"

#include <ctype.h>
#include <string.h>

#include "base/nearest.h"
#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/expr/value.h"
#include "debug/ground/scan.h"
#include "debug/setup/room.h"
#include "debug/view/view.h"

#define FIELDS_SHOWN 32u
#define FIELDS_MAX 4096u
#define DEPTH_MAX 16u
#define BYTES_MAX (UINT64_C(1) << 32)

struct body {
	struct debug *d;
	struct text *why;
	struct ctype_member *v;
	size_t n, cap;
	uint64_t bytes, align;
	unsigned depth;
	struct ctype *self; /* the outermost one, which pointers in it may point to; NULL: it has no name */
};

/* ---- CUDA's vectors ---- */

static const struct {
	const char *name;
	enum isa_type type;
} vectors[] = {{"char", ISA_S8},   {"uchar", ISA_U8},  {"short", ISA_S16},    {"ushort", ISA_U16},
	       {"int", ISA_S32},   {"uint", ISA_U32},  {"longlong", ISA_S64}, {"ulonglong", ISA_U64},
	       {"float", ISA_F32}, {"double", ISA_F64}};

/* float4 and the like: type and number of the elements; false: it is none. */
static bool is_vector(const char *name, size_t n, enum isa_type *type, unsigned *count)
{
	if (n < 4 || name[n - 1] < '1' || name[n - 1] > '4')
		return false;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		if (strlen(vectors[i].name) == n - 1 && !memcmp(vectors[i].name, name, n - 1)) {
			*type = vectors[i].type;
			*count = (unsigned)(name[n - 1] - '0');
			return true;
		}
	return false;
}

/* CUDA C++ Programming Guide, "Built-in Vector Types": those of two and four elements are aligned to their size, at most to 16. */
static uint64_t vector_align(enum isa_type type, unsigned count)
{
	uint64_t n = isa_type_bytes(type);
	n *= count == 3 ? 1 : count;
	return n > 16 ? 16 : n;
}

static struct ctype *number_type(struct debug *d, enum isa_type type, const char *name, size_t n)
{
	struct pool *pool = cnames_pool(d);
	struct ctype *t = POOL_NEW(pool, struct ctype);
	*t = (struct ctype){.kind = CTYPE_BASE,
			    .name = pool_strn(pool, name, n),
			    .bytes = isa_type_bytes(type),
			    .scalar = type,
			    .is_bool = n == 4 && !memcmp(name, "bool", 4)};
	return t;
}

static const struct ctype *vector_type(struct debug *d, const char *name, size_t n)
{
	struct pool *pool = cnames_pool(d);
	enum isa_type type;
	unsigned count;
	if (!is_vector(name, n, &type, &count))
		return NULL;
	const char *element = isa_type_info[type].name;
	const struct ctype *of = number_type(d, type, element, strlen(element));
	struct ctype_member *m = POOL_ARRAY(pool, struct ctype_member, count);
	for (unsigned i = 0; i < count; i++)
		m[i] = (struct ctype_member){
			.name = pool_strn(pool, &"xyzw"[i], 1), .type = of, .offset = i * of->bytes};
	struct ctype *t = POOL_NEW(pool, struct ctype);
	*t = (struct ctype){.kind = CTYPE_STRUCT,
			    .name = pool_strn(pool, name, n),
			    .bytes = count * of->bytes,
			    .members = m,
			    .n_members = count};
	cnames_declare(d, t);
	return t;
}

/* ---- laying out ---- */

static uint64_t align_of(const struct ctype *type, unsigned depth)
{
	const struct ctype *t = ctype_core(type);
	enum isa_type element;
	unsigned count;
	uint64_t most = 1;
	while (t->kind == CTYPE_ARRAY)
		t = ctype_core(t->target);
	if (!ctype_is_struct(t))
		return t->bytes && t->bytes <= 16 ? t->bytes : 1;
	if (t->name && is_vector(t->name, strlen(t->name), &element, &count))
		return vector_align(element, count);
	for (uint32_t i = 0; i < t->n_members && depth < DEPTH_MAX; i++) {
		uint64_t n = align_of(t->members[i].type, depth + 1);
		most = n > most ? n : most;
	}
	return most;
}

static bool add_field(struct body *b, const struct ctype *t, const char *name, size_t n)
{
	uint64_t align = align_of(t, 0), bytes = ctype_core(t)->bytes, at = (b->bytes + align - 1) / align * align;
	for (size_t i = 0; i < b->n; i++)
		if (strlen(b->v[i].name) == n && !memcmp(b->v[i].name, name, n))
			return debug_fail(b->why, "there are two fields called %.*s", (int)n, name);
	if (b->n == FIELDS_MAX || bytes > BYTES_MAX || at + bytes > BYTES_MAX)
		return debug_fail(b->why, "the structure is too large");
	b->v = xgrow(b->v, &b->cap, b->n + 1, sizeof *b->v);
	b->v[b->n++] = (struct ctype_member){.name = pool_strn(cnames_pool(b->d), name, n), .type = t, .offset = at};
	b->bytes = at + bytes;
	b->align = align > b->align ? align : b->align;
	return true;
}

static void finish(struct body *b, struct ctype *t)
{
	t->kind = CTYPE_STRUCT;
	t->bytes = (b->bytes + b->align - 1) / b->align * b->align;
	t->members = pool_dup(cnames_pool(b->d), b->v, b->n * sizeof *b->v);
	t->n_members = (uint32_t)b->n;
}

/* ---- reading ---- */

static const struct ctype *parse_body(struct debug *d, const char **at, struct ctype *self, struct text *why);
static const struct ctype *parse_into(struct body *b, const char **at, struct ctype *t);

/* Length of NAME[::NAME]...[<...>]. */
static size_t scan_type_name(const char *s)
{
	size_t n = *s == '%' || *s == '$' ? 0 : scan_name(s);
	while (n && s[n] == ':' && s[n + 1] == ':' && scan_name(s + n + 2))
		n += 2 + scan_name(s + n + 2);
	unsigned depth = 0;
	for (size_t i = n; n && s[n] == '<' && s[i]; i++) {
		depth += s[i] == '<';
		if (s[i] == '>' && !--depth)
			return i + 1;
	}
	return n;
}

/* A type with a name, of the source or declared; NULL: there is none. */
static const struct ctype *find_type(struct debug *d, const char *name, size_t n)
{
	const struct ctype *t = cnames_type(d, name, n, CTYPE_VOID);
	return t ? t : vector_type(d, name, n);
}

/* PTX's types and C's, without the stars after them. */
static const struct ctype *parse_number(struct debug *d, const char **at, uint8_t *pointers)
{
	enum isa_type type;
	const char *s = *at, *end = s;
	if (!expr_parse_type(&end, &type, pointers))
		return NULL;
	size_t n = (size_t)(end - s);
	while (n && (isspace((unsigned char)s[n - 1]) || s[n - 1] == '*'))
		n--;
	char *name = xstrndup(s, n);
	*at = end;
	const struct ctype *t = type == ISA_NOTYPE ? ctype_core(NULL) : cnames_char(d, name);
	if (!t && isa_type_bytes(type))
		t = number_type(d, type, name, n);
	free(name);
	return t;
}

static void consider(void *self, const struct ctype *t) { nearest_add(self, t->name); }

static void no_type(struct debug *d, const char *name, size_t n, struct text *why)
{
	struct nearest near;
	nearest_begin(&near, name, n);
	cnames_each_type(d, consider, &near);
	debug_fail(why, n ? "there is no type %.*s" : "a type is missing", (int)n, name);
	if (nearest_meant(&near))
		nearest_suggest(&near, why);
	else if (n)
		debug_fail(why, ": nvcc -G or clang -g tell the source's, `struct %.*s {f32 x, u32 n}` declares one",
			   (int)n, name);
}

const struct ctype *layout_parse_type(struct debug *d, const char **at, struct text *why)
{
	const char *s = scan_blanks(*at);
	while (scan_word(&s, "struct") || scan_word(&s, "class") || scan_word(&s, "union") || scan_word(&s, "enum") ||
	       scan_word(&s, "const"))
		;
	s = scan_blanks(s);
	const size_t n = *s == '{' ? 0 : scan_type_name(s);
	const struct ctype *t = n ? find_type(d, s, n) : NULL;
	if (*s == '{') {
		t = parse_body(d, &s, NULL, why);
	} else if (!t) {
		no_type(d, s, n, why);
	} else if (!ctype_core(t)->bytes) {
		debug_fail(why, "%.*s has no size", (int)n, s);
		t = NULL;
	}
	*at = s + n;
	return t;
}

static const struct ctype *parse_inner(struct body *outer, const char **at)
{
	struct body b = {.d = outer->d, .why = outer->why, .align = 1, .depth = outer->depth + 1, .self = outer->self};
	struct ctype *t = POOL_NEW(cnames_pool(b.d), struct ctype);
	return parse_into(&b, at, t);
}

static const struct ctype *field_type(struct body *b, const char **at, uint8_t *pointers)
{
	*pointers = 0;
	const struct ctype *t = parse_number(b->d, at, pointers);
	const char *s = scan_blanks(*at);
	if (t)
		return t;
	if (scan_word(&s, "void"))
		debug_fail(b->why, "a field can't be void");
	if (b->why->n)
		return NULL;
	while (scan_word(&s, "struct") || scan_word(&s, "const"))
		;
	s = scan_blanks(s);
	const size_t n = scan_type_name(s);
	if (*s == '{') {
		t = parse_inner(b, &s);
	} else if (b->self && n == strlen(b->self->name) && !memcmp(s, b->self->name, n)) {
		t = b->self;
		s += n;
	} else {
		t = layout_parse_type(b->d, &s, b->why);
	}
	for (s = scan_blanks(s); *s == '*' && *pointers < 8; s = scan_blanks(s + 1))
		++*pointers;
	*at = s;
	return t;
}

/* [N]... after a field's name; the last one is the innermost. */
static const struct ctype *dimensions(struct body *b, const struct ctype *t, const char **at)
{
	const char *s = scan_blanks(*at);
	uint64_t count;
	if (*s != '[')
		return t;
	size_t n = scan_part(s + 1, false);
	if (!n || s[1 + n] != ']') {
		debug_fail(b->why, "a length is missing near `%s'", s);
		return NULL;
	}
	if (!debug_eval_count(b->d, s + 1, n, &count, b->why))
		return NULL;
	*at = s + n + 2;
	t = dimensions(b, t, at);
	if (t && (!count || count > BYTES_MAX || ctype_core(t)->bytes > BYTES_MAX / count)) {
		debug_fail(b->why, "an array of %llu elements is none that a structure can have",
			   (unsigned long long)count);
		return NULL;
	}
	return t ? ctype_array_of(cnames_pool(b->d), t, count) : NULL;
}

/* *NAME[N] of a type. */
static bool declarator(struct body *b, const struct ctype *t, uint8_t pointers, const char **at)
{
	const char *s = scan_blanks(*at);
	for (; *s == '*' && pointers < 8; s = scan_blanks(s + 1))
		pointers++;
	const char *name = s;
	size_t n = *s == '%' || *s == '$' ? 0 : scan_name(s);
	if (!n)
		return debug_fail(b->why, "a field's name is missing near `%s'", s);
	for (unsigned i = 0; i < pointers; i++)
		t = ctype_pointer_to(cnames_pool(b->d), t);
	if (!ctype_core(t)->bytes)
		return debug_fail(b->why, "field %.*s has no size", (int)n, name);
	s += n;
	t = dimensions(b, t, &s);
	if (!t || !add_field(b, t, name, n))
		return false;
	*at = scan_blanks(s);
	return **at != ':' || debug_fail(b->why, "bit-fields can't be declared: name the number that holds them");
}

/* After a comma either `TYPE NAME` or, as in C, only a NAME follows. */
static bool is_declarator(const char *s)
{
	while (*scan_blanks(s) == '*')
		s = scan_blanks(s) + 1;
	s = scan_blanks(s);
	size_t n = scan_name(s);
	return n && *scan_blanks(s + n) && strchr(",;}[", *scan_blanks(s + n));
}

static bool parse_fields(struct body *b, const char **at)
{
	const char *s = scan_blanks(*at);
	while (*s && *s != '}') {
		uint8_t pointers;
		const struct ctype *t = field_type(b, &s, &pointers);
		if (!t || !declarator(b, t, pointers, &s))
			return b->why->n ? false : debug_fail(b->why, "a type is missing near `%s'", s);
		while (*s == ',' && is_declarator(s + 1)) {
			s++;
			if (!declarator(b, t, 0, &s))
				return false;
		}
		if (*s && *s != ',' && *s != ';' && *s != '}')
			return debug_fail(b->why, "fields are TYPE NAME with commas between them, near `%s'", s);
		s = scan_blanks(s + (*s == ',' || *s == ';'));
	}
	if (!*s)
		return debug_fail(b->why, "a } is missing after the fields");
	*at = s + 1;
	return true;
}

/* Fields from the { on become the structure's. */
static const struct ctype *parse_into(struct body *b, const char **at, struct ctype *t)
{
	++*at;
	bool ok = b->depth <= DEPTH_MAX || debug_fail(b->why, "the structure is nested too deeply");
	ok = ok && parse_fields(b, at) && (b->n || debug_fail(b->why, "a structure needs a field"));
	if (ok)
		finish(b, t);
	free(b->v);
	return ok ? t : NULL;
}

/* `self`: it has a name already; NULL: it has none. */
static const struct ctype *parse_body(struct debug *d, const char **at, struct ctype *self, struct text *why)
{
	struct body b = {.d = d, .why = why, .align = 1, .self = self};
	return parse_into(&b, at, self ? self : POOL_NEW(cnames_pool(d), struct ctype));
}

bool debug_struct_define(struct debug *d, const char *text, struct text *why)
{
	const char *name = scan_blanks(text), *s = name;
	enum isa_type type;
	uint8_t pointers;
	size_t n = *s == '%' || *s == '$' ? 0 : scan_name(s);
	s = scan_blanks(s + n);
	if (!n || *s != '{')
		return debug_fail(why, "usage: struct NAME {TYPE FIELD, ...}");
	const char *word = name;
	if (expr_parse_type(&word, &type, &pointers) && word >= name + n)
		return debug_fail(why, "%.*s is a type of its own", (int)n, name);
	struct ctype *self = POOL_NEW(cnames_pool(d), struct ctype);
	self->kind = CTYPE_STRUCT;
	self->name = pool_strn(cnames_pool(d), name, n);
	const struct ctype *t = parse_body(d, &s, self, why);
	s = scan_blanks(s);
	if (!t || !scan_end(s + (*s == ';'), why))
		return false;
	cnames_declare(d, t);
	text_addn(&d->setup->structs, text, strlen(text) + 1);
	return true;
}

const struct ctype *layout_type_before(struct debug *d, const char **at)
{
	const char *s = scan_blanks(*at);
	const bool in_brackets = *s == '(';
	s = scan_blanks(s + in_brackets);
	scan_word(&s, "struct");
	s = scan_blanks(s);
	size_t n = scan_type_name(s);
	const char *name = s;
	s = scan_blanks(s + n);
	if (in_brackets && *s != ')')
		return NULL;
	s = scan_blanks(s + in_brackets);
	const struct ctype *t = n && *s == '{' ? find_type(d, name, n) : NULL;
	if (t)
		*at = s;
	return t;
}

/* ---- as text ---- */

static void add_name(const struct ctype *t, uint32_t most, struct text *out)
{
	if (t->name || !ctype_is_struct(t)) {
		ctype_text(t, false, out);
		return;
	}
	text_addc(out, '{');
	for (uint32_t i = 0; i < t->n_members && i < most; i++) {
		text_add(out, i ? ", " : "");
		ctype_declaration_text(t->members[i].type, t->members[i].name ? t->members[i].name : "", out);
	}
	text_add(out, t->n_members > most ? ", ...}" : "}");
}

void layout_name(const struct ctype *t, struct text *out) { add_name(t, FIELDS_SHOWN, out); }
void layout_source(const struct ctype *t, struct text *out) { add_name(t, FIELDS_MAX, out); }

void layout_text(const struct ctype *type, struct text *out)
{
	const struct ctype *t = ctype_core(type);
	text_addf(out, "%s has %u field%s, %llu bytes", t->name ? t->name : "the structure", t->n_members,
		  t->n_members == 1 ? "" : "s", (unsigned long long)t->bytes);
	for (uint32_t i = 0; i < t->n_members && i < FIELDS_SHOWN; i++) {
		const struct ctype_member *m = &t->members[i];
		text_add(out, i ? ", " : ": ");
		ctype_declaration_text(m->type, m->name && !m->is_base ? m->name : "", out);
		if (m->bit_size)
			text_addf(out, " : %u", m->bit_size);
		text_addf(out, " at %llu", (unsigned long long)m->offset);
	}
	text_add(out, t->n_members > FIELDS_SHOWN ? ", ..." : "");
}

void layout_explain(const struct ctype *type, struct text *out)
{
	const struct ctype *t = type ? ctype_value(type) : NULL;
	while (t && t->kind == CTYPE_ARRAY)
		t = ctype_core(t->target);
	if (!t || !ctype_is_struct(t))
		return;
	text_add(out, "; ");
	layout_text(t, out);
}

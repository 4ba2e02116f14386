/* Parameters' names are read in the source: the declaration beside the function's first line. */
#include "debug/view/parameters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/name_match.h"
#include "debug/view/room.h"
#include "debug/view/source.h"

#define LINES_BEFORE 6 /* lines above and below the function's first one in which its name is looked for */
#define LINES_OF_LIST 40
#define PARAMETERS_MAX 256u

struct view_parameters {
	uint32_t n; /* of each list */
	char **names, **types; /* entries may be NULL. Owned */
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- lists of parameters ---- */

static int depth_of(char c) { return (strchr("([{<", c) && c) - (strchr(")]}>", c) && c); }

/* Calls fn with each part of a list between commas that are in no bracket. Returns the number of parts. */
static uint32_t each_part(const char *s, size_t n, void (*fn)(void *self, uint32_t k, const char *part, size_t length), void *self)
{
	size_t begin = 0;
	uint32_t k = 0;
	int depth = 0;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (!n || (n == 4 && !memcmp(s, "void", 4)))
		return 0;
	for (size_t i = 0; i <= n; i++) {
		if (i < n && (depth || s[i] != ',')) {
			depth += depth_of(s[i]);
			continue;
		}
		if (k < PARAMETERS_MAX)
			fn(self, k, s + begin, i - begin);
		k++;
		begin = i + 1;
	}
	return k;
}

static char *trimmed(const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n ? xstrndup(s, n) : NULL;
}

/* Returns the length of a declaration without its default value and array bounds. */
static size_t declarator_length(const char *s, size_t n)
{
	int depth = 0;
	for (size_t i = 0; i < n; i++) {
		if (!depth && (s[i] == '=' || s[i] == '['))
			n = i;
		depth += depth_of(s[i]);
	}
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

struct lists {
	struct view_parameters *p;
	bool has_types; /* from the demangled name */
};

/* Returns true if a declaration's last word is one of C's types, so that the parameter has no name. */
static bool is_type_word(const char *s, size_t n)
{
	static const char *const words[] = {"int", "char", "float", "double", "long", "short", "unsigned", "signed", "bool", "const"};
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (strlen(words[k]) == n && !memcmp(words[k], s, n))
			return true;
	return false;
}

/* Takes a declaration apart: `const float *in`. */
static void take_declaration(void *self, uint32_t k, const char *s, size_t length)
{
	struct lists *l = self;
	while (length && isspace((unsigned char)*s))
		s++, length--;
	size_t n = declarator_length(s, length), end = n;
	const char *inner = memmem(s, n, "(*", 2);
	if (k >= l->p->n)
		return;
	if (inner) {
		inner += 2;
		for (end = 0; inner + end < s + n && is_word(inner[end]); end++)
			;
		l->p->names[k] = trimmed(inner, end);
		return;
	}
	while (end && is_word(s[end - 1]))
		end--;
	if (!end || end == n || is_type_word(s + end, n - end))
		return; /* without a name */
	l->p->names[k] = trimmed(s + end, n - end);
	if (!l->has_types)
		l->p->types[k] = trimmed(s, end);
}

static void take_type(void *self, uint32_t k, const char *s, size_t n)
{
	struct lists *l = self;
	if (k < l->p->n)
		l->p->types[k] = trimmed(s, n);
}

static void skip_part(void *self, uint32_t k, const char *s, size_t n) { (void)self, (void)k, (void)s, (void)n; }

/* ---- the source ---- */

/* Appends lines without their comments and directives. */
static void add_lines(struct debug *d, struct debug_position at, uint32_t lines, struct text *out)
{
	bool in_comment = false;
	for (uint32_t k = 0; k < lines; k++) {
		size_t n;
		const char *s = debug_source_line(d, at.file, at.line + k, &n);
		for (size_t i = 0; s && i < n; i++) {
			const bool pair = i + 1 < n;
			if (in_comment) {
				in_comment = !(pair && s[i] == '*' && s[i + 1] == '/');
				i += !in_comment;
			} else if (pair && s[i] == '/' && s[i + 1] == '/') {
				break;
			} else if (pair && s[i] == '/' && s[i + 1] == '*') {
				in_comment = true;
				i++;
			} else {
				text_addc(out, s[i]);
			}
		}
		text_addc(out, ' ');
	}
}

/* Returns what follows the opening bracket behind a function's name in a text. Returns NULL if the name isn't there. */
static const char *list_behind(const char *s, const char *name, size_t n)
{
	for (const char *at = s; (at = strstr(at, name)) != NULL; at++) {
		const char *after = at + n;
		if (at > s && is_word(at[-1]))
			continue;
		after += strspn(after, " \t");
		if (*after == '(')
			return after + 1;
	}
	return NULL;
}

/* Returns the length of a list up to the bracket that closes it; 0 if there is none. */
static size_t list_length(const char *s)
{
	int depth = 1;
	for (size_t n = 0; s[n]; n++) {
		depth += (s[n] == '(') - (s[n] == ')');
		if (!depth)
			return n;
	}
	return 0;
}

/* Returns the line of the function's own code that has an instruction first; of code that was inlined there, the line of the call. */
static struct debug_position first_line(struct debug *d, const struct isa_function *f)
{
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		uint32_t loc = debug_loc_at(d, pc), outer;
		for (unsigned k = 0; loc != ISA_NO_LOC && k < DEBUG_INLINED_MAX && (outer = debug_loc_outer(d, loc)) != ISA_NO_LOC; k++)
			loc = outer;
		if (loc != ISA_NO_LOC && debug_loc(d, loc)->line)
			return (struct debug_position){debug_loc(d, loc)->file, debug_loc(d, loc)->line};
	}
	return (struct debug_position){0};
}

/* Returns the function's own name, without scopes, template arguments and parameters. */
static char *own_name(const struct isa_function *f)
{
	size_t n = strlen(f->name);
	const char *bare = f->demangled ? name_bare(f->demangled, &n) : f->name;
	char *whole = xstrndup(bare, n), *name;
	const char *last = name_last_part(whole, n);
	name = xstrndup(last, strcspn(last, "<"));
	free(whole);
	return name;
}

static void read_source(struct debug *d, const struct isa_function *f, struct lists *l)
{
	const struct debug_position at = first_line(d, f);
	struct text lines = {0};
	char *name = own_name(f);
	const char *list = NULL;
	for (uint32_t up = 0; at.line && !list && up <= LINES_BEFORE && up < at.line; up++) {
		text_clear(&lines);
		add_lines(d, (struct debug_position){at.file, at.line - up}, LINES_OF_LIST, &lines);
		list = list_behind(text_str(&lines), name, strlen(name));
	}
	const size_t n = list ? list_length(list) : 0;
	if (n && each_part(list, n, skip_part, NULL) == l->p->n)
		each_part(list, n, take_declaration, l);
	free(name);
	text_free(&lines);
}

/* Reads the types of a demangled name: `transpose(float*, float const*, int)`. */
static void read_types(const struct isa_function *f, struct lists *l)
{
	const size_t n = f->demangled ? strlen(f->demangled) : 0;
	size_t begin = n;
	int depth = 0;
	if (!n || f->demangled[n - 1] != ')')
		return;
	do {
		begin--;
		depth += (f->demangled[begin] == ')') - (f->demangled[begin] == '(');
	} while (begin && depth);
	const char *list = f->demangled + begin + 1;
	l->has_types = each_part(list, n - begin - 2, skip_part, NULL) == l->p->n;
	if (l->has_types)
		each_part(list, n - begin - 2, take_type, l);
}

static uint32_t first_parameter(const struct isa_function *f)
{
	uint32_t k = 0;
	while (k < f->n_params && f->params[k].flags & ISA_VAR_RETURN)
		k++;
	return k;
}

/* Returns what is known of a function's parameters, which is read at the first question. */
static const struct view_parameters *parameters_of(struct debug *d, const struct isa_function *f)
{
	struct view_room *v = d->view;
	const uint32_t index = isa_program_function_index(debug_program(d), f);
	if (index >= v->n_parameters) {
		const uint32_t n = debug_program(d)->n_functions;
		v->parameters = xrealloc(v->parameters, n * sizeof(struct view_parameters *));
		memset(v->parameters + v->n_parameters, 0, (n - v->n_parameters) * sizeof *v->parameters);
		v->n_parameters = n;
	}
	if (!v->parameters[index]) {
		struct view_parameters *p = v->parameters[index] = xcalloc(1, sizeof *p);
		struct lists l = {.p = p};
		p->n = f->n_params - first_parameter(f);
		p->names = xcalloc(p->n + 1u, sizeof *p->names);
		p->types = xcalloc(p->n + 1u, sizeof *p->types);
		read_types(f, &l);
		if (f->first < f->end && p->n)
			read_source(d, f, &l);
	}
	return v->parameters[index];
}

void view_forget_parameters(struct debug *d)
{
	struct view_room *v = d->view;
	for (uint32_t i = 0; i < v->n_parameters; i++) {
		struct view_parameters *p = v->parameters[i];
		for (uint32_t k = 0; p && k < p->n; k++) {
			free(p->names[k]);
			free(p->types[k]);
		}
		if (p) {
			free(p->names);
			free(p->types);
		}
		free(p);
	}
	free(v->parameters);
	v->parameters = NULL;
	v->n_parameters = 0;
}

const char *debug_parameter_name(struct debug *d, const struct isa_function *f, uint32_t k)
{
	const uint32_t first = first_parameter(f);
	return k >= first && k < f->n_params ? parameters_of(d, f)->names[k - first] : NULL;
}

const char *debug_parameter_type(struct debug *d, const struct isa_function *f, uint32_t k)
{
	const uint32_t first = first_parameter(f);
	return k >= first && k < f->n_params ? parameters_of(d, f)->types[k - first] : NULL;
}

/* Returns true for the name of a signed integer, as in `const short`. */
static bool is_signed_name(const char *type)
{
	static const char *const names[] = {"char", "signed char", "short", "short int", "int", "long", "long int", "long long", "long long int",
					    "int8_t", "int16_t", "int32_t", "int64_t"};
	size_t n = strlen(type);
	if (n > 6 && !memcmp(type, "const ", 6))
		type += 6, n -= 6;
	if (n > 6 && !memcmp(type + n - 6, " const", 6))
		n -= 6;
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (strlen(names[k]) == n && !memcmp(names[k], type, n))
			return true;
	return false;
}

enum isa_type debug_parameter_ptx_type(struct debug *d, const struct isa_function *f, uint32_t k)
{
	const enum isa_type t = (enum isa_type)f->params[k].type;
	const char *name = isa_type_is_float(t) ? NULL : debug_parameter_type(d, f, k);
	if (!name || !is_signed_name(name))
		return t;
	switch (isa_type_bytes(t)) {
	case 1: return ISA_S8;
	case 2: return ISA_S16;
	case 4: return ISA_S32;
	case 8: return ISA_S64;
	default: return t;
	}
}

const struct isa_variable *debug_parameter_named(struct debug *d, const struct isa_function *f, const char *name, size_t n)
{
	for (uint32_t k = 0; k < f->n_params; k++) {
		const char *own = debug_parameter_name(d, f, k);
		if (own && strlen(own) == n && !memcmp(own, name, n))
			return &f->params[k];
	}
	return NULL;
}

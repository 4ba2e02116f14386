/* Types of the source by their names: those that users declare, those of files, those that need no debug information. */
#include <ctype.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames.h"
#include "debug/csource/cnames_internal.h"
#include "debug/ground/ground.h"
#include "debug/view/name_match.h"

/* Names of templates with or without blanks after commas. */
static bool is_type_name(const char *have, const char *name, size_t n)
{
	const char *h = have, *s = name;
	for (;; h++, s++) {
		while (s > name && s < name + n && *s == ' ' && s[-1] == ',')
			s++;
		while (h > have && *h == ' ' && h[-1] == ',')
			h++;
		if (s == name + n || !*h)
			return s == name + n && !*h;
		if (*s != *h)
			return false;
	}
}

void cnames_declare(struct debug *d, const struct ctype *t)
{
	struct cnames *names = cnames_of(d);
	names->declared = xgrow(names->declared, &names->cap_declared, names->n_declared + 1, sizeof *names->declared);
	names->declared[names->n_declared++] = t;
}

static const struct ctype *find_type(struct debug *d, const char *name, size_t n, enum ctype_kind kind)
{
	const struct isa_program *p = debug_program(d);
	const struct cnames *names = cnames_of(d);
	for (size_t i = names->n_declared; i-- > 0;)
		if ((kind == CTYPE_VOID || names->declared[i]->kind == kind) &&
		    is_type_name(names->declared[i]->name, name, n))
			return names->declared[i];
	for (uint32_t i = p->n_files; i-- > 0;) {
		const struct cnames_file *f = cnames_is_loaded(p, i) ? cnames_file_of(d, i) : NULL;
		for (size_t k = 0; f && k < f->n_types; k++)
			if ((kind == CTYPE_VOID || f->types[k]->kind == kind) &&
			    is_type_name(f->types[k]->name, name, n))
				return f->types[k];
	}
	return NULL;
}

/* Returns whether a text has SCOPE:: in it, where no longer name or scope ends in SCOPE. */
static bool mentions_scope(const char *text, const char *scope, size_t n)
{
	for (const char *s = text; text && (s = memmem(s, strlen(s), scope, n)) != NULL; s++)
		if (!strncmp(s + n, "::", 2) && (s == text || !(isalnum((unsigned char)s[-1]) || strchr("_:", s[-1]))))
			return true;
	return false;
}

/* Returns whether names of the loaded files know a scope of n bytes: a namespace of functions, variables, constants or types, or a structure. */
static bool is_scope(struct debug *d, const char *scope, size_t n)
{
	const struct isa_program *p = debug_program(d);
	bool found = find_type(d, scope, n, CTYPE_STRUCT) || find_type(d, scope, n, CTYPE_CLASS);
	for (uint32_t i = 0; i < p->n_functions && !found; i++)
		found = !p->functions[i]->unloaded && mentions_scope(p->functions[i]->demangled, scope, n);
	for (uint32_t i = 0; i < p->n_files && !found; i++) {
		const struct cnames_file *f = cnames_is_loaded(p, i) ? cnames_file_of(d, i) : NULL;
		for (size_t k = 0; f && k < f->n_constants && !found; k++)
			found = mentions_scope(f->constants[k]->name, scope, n);
		for (size_t k = 0; f && k < f->n_types && !found; k++)
			found = mentions_scope(f->types[k]->name, scope, n);
	}
	return found;
}

const struct ctype *cnames_type(struct debug *d, const char *name, size_t n, enum ctype_kind kind)
{
	const struct ctype *found = find_type(d, name, n, kind);
	const char *last = name_last_part(name, n);
	/* nvcc has a structure's name without the namespaces that it is in */
	if (found || last == name || !is_scope(d, name, (size_t)(last - name) - 2))
		return found;
	found = find_type(d, last, (size_t)(name + n - last), kind);
	return found && ctype_is_struct(found) ? found : NULL;
}

const struct ctype *cnames_char(struct debug *d, const char *name)
{
	static const struct {
		const char *name;
		enum isa_type scalar;
		char wide;
	} chars[] = {{"char", ISA_S8, 0},     {"signed char", ISA_S8, 0}, {"unsigned char", ISA_U8, 0}, {"bool", ISA_U8, 0},
		     {"wchar_t", ISA_S32, 'L'}, {"char16_t", ISA_U16, 'u'},  {"char32_t", ISA_U32, 'U'}};
	struct cnames *names = cnames_of(d);
	for (unsigned i = 0; i < sizeof chars / sizeof *chars; i++) {
		if (strcmp(chars[i].name, name))
			continue;
		if (!names->chars[i]) {
			names->chars[i] = POOL_NEW(&names->pool, struct ctype);
			*names->chars[i] = (struct ctype){.kind = CTYPE_BASE, .name = chars[i].name, .scalar = chars[i].scalar, .wide = chars[i].wide};
			names->chars[i]->bytes = isa_type_bytes(chars[i].scalar);
			names->chars[i]->is_char = i < 3;
			names->chars[i]->is_bool = i == 3;
		}
		return names->chars[i];
	}
	return NULL;
}

const struct ctype *cnames_ptx(struct debug *d, enum isa_type type)
{
	struct cnames *names = cnames_of(d);
	const struct isa_type_info *info = &isa_type_info[type];
	if (type == ISA_NOTYPE)
		return NULL;
	if (!names->ptx[type]) {
		names->ptx[type] = POOL_NEW(&names->pool, struct ctype);
		*names->ptx[type] =
			(struct ctype){.kind = CTYPE_BASE, .name = info->name, .bytes = info->bytes, .scalar = type};
	}
	return names->ptx[type];
}

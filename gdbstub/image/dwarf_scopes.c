/* A unit of debug information with what nvcc's lacks: the namespaces that enumerations and their constants are in. By them gdb finds
 * geo::RED, in whose name nvcc only has it; and as gdb doesn't know which namespaces are used where, RED and the enumeration's name mean
 * the same, as long as they are not the names of several things. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf.h"
#include "gdbstub/image/frame_layout.h"

enum { CODE_UNIT = 1, CODE_NAMESPACE, CODE_CONSTANT, CODE_TYPE, CODE_CLASS, CODE_BASE };

static void abbreviations(struct text *t)
{
	static const unsigned char unit[] = {AT_LANGUAGE, FORM_DATA2, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR,
					     AT_HIGH_PC,  FORM_DATA8, 0};
	static const unsigned char name[] = {AT_NAME, FORM_STRING, 0};
	static const unsigned char constant[] = {
		AT_NAME, FORM_STRING, AT_TYPE, FORM_REF_ADDR, AT_CONST_VALUE, FORM_SDATA, AT_EXTERNAL, FORM_PRESENT, 0};
	static const unsigned char type[] = {AT_NAME, FORM_STRING, AT_TYPE, FORM_REF_ADDR, 0};
	static const unsigned char class[] = {AT_NAME, FORM_STRING, AT_BYTE_SIZE, FORM_UDATA, 0};
	static const unsigned char base[] = {AT_TYPE, FORM_REF_ADDR, AT_MEMBER_LOCATION, FORM_DATA1, 0};
	dwarf_abbrev(t, CODE_UNIT, TAG_UNIT, 1, unit);
	dwarf_abbrev(t, CODE_NAMESPACE, TAG_NAMESPACE, 1, name);
	dwarf_abbrev(t, CODE_CONSTANT, TAG_VARIABLE, 0, constant);
	dwarf_abbrev(t, CODE_TYPE, TAG_TYPEDEF, 0, type);
	dwarf_abbrev(t, CODE_CLASS, TAG_STRUCTURE, 1, class);
	dwarf_abbrev(t, CODE_BASE, TAG_INHERITANCE, 0, base);
	put8(t, 0);
}

void dwarf_note_scoped(struct dwarf *w, const char *name, const struct dwarf_scoped *what)
{
	if (debug_last_part(name) == name && what->kind != DWARF_CLASS)
		return;
	w->scoped = xgrow(w->scoped, &w->cap_scoped, w->n_scoped + 1, sizeof *w->scoped);
	w->scoped[w->n_scoped] = *what;
	w->scoped[w->n_scoped++].name = xstrdup(name);
}

static int by_last_part(const void *a, const void *b)
{
	const struct dwarf_scoped *x = a, *y = b;
	int order = strcmp(debug_last_part(x->name), debug_last_part(y->name));
	return order ? order : strcmp(x->name, y->name);
}

/* All of one name from `i` on are the same thing, maybe described by several units. */
static bool is_one(const struct dwarf *w, size_t i, size_t end)
{
	const struct dwarf_scoped *a = &w->scoped[i];
	for (size_t k = i + 1; k < end; k++)
		if (strcmp(a->name, w->scoped[k].name) || a->kind != w->scoped[k].kind ||
		    a->value != w->scoped[k].value)
			return false;
	return true;
}

static void short_names(struct dwarf *w)
{
	size_t end;
	for (size_t i = 0; i < w->n_scoped; i = end) {
		const struct dwarf_scoped *a = &w->scoped[i];
		const char *last = debug_last_part(a->name);
		for (end = i + 1; end < w->n_scoped && !strcmp(debug_last_part(w->scoped[end].name), last);)
			end++;
		if ((a->kind != DWARF_CONSTANT && a->kind != DWARF_ENUMERATION) || !is_one(w, i, end))
			continue;
		put8(&w->info, a->kind == DWARF_CONSTANT ? CODE_CONSTANT : CODE_TYPE);
		put_string(&w->info, last);
		put32(&w->info, a->type);
		if (a->kind == DWARF_CONSTANT)
			put_sleb(&w->info, a->value);
	}
}

static int compare_last_part(const struct dwarf_scoped *a, const char *name, size_t n)
{
	const char *last = debug_last_part(a->name);
	int order = strncmp(last, name, n);
	return order ? order : last[n] != '\0';
}

/* The names are in the order of by_last_part. */
static const struct dwarf_scoped *find_class(const struct dwarf *w, const char *name, size_t n)
{
	size_t lo = 0, hi = w->n_scoped;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (compare_last_part(&w->scoped[mid], name, n) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < w->n_scoped && !compare_last_part(&w->scoped[lo], name, n); lo++)
		if (w->scoped[lo].kind == DWARF_CLASS && strlen(w->scoped[lo].name) == n)
			return &w->scoped[lo];
	return NULL;
}

/* The scopes of a name, one in the other. A class nvcc has without its namespace: here it is one that has nothing but that as its base. */
static void put_scopes(struct dwarf *w, const char *name)
{
	unsigned depth = 0;
	for (const char *s = name, *next; (next = strstr(s, "::")) && *s != '('; s = next + 2, depth++) {
		const struct dwarf_scoped *class = find_class(w, s, (size_t)(next - s));
		put8(&w->info, class ? CODE_CLASS : CODE_NAMESPACE);
		text_addn(&w->info, s, (size_t)(next - s));
		put8(&w->info, 0);
		if (!class)
			continue;
		put_uleb(&w->info, (uint64_t) class->value);
		put8(&w->info, CODE_BASE);
		put32(&w->info, class->type);
		put8(&w->info, 0);
	}
	while (depth--)
		put8(&w->info, 0);
}

/* Each scope once. gdb knows classes of the global scope itself; names with template arguments, which may hold `::`, have no scope here. */
static void scopes(struct dwarf *w)
{
	struct hash_map known = {0};
	uint32_t ignored;
	for (size_t i = 0; i < w->n_scoped; i++) {
		const struct dwarf_scoped *a = &w->scoped[i];
		size_t n = (size_t)(debug_last_part(a->name) - a->name);
		if ((a->kind != DWARF_CONSTANT && a->kind != DWARF_ENUMERATION && a->kind != DWARF_GLOBAL) ||
		    strchr(a->name, '<') || hash_map_get(&known, a->name, n, &ignored))
			continue;
		hash_map_put(&known, a->name, n, 1);
		if (!find_class(w, a->name, n - 2))
			put_scopes(w, a->name);
	}
	hash_map_free(&known);
}

/* A class in namespaces; not one that is in a class. */
static void put_class(struct dwarf *w, const char *name, size_t type)
{
	const char *last = debug_last_part(name), *next;
	unsigned depth = 0;
	for (const char *s = name; s < last && (next = strstr(s, "::")) != NULL; s = next + 2)
		if (find_class(w, s, (size_t)(next - s)))
			return;
	for (const char *s = name; s < last && (next = strstr(s, "::")) != NULL; s = next + 2, depth++) {
		put8(&w->info, CODE_NAMESPACE);
		text_addn(&w->info, s, (size_t)(next - s));
		put8(&w->info, 0);
	}
	put8(&w->info, CODE_TYPE);
	put_string(&w->info, last);
	put32(&w->info, type);
	while (depth--)
		put8(&w->info, 0);
}

/* nvcc has classes without their namespaces. Where one is a function's, or of a parameter's type, the mangled name has them: if there is
 * one class of that name, and one name with scopes that ends in it, it is that one. */
static void class_names(struct dwarf *w)
{
	size_t end;
	for (size_t i = 0; i < w->n_scoped; i = end) {
		const struct dwarf_scoped *class = NULL, *named = NULL;
		const char *last = debug_last_part(w->scoped[i].name);
		bool one = true;
		for (end = i; end < w->n_scoped && !strcmp(debug_last_part(w->scoped[end].name), last); end++) {
			const struct dwarf_scoped *a = &w->scoped[end];
			if (a->kind == DWARF_CLASS) {
				one &= a->unit != DWARF_NO_UNIT &&
				       (!class || (class->unit != a->unit && class->value == a->value));
				class = a;
			} else if (a->kind == DWARF_NAMED) {
				one &= !named || !strcmp(named->name, a->name);
				named = a;
			}
		}
		if (one && class && named)
			put_class(w, named->name, class->type);
	}
}

void dwarf_scopes(struct dwarf *w)
{
	size_t unit = w->info.n;
	if (!w->n_scoped)
		return;
	qsort(w->scoped, w->n_scoped, sizeof *w->scoped, by_last_part);
	put32(&w->info, 0);
	put16(&w->info, 4);
	put32(&w->info, w->abbrev.n);
	put8(&w->info, 8);
	put8(&w->info, CODE_UNIT);
	put16(&w->info, LANG_CPLUSPLUS);
	put_string(&w->info, "<scopes>");
	put64(&w->info, w->place - DWARF_NO_CODE);
	put64(&w->info, ISA_INSN_BYTES);
	short_names(w);
	scopes(w);
	class_names(w);
	put8(&w->info, 0);
	patch32(&w->info, unit, w->info.n - unit - 4);
	abbreviations(&w->abbrev);
}

void dwarf_scopes_free(struct dwarf *w)
{
	while (w->n_scoped)
		free(w->scoped[--w->n_scoped].name);
	free(w->scoped);
}

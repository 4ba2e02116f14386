/* Names in the program's own debug information that aren't those of the source: nvcc mangles variables of the module that are in namespaces
 * (_ZN2ns5tableE), and puts what is static in a file, for the names' sake, into a namespace _INTERNAL_... of its own. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/xalloc.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/dwarf_own.h"

#define NAMES_MAX 20000u /* with scopes, of one file */

void own_global(struct own *o, const struct die_entry *e)
{
	unsigned char *name = die_value_at(&o->die, e, AT_NAME, FORM_STRING);
	struct text full = {0};
	if (!name || e->n_location != DWARF_PLACE_BYTES)
		return;
	const size_t type = e->type ? (size_t)(o->die.base[DIE_INFO] + e->type) : 0;
	if (!debug_is_mangled_variable(e->name)) {
		dwarf_note_described(o->w, e->name, e->location, type);
		return;
	}
	debug_inlined_name(o->w->s->d, e->name, &full);
	/* gdb takes a mangled name that it is asked for apart, and finds only what has the plain one */
	if (own_shorten(o, e, name, text_str(&full), OWN_NAME))
		dwarf_note_scoped(o->w, text_str(&full), &(struct dwarf_scoped){.kind = DWARF_GLOBAL});
	dwarf_note_described(o->w, text_str(&full), e->location, type);
	text_free(&full);
}

/* How long the part at `s` is that refers to nothing: a name of so many characters, a number as a template's argument (Li16E), or one
 * character. */
static size_t part_bytes(const char *s)
{
	char *end;
	if (*s >= '0' && *s <= '9') {
		size_t name = strtoul(s, &end, 10), n = (size_t)(end - s);
		return n + (name < strlen(end) ? name : 0);
	}
	if (*s == 'L' && s[1] >= 'a' && s[1] <= 'z') {
		size_t n = 2 + strspn(s + 2, "n0123456789");
		return n + (s[n] == 'E');
	}
	return 1;
}

/* A reference, S_, S0_, S1_ ... (Itanium C++ ABI, 5.1.10): its number, and what follows; false: there is none. */
static bool reference(const char *s, unsigned long *number, const char **rest)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t n = *s == 'S' ? strspn(s + 1, digits) : 0;
	if (*s != 'S' || n > 3 || s[n + 1] != '_')
		return false;
	*number = n ? strtoul(s + 1, NULL, 36) + 1 : 0;
	*rest = s + n + 2;
	return true;
}

static void put_reference(unsigned long number, struct text *out)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	unsigned long left = number - 1, unit = 1;
	text_addc(out, 'S');
	while (number && left / unit >= 36)
		unit *= 36;
	for (; number && unit; unit /= 36)
		text_addc(out, digits[left / unit % 36]);
	text_addc(out, '_');
}

/* The part at `s` with the reference in it one lower; returns what follows. */
static const char *renumber_part(const char *s, struct text *out)
{
	unsigned long number;
	const char *rest;
	if (reference(s, &number, &rest)) {
		put_reference(number ? number - 1 : 0, out);
		return rest;
	}
	size_t n = part_bytes(s);
	text_addn(out, s, n);
	return s + n;
}

/* `_ZN31_INTERNAL_..._gdev6helperEPiS0_` without that namespace, _ZN6helperEPiS_; NULL: it isn't in one. */
static char *without_file(const char *linkage)
{
	char *rest;
	if (strncmp(linkage, "_ZN", 3))
		return NULL;
	unsigned long n = strtoul(linkage + 3, &rest, 10);
	if (strncmp(rest, "_INTERNAL_", 10) || strlen(rest) <= n)
		return NULL;
	struct text name = {0};
	text_add(&name, "_ZN");
	for (const char *at = rest + n; *at;)
		at = renumber_part(at, &name);
	char *s = xstrdup(text_str(&name));
	text_free(&name);
	return s;
}

/* A name without the namespaces _INTERNAL_...:: that are in it. */
static void strip_files(const char *s, struct text *out)
{
	const char *file, *rest;
	while ((file = strstr(s, "_INTERNAL_")) != NULL && (rest = strstr(file, "::")) != NULL) {
		text_addn(out, s, (size_t)(file - s));
		s = rest + 2;
	}
	text_add(out, s);
}

/* Numbers aren't lengths of names everywhere: what came out of it is compared. */
static bool means_the_same(const char *linkage, const char *shorter)
{
	struct text a = {0}, b = {0}, stripped = {0};
	bool both = demangle_name(linkage, true, &a) && demangle_name(shorter, true, &b);
	if (both)
		strip_files(text_str(&a), &stripped);
	bool same = both && !strcmp(text_str(&stripped), text_str(&b));
	text_free(&a);
	text_free(&b);
	text_free(&stripped);
	return same;
}

void own_static_function(struct own *o, const struct die_entry *e)
{
	unsigned char *linkage = die_value_at(&o->die, e, AT_LINKAGE_NAME, FORM_STRING);
	if (!linkage)
		linkage = die_value_at(&o->die, e, AT_MIPS_LINKAGE_NAME, FORM_STRING);
	char *shorter = linkage ? without_file((const char *)linkage) : NULL;
	if (shorter && means_the_same((const char *)linkage, shorter))
		own_shorten(o, e, linkage, shorter, OWN_LINKAGE);
	free(shorter);
}

/* ---- names of classes ---- */

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* a::b::b: a constructor. */
static bool is_constructor(const char *s, size_t n)
{
	const char *last = memrchr(s, ':', n), *before = last ? memrchr(s, ':', (size_t)(last - s) - 1) : NULL;
	const char *first = before ? before + 1 : s;
	size_t n_last = last ? (size_t)(s + n - last) - 1 : 0;
	return last && (size_t)(last - 1 - first) == n_last && !memcmp(first, last + 1, n_last);
}

/* Notes a::b and a::b::c of a::b::c, each once. */
static void note_prefixes(struct own *o, const char *s, size_t n)
{
	uint32_t known;
	for (const char *at = s; (at = memmem(at, (size_t)(s + n - at), "::", 2)) != NULL;) {
		at += 2;
		const char *end = memmem(at, (size_t)(s + n - at), "::", 2);
		size_t length = end ? (size_t)(end - s) : n;
		if (is_constructor(s, length) || hash_map_get(&o->named, s, length, &known))
			continue;
		char *name = xstrndup(s, length);
		hash_map_put(&o->named, name, length, 0);
		o->names = xgrow(o->names, &o->cap_names, o->n_names + 1, sizeof *o->names);
		o->names[o->n_names++] = name;
		dwarf_note_scoped(o->w, name, &(struct dwarf_scoped){.kind = DWARF_NAMED});
	}
}

void own_note_names(struct own *o, const char *mangled)
{
	struct text whole = {0}, plain = {0};
	if (o->n_names < NAMES_MAX && demangle_name(mangled, true, &whole))
		strip_files(text_str(&whole), &plain);
	const char *s = text_str(&plain), *end;
	for (; *s; s = end) {
		end = s + 1;
		if (!is_of_name(*s) || isdigit((unsigned char)*s))
			continue;
		while (is_of_name(*end) || (end[0] == ':' && end[1] == ':' && is_of_name(end[2])))
			end += *end == ':' ? 2 : 1;
		if (s == plain.s || s[-1] != ':')
			note_prefixes(o, s, (size_t)(end - s));
	}
	text_free(&whole);
	text_free(&plain);
}

void own_free_names(struct own *o)
{
	while (o->n_names)
		free(o->names[--o->n_names]);
	free(o->names);
	hash_map_free(&o->named);
}

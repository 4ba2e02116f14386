/* Names in the program's own debug information that aren't those of the source: nvcc mangles variables of the module that are in namespaces
 * (_ZN2ns5tableE), and puts what is static in a file, for the names' sake, into a namespace _INTERNAL_... of its own. */
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/xalloc.h"
#include "debug/source.h"
#include "gdbstub/image/dwarf_own.h"

void own_global(struct own *o, const struct own_unit *unit, const struct own_named *e, uint64_t type,
		const unsigned char *place)
{
	const char *name = (const char *)e->name;
	struct text full = {0};
	size_t at = o->base[DIE_INFO] + (size_t)(unit->begin - (unsigned char *)o->bytes[DIE_INFO].s) + type;
	type = type ? at : 0;
	if (strncmp(name, "_Z", 2)) {
		dwarf_note_described(o->w, name, place, type);
		return;
	}
	debug_inlined_name(o->w->s->d, name, &full);
	/* gdb takes a mangled name that it is asked for apart, and finds only what has the plain one */
	if (own_shorten(o, e, text_str(&full), OWN_NAME))
		dwarf_note_scoped(o->w, text_str(&full), &(struct dwarf_scoped){.kind = DWARF_GLOBAL});
	dwarf_note_described(o->w, text_str(&full), place, type);
	text_free(&full);
}

/* The part at `s` with the reference in it one lower (S_, S0_, ... S9_, SA_, ... SZ_, S10_: by the Itanium C++ ABI, 5.1.10); returns what
 * follows. Names, of so many characters, are passed over. */
static const char *renumber_part(const char *s, struct text *out)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *end;
	const char *digit = *s == 'S' && s[1] && s[2] == '_' ? strchr(digits, s[1]) : NULL;
	size_t n = 1;
	if (*s >= '0' && *s <= '9') {
		size_t name = strtoul(s, &end, 10);
		n = (size_t)(end - s);
		n += name < strlen(end) ? name : 0;
	}
	if (digit) {
		text_addc(out, 'S');
		if (digit > digits)
			text_addc(out, digit[-1]);
		return s + 2;
	}
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

/* Numbers aren't lengths of names everywhere: what came out of it is compared. */
static bool means_the_same(const char *linkage, const char *shorter)
{
	struct text a = {0}, b = {0};
	bool both = demangle_name(linkage, true, &a) && demangle_name(shorter, true, &b);
	const char *file = both ? strstr(a.s, "_INTERNAL_") : NULL, *rest = file ? strstr(file, "::") : NULL;
	size_t before = rest ? (size_t)(file - a.s) : 0; /* a template's type */
	bool same = rest && !strncmp(a.s, b.s, before) && !strcmp(rest + 2, b.s + before);
	text_free(&a);
	text_free(&b);
	return same;
}

void own_static_function(struct own *o, const struct own_named *e, unsigned char *linkage)
{
	char *shorter = linkage ? without_file((const char *)linkage) : NULL;
	struct own_named named = *e;
	named.name = linkage;
	if (shorter && means_the_same((const char *)linkage, shorter))
		own_shorten(o, &named, shorter, OWN_LINKAGE);
	free(shorter);
}

/* nvcc gives the constants of an `enum class` mangled names (_ZN4mode2onE), and the type too if it is in a namespace, and it doesn't say that
 * it is such a class. gdb expects `mode` and in it `on`, and makes mode::on of that, in what it prints and in expressions. What becomes
 * shorter is followed by a block of no meaning, so that everything stays where it is. */
#include <string.h>

#include "debug/source.h"
#include "gdbstub/dwarf_own.h"

/* What a name is without mangling, and shorter by a byte at least; false: it isn't mangled. */
static bool plain_name(const struct own *o, const unsigned char *name, struct text *out)
{
	if (!name || strncmp((const char *)name, "_Z", 2))
		return false;
	debug_inlined_name(o->w->s->d, (const char *)name, out);
	return out->n < strlen((const char *)name);
}

static bool shorten(struct own *o, const struct own_named *e, const char *name, size_t n)
{
	size_t room = strlen((char *)e->name);
	uint64_t code = room - n <= 256 ? own_abbrev_copy(o, e->table, e->code, OWN_ENUM_NAME, e->version) : 0;
	if (!code)
		return false;
	*e->code_at = (unsigned char)code;
	memcpy(e->name, name, n);
	e->name[n] = 0;
	e->name[n + 1] = (unsigned char)(room - n - 1); /* bytes of the block */
	return true;
}

static void make_class(struct own *o, const struct own_named *e)
{
	struct text plain = {0};
	if (plain_name(o, e->name, &plain)) {
		*e->line = (unsigned char)(*e->line | shorten(o, e, text_str(&plain), plain.n));
	} else {
		uint64_t code = own_abbrev_copy(o, e->table, e->code, OWN_ENUM, e->version);
		*e->code_at = code ? (unsigned char)code : *e->code_at;
		*e->line |= code != 0;
	}
	text_free(&plain);
}

void own_enumerator(struct own *o, struct own_named *of, const struct own_named *e)
{
	struct text plain = {0};
	if (of->line && plain_name(o, e->name, &plain)) {
		const char *last = text_str(&plain);
		for (const char *s = last; (s = strstr(s, "::"));)
			last = s += 2;
		if (shorten(o, e, last, strlen(last)) && !of->is_class) {
			make_class(o, of);
			of->is_class = true;
		}
	}
	text_free(&plain);
}

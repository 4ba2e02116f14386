/* nvcc mangles the names of enumerations that aren't in the global scope and of their constants, and those of an `enum class` (mode::on is
 * _ZN4mode2onE), of which it doesn't say that it is one. gdb expects geo::colour and geo::RED; of an enum class mode and `on`, of which it
 * makes mode::on, in what it prints and in expressions. What becomes shorter is followed by a block of no meaning, so that
 * everything stays where it is. */
#include <stdio.h>
#include <string.h>

#include "debug/view/source.h"
#include "gdbstub/image/dwarf_own.h"

static bool is_mangled(const unsigned char *name) { return name && !strncmp((const char *)name, "_Z", 2); }

/* The name in the source, with all it is in. */
static void full_name(struct own *o, const unsigned char *name, struct text *out)
{
	if (name)
		debug_inlined_name(o->w->s->d, (const char *)name, out);
}

/* What is local to a function is shown without it, as gdb does. */
static const char *shown(const unsigned char *mangled, const char *full)
{
	return strncmp((const char *)mangled, "_ZZ", 3) ? full : debug_last_part(full);
}

/* gdb is to find it by its scopes, and without. Not what is local to a function: that it has. */
static void note_name(struct own *o, const struct own_named *of, const char *full, int kind, int64_t value)
{
	size_t type = o->base[DIE_INFO] + (size_t)(of->code_at - (unsigned char *)o->bytes[DIE_INFO].s);
	if (!strchr(full, '(') || !strncmp(full, "(anonymous", 10))
		dwarf_note_scoped(o->w, full, &(struct dwarf_scoped){.kind = kind, .value = value, .type = type});
}

void own_enumeration(struct own *o, struct own_named *e)
{
	struct text full = {0};
	full_name(o, e->name, &full);
	snprintf(e->full, sizeof e->full, "%s", full.n < sizeof e->full ? text_str(&full) : "");
	if (e->name && debug_is_unnamed(o->w->s->d, (const char *)e->name))
		e->is_named = own_drop_name(o, e);
	else if (is_mangled(e->name) && e->full[0])
		note_name(o, e, e->full, DWARF_ENUMERATION, 0);
	text_free(&full);
}

static void make_class(struct own *o, struct own_named *e)
{
	if (is_mangled(e->name)) {
		*e->line = (unsigned char)(*e->line | own_shorten(o, e, shown(e->name, e->full), OWN_ENUM_NAME));
	} else {
		uint64_t code = own_abbrev_copy(o, e->table, e->code, OWN_ENUM, e->version);
		*e->code_at = code ? (unsigned char)code : *e->code_at;
		*e->line |= code != 0;
	}
	e->is_named = true;
}

void own_enumerator(struct own *o, struct own_named *of, const struct own_named *e)
{
	struct text full = {0};
	if (!is_mangled(e->name) || !of->name)
		return;
	full_name(o, e->name, &full);
	const char *last = debug_last_part(text_str(&full));
	size_t n_scope = last == text_str(&full) ? 0 : (size_t)(last - text_str(&full)) - 2;
	bool is_class =
		of->line && n_scope && strlen(of->full) == n_scope && !memcmp(of->full, text_str(&full), n_scope);
	note_name(o, of, text_str(&full), is_class ? DWARF_CLASS_CONSTANT : DWARF_CONSTANT, e->value);
	bool done = own_shorten(o, e, is_class ? last : shown(e->name, text_str(&full)), OWN_NAME);
	if (is_class && done && !of->is_named)
		make_class(o, of);
	else if (!of->is_named && is_mangled(of->name) && of->full[0])
		of->is_named = own_shorten(o, of, shown(of->name, of->full), OWN_NAME);
	text_free(&full);
}

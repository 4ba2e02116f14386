/* nvcc mangles the names of enumerations that aren't in the global scope and of their constants, and those of an `enum class` (mode::on is
 * _ZN4mode2onE), of which it doesn't say that it is one. gdb expects geo::colour and geo::RED; of an enum class mode and `on`, of which it
 * makes mode::on, in what it prints and in expressions. What becomes shorter is followed by a block of no meaning, so that
 * everything stays where it is. */
#include <stdio.h>
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/dwarf_own.h"

static bool is_mangled(const char *name) { return name && !strncmp(name, "_Z", 2); }

/* Appends the name in the source, with all it is in. */
static void full_name(struct own *o, const char *name, struct text *out)
{
	if (name)
		debug_inlined_name(o->w->s->d, name, out);
}

/* What is local to a function is shown without it, as gdb does. */
static const char *shown(const char *mangled, const char *full)
{
	return strncmp(mangled, "_ZZ", 3) ? full : debug_last_part(full);
}

/* gdb is to find it by its scopes, and without. Not what is local to a function: that it has. */
static void note_name(struct own *o, const struct own_enumeration *of, const char *full, int kind, int64_t value)
{
	if (!strchr(full, '(') || !strncmp(full, "(anonymous", 10))
		dwarf_note_scoped(o->w, full,
				  &(struct dwarf_scoped){.kind = kind, .value = value, .type = own_offset(o, of->e)});
}

/* Returns the place of an entry's name in the section. Returns NULL if it has none there. */
static unsigned char *name_at(const struct own *o, const struct die_entry *e)
{
	return die_value_at(&o->die, e, AT_NAME, FORM_STRING);
}

void own_enumeration(struct own *o, struct own_enumeration *of, const struct die_entry *e)
{
	struct text full = {0};
	*of = (struct own_enumeration){.e = e, .name = name_at(o, e)};
	of->line = die_value_at(&o->die, e, AT_DECL_LINE, FORM_DATA1);
	if (!of->line)
		of->line = die_value_at(&o->die, e, AT_DECL_LINE, FORM_DATA2);
	full_name(o, e->name, &full);
	snprintf(of->full, sizeof of->full, "%s", full.n < sizeof of->full ? text_str(&full) : "");
	if (of->name && debug_is_unnamed(o->w->s->d, e->name))
		of->is_named = own_edit(o, e, OWN_UNNAMED);
	else if (is_mangled(e->name) && of->full[0])
		note_name(o, of, of->full, DWARF_ENUMERATION, 0);
	text_free(&full);
}

static void make_class(struct own *o, struct own_enumeration *of)
{
	const char *name = of->e->name;
	const bool done = is_mangled(name) ? own_shorten(o, of->e, of->name, shown(name, of->full), OWN_ENUM_NAME)
					   : own_edit(o, of->e, OWN_ENUM);
	*of->line = (unsigned char)(*of->line | done);
	of->is_named = true;
}

void own_enumerator(struct own *o, struct own_enumeration *of, const struct die_entry *e)
{
	struct text full = {0};
	unsigned char *name = name_at(o, e);
	if (!of->e || !name || !is_mangled(e->name) || !of->name)
		return;
	full_name(o, e->name, &full);
	const char *last = debug_last_part(text_str(&full));
	const size_t n_scope = last == text_str(&full) ? 0 : (size_t)(last - text_str(&full)) - 2;
	const bool is_class =
		of->line && n_scope && strlen(of->full) == n_scope && !memcmp(of->full, text_str(&full), n_scope);
	note_name(o, of, text_str(&full), is_class ? DWARF_CLASS_CONSTANT : DWARF_CONSTANT, (int64_t)e->value);
	const bool done = own_shorten(o, e, name, is_class ? last : shown(e->name, text_str(&full)), OWN_NAME);
	if (is_class && done && !of->is_named)
		make_class(o, of);
	else if (!of->is_named && is_mangled(of->e->name) && of->full[0])
		of->is_named = own_shorten(o, of->e, of->name, shown(of->e->name, of->full), OWN_NAME);
	text_free(&full);
}

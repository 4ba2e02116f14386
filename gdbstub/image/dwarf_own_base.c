/* Base classes. nvcc describes one as a member of the name __b_1Base; as what it is, gdb finds the base's members in the derived class
 * (`p d.a`, in a method `p a`) and shows it as <Base>. Where the derived class uses the padding at the base's end, the base's part is
 * of a type of its own for nvcc, __SO__1Base: gdb gets the class itself, whose members are at the same places. */
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/dwarf_own.h"

static bool is_class(const struct die_entry *e) { return e->tag == TAG_STRUCTURE || e->tag == TAG_CLASS; }

/* Returns the class that a base's part belongs to: of the same place in the source and of that name. Returns NULL if there is none. */
static const struct die_entry *whole_class(const struct own *o, const struct die_entry *part)
{
	const struct die_entry *found = NULL, *e = o->die.entries, *end = e + o->die.n_entries;
	struct text name = {0};
	if (part->name && debug_base_part_name(o->w->s->d, part->name, &name))
		for (; e < end && !found; e++)
			if (is_class(e) && e->unit == part->unit && e->line == part->line && e->name &&
			    !strcmp(e->name, text_str(&name)))
				found = e;
	text_free(&name);
	return found;
}

void own_base_class(struct own *o, const struct die_entry *e)
{
	unsigned char *name = die_value_at(&o->die, e, AT_NAME, FORM_STRING);
	unsigned char *type = die_value_at(&o->die, e, AT_TYPE, FORM_REF4);
	const struct die_entry *of = die_entry_at(&o->die, e->type);
	if (!name || strncmp(e->name, "__b_", 4) || !own_edit(o, e, OWN_BASE))
		return;
	name[0] =
		ACCESS_PUBLIC; /* the name's first byte, the others mean nothing; without a word DWARF 2 means private */
	of = type && of && is_class(of) ? whole_class(o, of) : NULL;
	const uint32_t at = of ? (uint32_t)(of->offset - o->die.units[e->unit].begin) : 0;
	if (of)
		memcpy(type, &at, sizeof at);
}

/* Returns true if an entry is in a namespace or in a class. */
static bool is_inside(const struct own *o, const struct die_entry *e)
{
	return e->parent != UINT32_MAX && o->die.entries[e->parent].parent != UINT32_MAX;
}

void own_note_class(struct own *o, const struct die_entry *e)
{
	const struct dwarf_scoped s = {.kind = DWARF_CLASS,
				       .value = (int64_t)e->bytes,
				       .unit = is_inside(o, e) ? DWARF_NO_UNIT : o->die.base[DIE_INFO],
				       .type = own_offset(o, e)};
	if (e->name && e->bytes)
		dwarf_note_scoped(o->w, e->name, &s);
}

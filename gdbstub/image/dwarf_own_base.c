/* Base classes. nvcc describes one as a member of the name __b_1Base; as what it is, gdb finds the base's members in the derived class
 * (`p d.a`, in a method `p a`) and shows it as <Base>. Where the derived class uses the padding at the base's end, the base's part is
 * of a type of its own for nvcc, __SO__1Base: gdb gets the class itself, whose members are at the same places. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/dwarf_own.h"

void own_base_class(struct own *o, const struct own_named *e, unsigned char *type, uint64_t of)
{
	if (!e->name || strncmp((const char *)e->name, "__b_", 4))
		return;
	uint64_t code = own_abbrev_copy(o, e->table, e->code, OWN_BASE, e->version);
	if (!code)
		return;
	*e->code_at = (unsigned char)code;
	e->name[0] =
		ACCESS_PUBLIC; /* the name's first byte, the others mean nothing; without a word DWARF 2 means private */
	if (!type)
		return;
	o->bases = xgrow(o->bases, &o->cap_bases, o->n_bases + 1, sizeof *o->bases);
	o->bases[o->n_bases++] = (struct own_base){type, of};
}

void own_note_class(struct own *o, const struct own_unit *unit, const struct own_class *c)
{
	o->classes = xgrow(o->classes, &o->cap_classes, o->n_classes + 1, sizeof *o->classes);
	o->classes[o->n_classes++] = *c;
	struct dwarf_scoped s = {.kind = DWARF_CLASS,
				 .value = (int64_t)c->bytes,
				 .unit = c->is_inside ? DWARF_NO_UNIT : o->base[DIE_INFO]};
	s.type = o->base[DIE_INFO] + (size_t)(unit->begin - (unsigned char *)o->bytes[DIE_INFO].s) + c->at;
	if (c->name && c->bytes)
		dwarf_note_scoped(o->w, (const char *)c->name, &s);
}

static int by_place(const void *a, const void *b)
{
	const struct own_class *x = a, *y = b;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* The class that a base's part belongs to: of the same place in the source and of that name; NULL: there is none. */
static const struct own_class *whole(const struct own *o, const struct own_class *part)
{
	const struct own_class *found = NULL;
	struct text name = {0};
	if (part->name && debug_base_part_name(o->w->s->d, (const char *)part->name, &name))
		for (size_t i = 0; i < o->n_classes && !found; i++)
			if (o->classes[i].line == part->line && o->classes[i].name &&
			    !strcmp((const char *)o->classes[i].name, text_str(&name)))
				found = &o->classes[i];
	text_free(&name);
	return found;
}

void own_settle_bases(struct own *o)
{
	if (o->n_classes)
		qsort(o->classes, o->n_classes, sizeof *o->classes, by_place);
	for (size_t i = 0; i < o->n_bases; i++) {
		struct own_class key = {.at = o->bases[i].of};
		const struct own_class *c =
			o->n_classes ? bsearch(&key, o->classes, o->n_classes, sizeof key, by_place) : NULL;
		c = c ? whole(o, c) : NULL;
		uint32_t at = c ? (uint32_t)c->at : 0;
		if (c)
			memcpy(o->bases[i].type, &at, sizeof at);
	}
	o->n_classes = o->n_bases = 0;
}

void own_free_bases(struct own *o)
{
	free(o->bases);
	free(o->classes);
}

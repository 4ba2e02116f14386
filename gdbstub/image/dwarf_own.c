/* The program's own debug information, with the addresses and places that gdb is to see. */
#include "gdbstub/image/dwarf_own.h"

#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/frame_layout.h"

/* Names by which the text's data is read. */
struct own_names {
	const struct own *o;
	struct die_symbols symbols;
};

static bool find_name(void *self, const char *s, size_t n, struct die_symbol *m)
{
	const struct own_names *names = self;
	int section = die_section_of(s, n);
	*m = (struct die_symbol){.kind = DIE_NUMBER};
	if (section >= 0)
		m->value = names->o->die.base[section];
	else if (n == 11 && !memcmp(s, ".debug_line", n))
		m->value = names->o->lines;
	else if (die_symbols_find(&names->symbols, s, n, m) && m->kind == DIE_CODE)
		m->value = dwarf_address(names->o->w, (uint32_t)m->value);
	return true; /* or something that isn't here: address 0, which gdb takes for "nowhere" */
}

/* An expression that finds a variable, in the nine bytes of `DW_OP_addr SYMBOL`. */
static void variable_place(void *self, const struct die_symbol *m, struct text *e)
{
	const struct own *o = ((const struct own_names *)self)->o;
	uint32_t slot = m->function ? frame_layout_of(o->w->s, m->function)->local_slot : 0;
	dwarf_variable_location(o->w, OP_BREG7, slot, m->variable, e);
	while (e->n < DWARF_PLACE_BYTES)
		put8(e, OP_NOP);
}

bool own_present(const struct dwarf *w, uint32_t file) { return die_present(&stub_program(w->s)->files[file]); }

static bool read_sections(struct own *o)
{
	const struct isa_program *p = stub_program(o->w->s);
	struct own_names names = {.o = o};
	die_symbols_make(&names.symbols, p, o->file);
	bool ok = die_read_sections(&p->files[o->file],
				    &(struct die_names){.self = &names, .find = find_name, .place = variable_place},
				    o->die.bytes);
	die_symbols_free(&names.symbols);
	return ok && die_entries_read(&o->die);
}

bool own_add(struct dwarf *w, uint32_t file)
{
	struct text *to[DIE_SECTIONS] = {&w->info, &w->abbrev, &w->loc, &w->str, &w->ranges};
	struct own o = {.w = w, .file = file};
	const size_t lines = w->line.n;
	o.lines = dwarf_lines(w, file, true);
	for (unsigned i = 0; i < DIE_SECTIONS; i++)
		o.die.base[i] = to[i]->n;
	const bool ok = read_sections(&o);
	if (ok)
		own_walk(&o);
	else
		w->line.n = lines;
	for (unsigned i = 0; ok && i < DIE_SECTIONS; i++)
		text_addn(to[i], text_str(&o.die.bytes[i]), o.die.bytes[i].n);
	die_file_free(&o.die);
	own_free_names(&o);
	return ok;
}

/* The abbreviations of a program's own .debug_abbrev: changed copies of one, by which an entry says something
 * else in as many bytes as before (references between entries are offsets: nothing may move). */
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_own.h"

#define AT_IGNORED 0x3f00u /* of the numbers left to vendors: gdb passes over it */
#define CODES_MAX 0x7fu	   /* those of one byte */

bool own_abbrev(const struct own *o, uint64_t table, uint64_t code, struct cursor *attributes, uint64_t *tag)
{
	return table >= o->base[DIE_ABBREV] &&
	       die_abbrev(o->abbrevs, &o->bytes[DIE_ABBREV], table - o->base[DIE_ABBREV], code, attributes, tag);
}

/* ---- changed copies ---- */

/* The table's greatest code and where in the section it ends, before the 0; 0: it isn't the last one of its section, so that nothing
 * can be added to it. */
static uint64_t greatest_code(const struct own *o, uint64_t table, size_t *end)
{
	struct cursor c, attributes;
	uint64_t greatest = 0, code, tag;
	*end = 0;
	if (table < o->base[DIE_ABBREV] || !die_table(&o->bytes[DIE_ABBREV], table - o->base[DIE_ABBREV], &c))
		return 0;
	while ((code = die_next_abbrev(&c, &attributes, &tag)) != 0)
		greatest = code > greatest ? code : greatest;
	*end = (size_t)((char *)c.at - o->bytes[DIE_ABBREV].s) - 1;
	while (c.ok && c.at < c.end)
		if (cursor_fixed(&c, 1))
			return 0;
	return c.ok ? greatest : 0;
}

/* An attribute of the copy. Addresses have 8 bytes: a unit's low_pc becomes the offset of a list of ranges and, in 4 bytes, what addresses
 * are relative to; a function's two become such an offset and a block of no meaning. An enumeration's line becomes the flag that it is an
 * enum class (of a line above 255 the first byte); after a name that has become shorter there is a block of no meaning.
 * A base class has no name: its first byte becomes the access. */
static void put_attribute(struct text *t, uint64_t name, uint64_t form, enum own_edit edit, unsigned version)
{
	bool is_enum = edit == OWN_ENUM || edit == OWN_ENUM_NAME;
	bool has_ranges = edit == OWN_UNIT || edit == OWN_FUNCTION;
	if (name == AT_LOW_PC && has_ranges) {
		put_uleb(t, AT_RANGES);
		put_uleb(t, version < 4 ? FORM_DATA4 : FORM_SEC_OFFSET);
		if (edit == OWN_UNIT) {
			put_uleb(t, AT_ENTRY_PC);
			put_uleb(t, FORM_DATA4);
		}
	} else if (name == AT_HIGH_PC && has_ranges) {
		put_uleb(t, AT_IGNORED);
		put_uleb(t, edit == OWN_UNIT ? form : FORM_BLOCK1);
	} else if (name == AT_DECL_LINE && is_enum && (form == FORM_DATA1 || form == FORM_DATA2)) {
		put_uleb(t, AT_ENUM_CLASS);
		put_uleb(t, FORM_FLAG);
		if (form == FORM_DATA2) {
			put_uleb(t, AT_IGNORED);
			put_uleb(t, FORM_DATA1);
		}
	} else if (name == AT_NAME && edit == OWN_UNNAMED) {
		put_uleb(t, AT_IGNORED);
		put_uleb(t, form);
	} else if (name == AT_NAME && edit == OWN_BASE) {
		put_uleb(t, AT_ACCESSIBILITY);
		put_uleb(t, FORM_DATA1);
		put_uleb(t, AT_IGNORED);
		put_uleb(t, FORM_STRING);
	} else {
		put_uleb(t, name);
		put_uleb(t, form);
	}
	if ((name == AT_NAME && (edit == OWN_ENUM_NAME || edit == OWN_NAME)) ||
	    ((name == AT_LINKAGE_NAME || name == AT_MIPS_LINKAGE_NAME) && edit == OWN_LINKAGE)) {
		put_uleb(t, AT_IGNORED);
		put_uleb(t, FORM_BLOCK1);
	}
}

uint64_t own_abbrev_copy(struct own *o, uint64_t table, uint64_t code, enum own_edit edit, unsigned version)
{
	struct text copy = {0}, *t = &o->bytes[DIE_ABBREV];
	struct cursor attributes;
	uint64_t tag, name = 1, form = 1;
	for (unsigned i = 0; i < o->n_copies; i++)
		if (o->copies[i].of == code && o->copies[i].edit == edit && o->copies[i].table == table)
			return o->copies[i].code;
	size_t end;
	uint64_t new_code = greatest_code(o, table, &end) + 1;
	if (new_code < 2 || new_code > CODES_MAX || code > CODES_MAX || o->n_copies == OWN_COPIES_MAX ||
	    !own_abbrev(o, table, code, &attributes, &tag))
		return 0;
	put_uleb(&copy, new_code);
	put_uleb(&copy, edit == OWN_BASE ? TAG_INHERITANCE : tag);
	put8(&copy, attributes.at[-1]);
	while (name || form) {
		name = cursor_uleb(&attributes);
		form = cursor_uleb(&attributes);
		put_attribute(&copy, name, form, edit, version);
	}
	put8(&copy, 0);
	t->n = end;
	text_addn(t, copy.s, copy.n);
	text_free(&copy);
	o->copies[o->n_copies++] = (struct own_copy){table, code, new_code, edit};
	return new_code;
}

bool own_drop_name(struct own *o, const struct own_named *e)
{
	uint64_t code = own_abbrev_copy(o, e->table, e->code, OWN_UNNAMED, e->version);
	*e->code_at = code ? (unsigned char)code : *e->code_at;
	return code != 0;
}

bool own_shorten(struct own *o, const struct own_named *e, const char *name, enum own_edit edit)
{
	size_t room = strlen((char *)e->name), n = strlen(name);
	uint64_t code = n < room && room - n <= 256 ? own_abbrev_copy(o, e->table, e->code, edit, e->version) : 0;
	if (!code)
		return false;
	*e->code_at = (unsigned char)code;
	memcpy(e->name, name, n);
	e->name[n] = 0;
	e->name[n + 1] = (unsigned char)(room - n - 1); /* bytes of the block */
	return true;
}

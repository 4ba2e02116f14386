/* The abbreviations of a program's own .debug_abbrev: changed copies of one, by which an entry says something
 * else in as many bytes as before (references between entries are offsets: nothing may move). */
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_own.h"

#define AT_IGNORED 0x3f00u /* of the numbers left to vendors: gdb passes over it */
#define TAG_IGNORED 0x4100u /* likewise */
#define CODES_MAX 0x7fu	   /* those of one byte */

/* The table's greatest code and where in the section it ends, before the 0; 0: it isn't the last one of its section, so that nothing
 * can be added to it. */
static uint64_t greatest_code(const struct own *o, uint64_t table, size_t *end)
{
	struct cursor c, attributes;
	uint64_t greatest = 0, code, tag;
	*end = 0;
	if (!die_table(&o->die.bytes[DIE_ABBREV], table, &c))
		return 0;
	while ((code = die_next_abbrev(&c, &attributes, &tag)) != 0)
		greatest = code > greatest ? code : greatest;
	*end = (size_t)((char *)c.at - o->die.bytes[DIE_ABBREV].s) - 1;
	while (c.ok && c.at < c.end)
		if (cursor_fixed(&c, 1))
			return 0;
	return c.ok ? greatest : 0;
}

/* An attribute of the copy. Addresses have 8 bytes: a unit's low_pc becomes the offset of a list of ranges and, in 4 bytes, what addresses
 * are relative to; a function's two become such an offset and a block of no meaning. An enumeration's line becomes the flag that it is an
 * enum class (of a line above 255 the first byte); after a name that has become shorter there is a block of no meaning.
 * A base class has no name: its first byte becomes the access. A block's low_pc becomes such an offset and the entry that it has its variables from. */
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
	} else if (name == AT_LOW_PC && edit == OWN_BLOCK) {
		put_uleb(t, AT_RANGES);
		put_uleb(t, version < 4 ? FORM_DATA4 : FORM_SEC_OFFSET);
		put_uleb(t, AT_ABSTRACT_ORIGIN);
		put_uleb(t, FORM_REF_ADDR);
	} else if (name == AT_HIGH_PC && edit == OWN_BLOCK) {
		put_uleb(t, AT_IGNORED);
		put_uleb(t, FORM_DATA8);
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

static unsigned char *code_of(const struct own *o, const struct die_entry *e)
{
	return (unsigned char *)o->die.bytes[DIE_INFO].s + e->offset;
}

/* Returns the offset of the entry's attributes in .debug_abbrev, as the entry's code names them by now. */
static uint32_t attributes_of(const struct own *o, const struct die_entry *e)
{
	const uint64_t table = o->die.units[e->unit].table;
	for (unsigned i = 0; i < o->n_copies; i++)
		if (o->copies[i].table == table && o->copies[i].code == *code_of(o, e))
			return o->copies[i].attributes;
	return e->attributes;
}

/* Appends a changed copy to the table. Returns its code, or 0 if there can be none. */
static uint64_t add_copy(struct own *o, const struct die_entry *e, uint32_t of, enum own_edit edit)
{
	const struct die_unit *u = &o->die.units[e->unit];
	struct text copy = {0}, *t = &o->die.bytes[DIE_ABBREV];
	struct cursor attributes;
	uint64_t name = 1, form = 1;
	size_t end;
	const uint64_t code = greatest_code(o, u->table, &end) + 1;
	if (code < 2 || code > CODES_MAX || o->n_copies == OWN_COPIES_MAX || !die_table(t, of, &attributes))
		return 0;
	put_uleb(&copy, code);
	put_uleb(&copy, edit == OWN_BASE ? TAG_INHERITANCE : edit == OWN_HIDDEN ? TAG_IGNORED : e->tag);
	put8(&copy, attributes.at[-1]);
	o->copies[o->n_copies++] = (struct own_copy){u->table, code, of, (uint32_t)(end + copy.n), edit};
	while (name || form) {
		name = cursor_uleb(&attributes);
		form = cursor_uleb(&attributes);
		put_attribute(&copy, name, form, edit, u->version);
	}
	put8(&copy, 0);
	t->n = end;
	text_addn(t, copy.s, copy.n);
	text_free(&copy);
	return code;
}

/* Returns the code of a changed copy of the entry's abbreviation, which is made if need be. Returns 0 if there can be none. */
static uint64_t copy_of(struct own *o, const struct die_entry *e, enum own_edit edit)
{
	if (e->values - e->offset != 1) /* a code of several bytes */
		return 0;
	const uint32_t of = attributes_of(o, e);
	for (unsigned i = 0; i < o->n_copies; i++)
		if (o->copies[i].of == of && o->copies[i].edit == edit)
			return o->copies[i].code;
	return add_copy(o, e, of, edit);
}

bool own_edit(struct own *o, const struct die_entry *e, enum own_edit edit)
{
	const uint64_t code = copy_of(o, e, edit);
	if (code)
		*code_of(o, e) = (unsigned char)code;
	return code;
}

bool own_shorten(struct own *o, const struct die_entry *e, unsigned char *name, const char *shorter, enum own_edit edit)
{
	const size_t room = strlen((char *)name), n = strlen(shorter);
	if (n >= room || room - n > 256 || !own_edit(o, e, edit))
		return false;
	memcpy(name, shorter, n);
	name[n] = 0;
	name[n + 1] = (unsigned char)(room - n - 1); /* bytes of the block */
	return true;
}

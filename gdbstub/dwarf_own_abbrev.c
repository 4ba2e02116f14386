/* The abbreviations of a program's own .debug_abbrev: finding one, reading values, and adding changed copies of it, by which an entry says something
 * else in as many bytes as before (references between entries are offsets: nothing may move). */
#include "gdbstub/bytes.h"
#include "gdbstub/dwarf_own.h"

#define AT_NAME 0x03u
#define AT_LOW_PC 0x11u
#define AT_HIGH_PC 0x12u
#define AT_DECL_LINE 0x3bu
#define AT_ENTRY_PC 0x52u
#define AT_RANGES 0x55u
#define AT_ENUM_CLASS 0x6du
#define AT_IGNORED 0x3f00u /* of the numbers left to vendors: gdb passes over it */
#define FORM_DATA2 0x05u
#define FORM_DATA4 0x06u
#define FORM_BLOCK1 0x0au
#define FORM_DATA1 0x0bu
#define FORM_FLAG 0x0cu
#define FORM_SEC_OFFSET 0x17u
#define CODES_MAX 0x7fu /* those of one byte */

static bool table_at(const struct own *o, uint64_t table, struct cursor *c)
{
	const struct text *t = &o->bytes[OWN_ABBREV];
	if (table < o->base[OWN_ABBREV] || table - o->base[OWN_ABBREV] > t->n)
		return false;
	*c = (struct cursor){(unsigned char *)t->s + (table - o->base[OWN_ABBREV]), (unsigned char *)t->s + t->n, true};
	return true;
}

/* Goes to the next abbreviation: its code, 0 at the table's end; `attributes` are its names and forms. */
static uint64_t next_abbrev(struct cursor *c, struct cursor *attributes, uint64_t *tag)
{
	uint64_t code = cursor_uleb(c);
	if (!c->ok || !code)
		return 0;
	*tag = cursor_uleb(c);
	cursor_skip(c, 1);
	*attributes = *c;
	for (uint64_t name = 1, form = 1; c->ok && (name || form);) {
		name = cursor_uleb(c);
		form = cursor_uleb(c);
	}
	return c->ok ? code : 0;
}

bool own_abbrev(const struct own *o, uint64_t table, uint64_t code, struct cursor *attributes, uint64_t *tag)
{
	struct cursor c;
	uint64_t found;
	if (!table_at(o, table, &c))
		return false;
	while ((found = next_abbrev(&c, attributes, tag)) != 0)
		if (found == code)
			return true;
	return false;
}

/* ---- values ---- */

/* Bytes of a value of fixed size (DWARF Version 4, 7.5.4), 0: it has none. */
static unsigned fixed_bytes(uint64_t form, unsigned address_size)
{
	switch (form) {
	case 0x01: return address_size; /* addr */
	case 0x0b:			/* data1 */
	case 0x0c:			/* flag */
	case 0x11: return 1;		/* ref1 */
	case 0x05:			/* data2 */
	case 0x12: return 2;		/* ref2 */
	case 0x06:			/* data4 */
	case 0x0e:			/* strp */
	case 0x13:			/* ref4 */
	case 0x10:			/* ref_addr */
	case 0x17: return 4;		/* sec_offset */
	case 0x07:			/* data8 */
	case 0x14: return 8;		/* ref8 */
	default: return 0;
	}
}

void own_attribute(struct cursor *c, unsigned address_size, uint64_t form, unsigned char **block, uint64_t *n,
		   uint64_t *value)
{
	unsigned bytes = fixed_bytes(form, address_size);
	*block = NULL;
	*n = *value = 0;
	if (bytes) {
		*value = cursor_fixed(c, bytes);
		return;
	}
	switch (form) {
	case 0x0d:				    /* sdata */
	case 0x0f:				    /* udata */
	case 0x15: *value = cursor_uleb(c); return; /* ref_udata */
	case 0x19: *value = 1; return;		    /* flag_present */
	case 0x08:				    /* string */
		while (cursor_fixed(c, 1))
			;
		return;
	case 0x0a: *n = cursor_fixed(c, 1); break; /* block1 */
	case 0x03: *n = cursor_fixed(c, 2); break; /* block2 */
	case 0x04: *n = cursor_fixed(c, 4); break; /* block4 */
	case 0x09:				   /* block */
	case 0x18: *n = cursor_uleb(c); break;	   /* exprloc */
	default: c->ok = false; return;
	}
	*block = c->at;
	cursor_skip(c, *n);
}

uint64_t own_reference(uint64_t form, uint64_t value) { return form >= 0x11 && form <= 0x15 ? value : 0; }

/* ---- changed copies ---- */

/* The table's greatest code; 0: it isn't the last one of its section, so that nothing can be added to it. */
static uint64_t greatest_code(const struct own *o, uint64_t table)
{
	struct cursor c, attributes;
	uint64_t greatest = 0, code, tag;
	if (!table_at(o, table, &c))
		return 0;
	while ((code = next_abbrev(&c, &attributes, &tag)) != 0)
		greatest = code > greatest ? code : greatest;
	while (c.ok && c.at < c.end)
		if (cursor_fixed(&c, 1))
			return 0;
	return c.ok ? greatest : 0;
}

/* An attribute of the copy. Addresses have 8 bytes: a unit's low_pc becomes the offset of a list of ranges and, in 4 bytes, what addresses
 * are relative to; a function's two become such an offset and a block of no meaning. An enumeration's line becomes the flag that it is an
 * enum class (of a line above 255 the first byte); behind a name that has become shorter there is a block of no meaning. */
static void put_attribute(struct text *t, uint64_t name, uint64_t form, enum own_edit edit, unsigned version)
{
	bool is_enum = edit == OWN_ENUM || edit == OWN_ENUM_NAME;
	if (name == AT_LOW_PC) {
		put_uleb(t, AT_RANGES);
		put_uleb(t, version < 4 ? FORM_DATA4 : FORM_SEC_OFFSET);
		if (edit == OWN_UNIT) {
			put_uleb(t, AT_ENTRY_PC);
			put_uleb(t, FORM_DATA4);
		}
	} else if (name == AT_HIGH_PC) {
		put_uleb(t, AT_IGNORED);
		put_uleb(t, edit == OWN_UNIT ? form : FORM_BLOCK1);
	} else if (name == AT_DECL_LINE && is_enum && (form == FORM_DATA1 || form == FORM_DATA2)) {
		put_uleb(t, AT_ENUM_CLASS);
		put_uleb(t, FORM_FLAG);
		if (form == FORM_DATA2) {
			put_uleb(t, AT_IGNORED);
			put_uleb(t, FORM_DATA1);
		}
	} else {
		put_uleb(t, name);
		put_uleb(t, form);
	}
	if (name == AT_NAME && edit == OWN_ENUM_NAME) {
		put_uleb(t, AT_IGNORED);
		put_uleb(t, FORM_BLOCK1);
	}
}

uint64_t own_abbrev_copy(struct own *o, uint64_t table, uint64_t code, enum own_edit edit, unsigned version)
{
	struct text copy = {0}, *t = &o->bytes[OWN_ABBREV];
	struct cursor attributes;
	uint64_t tag, name = 1, form = 1;
	for (unsigned i = 0; i < o->n_copies; i++)
		if (o->copies[i].of == code && o->copies[i].edit == edit && o->copies[i].table == table)
			return o->copies[i].code;
	uint64_t new_code = greatest_code(o, table) + 1;
	if (new_code < 2 || new_code > CODES_MAX || code > CODES_MAX || o->n_copies == OWN_COPIES_MAX ||
	    !own_abbrev(o, table, code, &attributes, &tag))
		return 0;
	put_uleb(&copy, new_code);
	put_uleb(&copy, tag);
	put8(&copy, attributes.at[-1]);
	while (name || form) {
		name = cursor_uleb(&attributes);
		form = cursor_uleb(&attributes);
		put_attribute(&copy, name, form, edit, version);
	}
	put8(&copy, 0);
	while (t->n && !t->s[t->n - 1]) /* the table's end, and the last abbreviation's */
		t->n--;
	put16(t, 0);
	text_addn(t, copy.s, copy.n);
	text_free(&copy);
	o->copies[o->n_copies++] = (struct own_copy){table, code, new_code, edit};
	return new_code;
}

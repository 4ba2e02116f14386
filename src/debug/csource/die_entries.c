/* Entries of .debug_info, one after the other, with the attributes that matter here. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/die.h"
#include "debug/csource/dwarf_numbers.h"

/* ---- abbreviations ---- */

bool die_table(const struct text *abbrev, uint64_t table, struct cursor *c)
{
	if (table > abbrev->n)
		return false;
	*c = (struct cursor){(unsigned char *)abbrev->s + table, (unsigned char *)abbrev->s + abbrev->n, true};
	return true;
}

uint64_t die_next_abbrev(struct cursor *c, struct cursor *attributes, uint64_t *tag)
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

/* The abbreviations of a table, one table at a time, by code. */
struct abbrevs {
	uint64_t table;
	struct abbreviation *v;
	struct hash_map index;
	uint64_t n_read; /* bytes of all tables so far */
};
struct abbreviation {
	uint64_t code, tag;
	struct cursor attributes;
};

#define ABBREVIATION_MAX 1024u /* bytes; compilers' have less than 100 */
#define TIMES_MAX 32u /* as often all tables may be read: malformed units may each have a long one of their own */

static void forget_table(struct abbrevs *a)
{
	hash_map_free(&a->index);
	free(a->v);
	*a = (struct abbrevs){.n_read = a->n_read};
}

/* Returns the number of abbreviations in a table, 0 if the table is malformed. */
static uint32_t count_abbrevs(struct abbrevs *a, const struct text *abbrev, struct cursor c)
{
	uint32_t n = 0;
	uint64_t tag;
	struct cursor attributes;
	const unsigned char *begin = c.at, *last = begin;
	while (die_next_abbrev(&c, &attributes, &tag)) {
		if (c.at - last > ABBREVIATION_MAX)
			return 0;
		last = c.at;
		n++;
	}
	a->n_read += (uint64_t)(c.at - begin);
	return a->n_read / TIMES_MAX > abbrev->n ? 0 : n;
}

static bool read_table(struct abbrevs *a, const struct text *abbrev, uint64_t table)
{
	struct cursor c;
	uint32_t known, n;
	if (a->v && a->table == table)
		return true;
	forget_table(a);
	if (!die_table(abbrev, table, &c) || !(n = count_abbrevs(a, abbrev, c)))
		return false;
	a->table = table;
	a->v = xcalloc(n, sizeof *a->v);
	for (uint32_t i = 0; i < n; i++) {
		struct abbreviation *v = &a->v[i];
		v->code = die_next_abbrev(&c, &v->attributes, &v->tag);
		if (!hash_map_get(&a->index, (const char *)&v->code, sizeof v->code, &known))
			hash_map_put(&a->index, (const char *)&v->code, sizeof v->code, i);
	}
	return true;
}

/* Returns the abbreviation of a code, the first of several. Returns NULL if there is none or the table is malformed. */
static const struct abbreviation *find_abbrev(struct abbrevs *a, const struct text *abbrev, uint64_t table,
					      uint64_t code)
{
	uint32_t i;
	if (!read_table(a, abbrev, table) || !hash_map_get(&a->index, (const char *)&code, sizeof code, &i))
		return NULL;
	return &a->v[i];
}

/* ---- values ---- */

/* The value of an attribute: a number, or a block. */
struct value {
	uint64_t form, number;
	unsigned char *at;    /* where it begins */
	unsigned char *block; /* of n bytes; NULL: it is none */
	uint64_t n;
};

/* Returns the bytes of a value of fixed size (DWARF Version 4, 7.5.4), 0 if the size varies. */
static unsigned fixed_bytes(uint64_t form, unsigned address_size)
{
	switch (form) {
	case FORM_ADDR: return address_size;
	case FORM_DATA1:
	case FORM_FLAG:
	case FORM_REF1: return 1;
	case FORM_DATA2:
	case FORM_REF2: return 2;
	case FORM_DATA4:
	case FORM_STRP:
	case FORM_REF4:
	case FORM_REF_ADDR:
	case FORM_SEC_OFFSET: return 4;
	case FORM_DATA8:
	case FORM_REF8: return 8;
	default: return 0;
	}
}

/* Reads a value of a form. Sets c->ok to false if it can't be read. */
static struct value read_value(struct cursor *c, unsigned address_size, uint64_t form)
{
	const unsigned bytes = fixed_bytes(form, address_size);
	struct value v = {.form = form, .at = c->at};
	if (bytes) {
		v.number = cursor_fixed(c, bytes);
		return v;
	}
	switch (form) {
	case FORM_SDATA: v.number = (uint64_t)cursor_sleb(c); return v;
	case FORM_UDATA:
	case FORM_REF_UDATA: v.number = cursor_uleb(c); return v;
	case FORM_PRESENT: v.number = 1; return v;
	case FORM_STRING:
		while (cursor_fixed(c, 1))
			;
		return v;
	case FORM_BLOCK1: v.n = cursor_fixed(c, 1); break;
	case FORM_BLOCK2: v.n = cursor_fixed(c, 2); break;
	case FORM_BLOCK4: v.n = cursor_fixed(c, 4); break;
	case FORM_BLOCK:
	case FORM_EXPRLOC: v.n = cursor_uleb(c); break;
	default: c->ok = false; return v;
	}
	v.block = c->at;
	cursor_skip(c, v.n);
	return v;
}

/* Reads name and form of the next attribute. Returns false at the end; sets attributes->ok to false if there is no end. */
static bool next_attribute(struct cursor *attributes, uint64_t *name, uint64_t *form)
{
	*name = cursor_uleb(attributes);
	*form = cursor_uleb(attributes);
	return attributes->ok && (*name || *form);
}

/* Returns a member's offset: a number, or an expression that adds a number. Returns 0 for other expressions. */
static uint64_t member_location(const struct value *v)
{
	struct cursor c = {v->block, v->block ? v->block + v->n : v->block, true};
	if (!v->block)
		return v->number;
	const uint64_t op = cursor_fixed(&c, 1);
	return op == OP_PLUS_UCONST || op == OP_CONSTU ? cursor_uleb(&c) : 0;
}

size_t die_register_name(uint64_t number, char name[9])
{
	size_t n = 0;
	for (int i = 7; i >= 0; i--) {
		char c = (char)(number >> 8 * i & 0xff);
		if (c || n)
			name[n++] = c;
	}
	name[n] = '\0';
	return n;
}

/* ---- entries ---- */

const struct die_entry *die_entry_at(const struct die_file *f, uint64_t offset)
{
	size_t lo = 0, hi = f->n_entries;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (f->entries[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return offset && lo < f->n_entries && f->entries[lo].offset == offset ? &f->entries[lo] : NULL;
}

#define NAME_MAX_BYTES 16384u /* longer names count as missing */

static const char *shared_string(const struct die_file *f, uint64_t offset)
{
	const struct text *t = &f->bytes[DIE_STR];
	uint64_t most = NAME_MAX_BYTES;
	if (offset >= t->n)
		return NULL;
	return memchr(t->s + offset, 0, t->n - offset < most ? t->n - offset : most) ? t->s + offset : NULL;
}

static const char *string_value(const struct die_file *f, const struct value *v)
{
	if (v->form == FORM_STRP)
		return shared_string(f, v->number - f->base[DIE_STR]);
	return v->form == FORM_STRING ? (const char *)v->at : NULL;
}

/* Returns the offset of the entry that a value refers to, 0 for other forms. */
static uint64_t reference(const struct die_file *f, const struct die_unit *u, const struct value *v)
{
	if (v->form >= FORM_REF1 && v->form <= FORM_REF_UDATA)
		return v->number ? u->begin + v->number : 0;
	return v->form == FORM_REF_ADDR && v->number ? v->number - f->base[DIE_INFO] : 0;
}

static void set_number(const struct die_file *f, struct die_entry *e, uint64_t name, const struct value *v)
{
	const uint64_t value = v->number;
	switch (name) {
	case AT_BYTE_SIZE:
		e->bytes = value;
		e->storage_bytes = value < 9 ? (uint8_t)value : 0;
		break;
	case AT_BIT_SIZE:
		e->bit_size = value <= 64 ? (uint8_t)value : 0;
		e->has_bits = true;
		break;
	case AT_BIT_OFFSET: e->bit_offset = value; break;
	case AT_DATA_BIT_OFFSET:
		e->bit_offset = value;
		e->has_data_bit = true;
		break;
	case AT_LOW_PC:
		e->low = value;
		e->has_low = true;
		break;
	case AT_HIGH_PC:
		e->high = value;
		e->has_high = true;
		e->high_is_length = v->form != FORM_ADDR;
		break;
	case AT_RANGES:
		e->ranges = value - f->base[DIE_RANGES];
		e->has_ranges = true;
		break;
	case AT_CONST_VALUE:
		e->value = value;
		e->has_value = true;
		break;
	case AT_UPPER_BOUND:
	case AT_COUNT:
		e->count = value + (name == AT_UPPER_BOUND);
		e->has_count = true;
		break;
	case AT_DECL_LINE: e->line = (uint32_t)value; break;
	case AT_CALL_FILE: e->call_file = (uint32_t)value; break;
	case AT_CALL_LINE: e->call_line = (uint32_t)value; break;
	case AT_DECLARATION: e->is_declaration = value; break;
	case AT_EXTERNAL: e->is_external = value; break;
	case AT_ENUM_CLASS: e->is_enum_class = value; break;
	case AT_ENCODING: e->encoding = (uint8_t)value; break;
	default: break;
	}
}

static void set_attribute(const struct die_file *f, struct die_entry *e, uint64_t name, const struct value *v)
{
	const struct die_unit *u = &f->units[e->unit];
	switch (name) {
	case AT_NAME: e->name = string_value(f, v); break;
	case AT_LINKAGE_NAME:
	case AT_MIPS_LINKAGE_NAME: e->linkage = string_value(f, v); break;
	case AT_TYPE: e->type = reference(f, u, v); break;
	case AT_ABSTRACT_ORIGIN:
	case AT_SPECIFICATION: e->origin = reference(f, u, v); break;
	case AT_MEMBER_LOCATION: e->member_at = member_location(v); break;
	case AT_LOCATION:
		e->location = v->block;
		e->n_location = v->n < UINT32_MAX ? (uint32_t)v->n : 0;
		e->location_list = v->number - f->base[DIE_LOC];
		e->has_list = !v->block;
		break;
	default:
		if (!v->block)
			set_number(f, e, name, v);
	}
}

/* Reads an entry's attributes, which follow its code. */
static bool read_attributes(const struct die_file *f, struct die_entry *e, struct cursor *c, struct cursor attributes)
{
	uint64_t name, form;
	while (next_attribute(&attributes, &name, &form)) {
		const struct value v = read_value(c, f->units[e->unit].address_size, form);
		if (!c->ok)
			return false;
		set_attribute(f, e, name, &v);
	}
	return attributes.ok;
}

#define LEVELS_MAX 256

/* The entries that are open while a unit is read, by index. */
struct open_entries {
	uint32_t index[LEVELS_MAX], n;
};

static void close_entry(struct die_file *f, struct open_entries *open)
{
	f->entries[open->index[--open->n]].end = (uint32_t)f->n_entries;
}

static bool read_entry(struct die_file *f, struct abbrevs *abbrevs, struct cursor *c, struct open_entries *open)
{
	const struct text *info = &f->bytes[DIE_INFO], *abbrev = &f->bytes[DIE_ABBREV];
	const struct die_unit *u = &f->units[f->n_units - 1];
	const uint64_t at = (uint64_t)((char *)c->at - info->s), code = cursor_uleb(c);
	if (!code && open->n)
		close_entry(f, open);
	if (!code)
		return true;
	const struct abbreviation *a = c->ok ? find_abbrev(abbrevs, abbrev, u->table, code) : NULL;
	if (!a || open->n == LEVELS_MAX)
		return false;
	f->entries = xgrow(f->entries, &f->cap_entries, f->n_entries + 1, sizeof *f->entries);
	struct die_entry *e = &f->entries[f->n_entries];
	*e = (struct die_entry){.offset = at,
				.tag = (uint16_t)a->tag,
				.unit = (uint32_t)f->n_units - 1,
				.parent = open->n ? open->index[open->n - 1] : UINT32_MAX,
				.attributes = (uint32_t)((char *)a->attributes.at - abbrev->s),
				.values = (uint32_t)((char *)c->at - info->s)};
	if (!read_attributes(f, e, c, a->attributes))
		return false;
	e->end = (uint32_t)++f->n_entries;
	if (a->attributes.at[-1])
		open->index[open->n++] = (uint32_t)f->n_entries - 1;
	return true;
}

static bool read_unit(struct die_file *f, struct abbrevs *abbrevs, struct cursor *c)
{
	struct open_entries open = {.n = 0};
	struct die_unit u = {.begin = (uint64_t)((char *)c->at - f->bytes[DIE_INFO].s)};
	const uint64_t length = cursor_fixed(c, 4);
	if (!c->ok || length > (uint64_t)(c->end - c->at))
		return false;
	struct cursor in = {c->at, c->at + length, true};
	cursor_skip(c, length);
	u.end = (uint64_t)((char *)c->at - f->bytes[DIE_INFO].s);
	u.version = (unsigned)cursor_fixed(&in, 2);
	u.table = cursor_fixed(&in, 4) - f->base[DIE_ABBREV];
	u.address_size = (unsigned)cursor_fixed(&in, 1);
	if (u.version < 2 || u.version > 4 || (u.address_size != 8 && u.address_size != 4))
		return false;
	f->units = xgrow(f->units, &f->cap_units, f->n_units + 1, sizeof *f->units);
	f->units[f->n_units++] = u;
	while (in.ok && in.at < in.end)
		if (!read_entry(f, abbrevs, &in, &open))
			return false;
	while (open.n)
		close_entry(f, &open);
	return in.ok;
}

/* The budget of bytes of lists, in multiples of all bytes of lists. */
#define LIST_TIMES 8u

bool die_entries_read(struct die_file *f)
{
	struct text *t = &f->bytes[DIE_INFO];
	struct cursor c = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true};
	struct abbrevs abbrevs = {0};
	bool ok = t->n <= UINT32_MAX && f->bytes[DIE_ABBREV].n <= UINT32_MAX;
	f->list_bytes_left = LIST_TIMES * (f->bytes[DIE_LOC].n + f->bytes[DIE_RANGES].n);
	while (ok && c.at < c.end)
		ok = read_unit(f, &abbrevs, &c) && f->n_entries <= UINT32_MAX / 2;
	forget_table(&abbrevs);
	return ok;
}

void die_file_free_entries(struct die_file *f)
{
	free(f->units);
	free(f->entries);
	f->units = NULL;
	f->entries = NULL;
	f->n_units = f->n_entries = f->cap_units = f->cap_entries = 0;
	text_free(&f->bytes[DIE_ABBREV]);
	text_free(&f->bytes[DIE_LOC]);
	text_free(&f->bytes[DIE_RANGES]);
}

void die_file_free(struct die_file *f)
{
	die_file_free_entries(f);
	text_free(&f->bytes[DIE_INFO]);
	text_free(&f->bytes[DIE_STR]);
}

/* ---- where a value is ---- */

static bool find_value(const struct die_file *f, const struct die_entry *e, unsigned attribute, struct value *v)
{
	const struct text *info = &f->bytes[DIE_INFO], *abbrev = &f->bytes[DIE_ABBREV];
	struct cursor c = {(unsigned char *)info->s + e->values, (unsigned char *)info->s + info->n, true}, attributes;
	uint64_t name, form;
	if (!die_table(abbrev, e->attributes, &attributes))
		return false;
	while (next_attribute(&attributes, &name, &form)) {
		*v = read_value(&c, f->units[e->unit].address_size, form);
		if (name == attribute)
			return c.ok;
	}
	return false;
}

unsigned char *die_value_at(const struct die_file *f, const struct die_entry *e, unsigned attribute, unsigned form)
{
	struct value v;
	return find_value(f, e, attribute, &v) && v.form == form ? v.at : NULL;
}

/* ---- lists ---- */

static bool spend(struct die_file *f, uint64_t bytes)
{
	const bool is_enough = bytes <= f->list_bytes_left;
	f->list_bytes_left = is_enough ? f->list_bytes_left - bytes : 0;
	return is_enough;
}

struct cursor die_list(const struct die_file *f, enum die_section section, uint64_t offset)
{
	const struct text *t = &f->bytes[section];
	struct cursor c = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true};
	cursor_skip(&c, offset);
	return c;
}

bool die_list_next(struct die_file *f, struct cursor *c, uint64_t *begin, uint64_t *end)
{
	*begin = cursor_fixed(c, 8);
	*end = cursor_fixed(c, 8);
	return c->ok && (*begin || *end) && spend(f, 16);
}

bool die_list_expression(struct die_file *f, struct cursor *c, unsigned char **expression, size_t *n)
{
	*n = cursor_fixed(c, 2);
	*expression = c->at;
	cursor_skip(c, *n);
	return c->ok && spend(f, *n);
}

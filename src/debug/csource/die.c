/* Abbreviations and values of debug information. */
#include "debug/csource/die.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "debug/csource/dwarf_numbers.h"

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

/* ---- abbreviations by code ---- */

struct die_abbreviation {
	uint64_t code, tag;
	struct cursor attributes;
};

#define ABBREVIATION_MAX 1024u /* bytes; compilers' have less than 100 */
#define TIMES_MAX 32u /* as often all tables may be read: malformed units may each have a long one of their own */

static void forget_table(struct die_abbrevs *a)
{
	hash_map_free(&a->index);
	free(a->v);
	*a = (struct die_abbrevs){.n_read = a->n_read};
}

/* How many a table has; 0: none, or it makes no sense. */
static uint32_t count_abbrevs(struct die_abbrevs *a, const struct text *abbrev, struct cursor c)
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

static bool read_table(struct die_abbrevs *a, const struct text *abbrev, uint64_t table)
{
	struct cursor c;
	uint32_t known, n;
	if (a->v && a->bytes == abbrev->s && a->n_bytes == abbrev->n && a->table == table)
		return true;
	forget_table(a);
	if (!die_table(abbrev, table, &c) || !(n = count_abbrevs(a, abbrev, c)))
		return false;
	a->bytes = abbrev->s;
	a->n_bytes = abbrev->n;
	a->table = table;
	a->v = xcalloc(n, sizeof *a->v);
	for (uint32_t i = 0; i < n; i++) {
		struct die_abbreviation *v = &a->v[i];
		v->code = die_next_abbrev(&c, &v->attributes, &v->tag);
		if (!hash_map_get(&a->index, (const char *)&v->code, sizeof v->code, &known))
			hash_map_put(&a->index, (const char *)&v->code, sizeof v->code, i);
	}
	return true;
}

bool die_abbrev(struct die_abbrevs *a, const struct text *abbrev, uint64_t table, uint64_t code,
		struct cursor *attributes, uint64_t *tag)
{
	uint32_t i;
	if (!read_table(a, abbrev, table) || !hash_map_get(&a->index, (const char *)&code, sizeof code, &i))
		return false;
	*attributes = a->v[i].attributes;
	*tag = a->v[i].tag;
	return true;
}

void die_abbrevs_free(struct die_abbrevs *a) { forget_table(a); }

/* ---- values ---- */

/* Bytes of a value of fixed size (DWARF Version 4, 7.5.4), 0: it has none. */
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

void die_attribute(struct cursor *c, unsigned address_size, uint64_t form, unsigned char **block, uint64_t *n,
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
	case FORM_SDATA: *value = (uint64_t)cursor_sleb(c); return;
	case FORM_UDATA:
	case FORM_REF_UDATA: *value = cursor_uleb(c); return;
	case FORM_PRESENT: *value = 1; return;
	case FORM_STRING:
		while (cursor_fixed(c, 1))
			;
		return;
	case FORM_BLOCK1: *n = cursor_fixed(c, 1); break;
	case FORM_BLOCK2: *n = cursor_fixed(c, 2); break;
	case FORM_BLOCK4: *n = cursor_fixed(c, 4); break;
	case FORM_BLOCK:
	case FORM_EXPRLOC: *n = cursor_uleb(c); break;
	default: c->ok = false; return;
	}
	*block = c->at;
	cursor_skip(c, *n);
}

uint64_t die_reference(uint64_t form, uint64_t value)
{
	return form >= FORM_REF1 && form <= FORM_REF_UDATA ? value : 0;
}

bool die_member_location(unsigned char *block, uint64_t n, uint64_t value, uint64_t *offset)
{
	struct cursor c = {block, block ? block + n : block, true};
	uint64_t op = block ? cursor_fixed(&c, 1) : 0;
	*offset = !block ? value : op == OP_PLUS_UCONST || op == OP_CONSTU ? cursor_uleb(&c) : 0;
	return !block || (c.ok && (op == OP_PLUS_UCONST || op == OP_CONSTU));
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

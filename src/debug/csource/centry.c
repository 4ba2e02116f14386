/* The entries of .debug_info, one after the other, with the attributes that matter here. */
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames_internal.h"
#include "debug/csource/dwarf_numbers.h"

bool centry_code(const struct cread *r, uint64_t address, uint32_t *index)
{
	uint64_t at = (address - CREAD_CODE) / ISA_INSN_BYTES;
	*index = (uint32_t)at;
	return address >= CREAD_CODE && at <= r->program->n_insns;
}

struct centry *centry_at(const struct cread *r, uint64_t offset)
{
	size_t lo = 0, hi = r->n_entries;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (r->entries[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return offset && lo < r->n_entries && r->entries[lo].offset == offset ? &r->entries[lo] : NULL;
}

struct unit {
	uint64_t begin, table;
	unsigned address_size;
};

#define NAME_MAX_BYTES 16384u /* longer ones are as good as none */

/* A string of .debug_str, which entries may share: it is in the pool as a whole. */
static const char *shared_string(const struct cread *r, uint64_t offset)
{
	uint64_t n = r->bytes[DIE_STR].n, most = NAME_MAX_BYTES;
	if (offset >= n)
		return NULL;
	return memchr(r->strings + offset, 0, n - offset < most ? n - offset : most) ? r->strings + offset : NULL;
}

static const char *string_value(const struct cread *r, uint64_t form, const unsigned char *at, uint64_t value)
{
	if (form == FORM_STRP)
		return shared_string(r, value);
	return form == FORM_STRING ? pool_strn(r->pool, (const char *)at, strlen((const char *)at)) : NULL;
}

static void set_number(struct centry *e, uint64_t name, uint64_t form, uint64_t value)
{
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
		e->high_is_length = form != FORM_ADDR;
		break;
	case AT_RANGES:
		e->ranges = value;
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

static bool attributes_of(struct cread *r, const struct unit *u, struct cursor *c, struct cursor attributes,
			  struct centry *e)
{
	for (;;) {
		uint64_t name = cursor_uleb(&attributes), form = cursor_uleb(&attributes), n, value;
		unsigned char *block, *at = c->at;
		if (!attributes.ok || (!name && !form))
			return attributes.ok;
		die_attribute(c, u->address_size, form, &block, &n, &value);
		if (!c->ok)
			return false;
		uint64_t entry = die_reference(form, value);
		entry = entry ? u->begin + entry : form == FORM_REF_ADDR ? value : 0;
		switch (name) {
		case AT_NAME: e->name = string_value(r, form, at, value); break;
		case AT_LINKAGE_NAME:
		case AT_MIPS_LINKAGE_NAME: e->linkage = string_value(r, form, at, value); break;
		case AT_TYPE: e->type = entry; break;
		case AT_ABSTRACT_ORIGIN:
		case AT_SPECIFICATION: e->origin = entry; break;
		case AT_MEMBER_LOCATION: die_member_location(block, n, value, &e->member_at); break;
		case AT_LOCATION:
			e->location = block;
			e->n_location = n < UINT32_MAX ? (uint32_t)n : 0;
			e->location_list = value;
			e->has_list = !block;
			break;
		default:
			if (!block)
				set_number(e, name, form, value);
		}
	}
}

#define LEVELS_MAX 256

static bool read_unit(struct cread *r, struct cursor *c)
{
	const unsigned char *base = (unsigned char *)r->bytes[DIE_INFO].s;
	struct unit u = {.begin = (uint64_t)(c->at - base)};
	uint32_t open[LEVELS_MAX], depth = 0;
	uint64_t length = cursor_fixed(c, 4);
	if (!c->ok || length > (uint64_t)(c->end - c->at))
		return false;
	struct cursor in = {c->at, c->at + length, true};
	cursor_skip(c, length);
	uint64_t version = cursor_fixed(&in, 2);
	u.table = cursor_fixed(&in, 4);
	u.address_size = (unsigned)cursor_fixed(&in, 1);
	if (version < 2 || version > 4 || (u.address_size != 8 && u.address_size != 4))
		return false;
	while (in.ok && in.at < in.end) {
		struct cursor attributes;
		uint64_t tag, at = (uint64_t)(in.at - base), code = cursor_uleb(&in);
		if (!code && depth)
			r->entries[open[--depth]].end = (uint32_t)r->n_entries;
		if (!code)
			continue;
		if (!in.ok || !die_abbrev(&r->abbrevs, &r->bytes[DIE_ABBREV], u.table, code, &attributes, &tag) ||
		    depth == LEVELS_MAX)
			return false;
		r->entries = xgrow(r->entries, &r->cap_entries, r->n_entries + 1, sizeof *r->entries);
		struct centry *e = &r->entries[r->n_entries];
		*e = (struct centry){
			.offset = at, .tag = (uint16_t)tag, .parent = depth ? open[depth - 1] : UINT32_MAX};
		if (!attributes_of(r, &u, &in, attributes, e))
			return false;
		e->end = (uint32_t)++r->n_entries;
		if (attributes.at[-1])
			open[depth++] = (uint32_t)r->n_entries - 1;
	}
	while (depth)
		r->entries[open[--depth]].end = (uint32_t)r->n_entries;
	return in.ok;
}

bool centry_read_all(struct cread *r)
{
	struct text *t = &r->bytes[DIE_INFO];
	struct cursor c = {(unsigned char *)t->s, (unsigned char *)t->s + t->n, true};
	bool ok = true;
	r->strings = pool_dup(r->pool, text_str(&r->bytes[DIE_STR]), r->bytes[DIE_STR].n);
	r->left = CREAD_TIMES * (r->bytes[DIE_LOC].n + r->bytes[DIE_RANGES].n);
	r->names_left = CREAD_NAMES_LEAST + CREAD_NAME_TIMES * (r->bytes[DIE_INFO].n + r->bytes[DIE_STR].n);
	while (ok && c.at < c.end)
		ok = read_unit(r, &c) && r->n_entries <= UINT32_MAX / 2;
	die_abbrevs_free(&r->abbrevs);
	return ok;
}

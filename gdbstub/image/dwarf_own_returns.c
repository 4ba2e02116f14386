/* The classes of the two halves of a value of up to 16 bytes (System V ABI for x86-64, 3.2.3), from the type's entry in the program's own
 * debug information: an eightbyte of nothing but floats is SSE, any other one INTEGER. gdb looks for the first half of each class in its
 * first register, xmm0 or rax, so for mixed ones it has to be known which half that is. */
#include "base/xalloc.h"
#include "debug/csource/dwarf_numbers.h"
#include "gdbstub/image/dwarf_own.h"
#include "gdbstub/image/room.h"

#define VALUE_MAX 16u
#define DEPTH_MAX 16u
#define ENTRIES_MAX 1000u /* looked at for a type: what contains itself several times would never come to an end */

enum { CLASS_NONE, CLASS_SSE, CLASS_INTEGER };

struct die {
	uint64_t tag, type, size, encoding, location, count;
	bool has_children, is_static;
};

struct reader {
	const struct own *o;
	const struct own_unit *unit;
	uint8_t classes[2];
	unsigned n_entries;
};

/* Reads an entry; false: the end of a list of children, or nonsense. */
static bool read_die(const struct reader *r, struct cursor *c, struct die *d)
{
	struct cursor attributes;
	unsigned char *block;
	uint64_t n, value, code = cursor_uleb(c);
	*d = (struct die){0};
	if (!c->ok || !code || !own_abbrev(r->o, r->unit->table, code, &attributes, &d->tag))
		return false;
	d->has_children = attributes.at[-1];
	for (;;) {
		uint64_t name = cursor_uleb(&attributes), form = cursor_uleb(&attributes);
		if (!attributes.ok || (!name && !form))
			return attributes.ok;
		die_attribute(c, r->unit->address_size, form, &block, &n, &value);
		if (!c->ok)
			return false;
		switch (name) {
		case AT_TYPE: d->type = die_reference(form, value); break;
		case AT_BYTE_SIZE: d->size = value; break;
		case AT_ENCODING: d->encoding = value; break;
		case AT_MEMBER_LOCATION:
			if (!die_member_location(block, n, value, &d->location))
				d->location = VALUE_MAX;
			break;
		case AT_UPPER_BOUND: d->count = value + 1; break;
		case AT_COUNT: d->count = value; break;
		case AT_EXTERNAL: d->is_static = true; break;
		default: break;
		}
	}
}

static bool die_at(struct reader *r, uint64_t place, struct cursor *c, struct die *d)
{
	if (!place || r->n_entries++ > ENTRIES_MAX)
		return false;
	*c = (struct cursor){r->unit->begin, r->unit->end, true};
	cursor_skip(c, place);
	return read_die(r, c, d);
}

static bool is_other_name(const struct die *d)
{
	return d->tag == TAG_TYPEDEF || d->tag == TAG_CONST || d->tag == TAG_VOLATILE;
}

/* Bytes of a type, 0: unknown. */
static uint64_t size_of(struct reader *r, uint64_t type)
{
	struct cursor c;
	struct die d = {.tag = TAG_TYPEDEF, .type = type};
	while (is_other_name(&d))
		if (!die_at(r, d.type, &c, &d))
			return 0;
	return d.tag == TAG_POINTER ? 8 : d.size;
}

static bool classify(struct reader *r, uint64_t type, uint64_t at, unsigned depth);

/* The children of a structure (their types) or of an array (`of`: the type of its elements); `c` is after the entry. */
static bool children(struct reader *r, struct cursor *c, uint64_t of, uint64_t at, unsigned depth)
{
	unsigned level = 1;
	uint64_t count = 1;
	struct die d;
	while (level) {
		if (!read_die(r, c, &d)) {
			if (!c->ok || d.tag)
				return false;
			level--;
			continue;
		}
		bool is_part = d.tag == TAG_INHERITANCE || (d.tag == TAG_MEMBER && !d.is_static);
		if (level == 1 && d.tag == TAG_SUBRANGE)
			count *= d.count;
		if (level == 1 && is_part && !of && !classify(r, d.type, at + d.location, depth))
			return false;
		level += d.has_children;
	}
	uint64_t size = of ? size_of(r, of) : 1;
	for (uint64_t i = 0; of && size && i < count && at < VALUE_MAX; i++, at += size)
		if (!classify(r, of, at, depth))
			return false;
	return size;
}

/* A part of the value, `at` bytes from its beginning. */
static bool classify(struct reader *r, uint64_t type, uint64_t at, unsigned depth)
{
	struct cursor c;
	struct die d;
	if (at >= VALUE_MAX || depth > DEPTH_MAX || !die_at(r, type, &c, &d))
		return false;
	if (is_other_name(&d))
		return classify(r, d.type, at, depth + 1);
	switch (d.tag) {
	case TAG_STRUCTURE:
	case TAG_CLASS:
	case TAG_UNION: return !d.has_children || children(r, &c, 0, at, depth + 1);
	case TAG_ARRAY: return d.has_children && children(r, &c, d.type, at, depth + 1);
	default: break;
	}
	uint8_t class = d.tag == TAG_BASE && d.encoding == ATE_FLOAT ? CLASS_SSE : CLASS_INTEGER;
	if (r->classes[at / 8] < class)
		r->classes[at / 8] = class;
	return true;
}

static struct mixed_return *find_mixed(const struct stub *s, uint32_t first)
{
	for (size_t i = 0; i < s->image->n_mixed; i++)
		if (s->image->mixed[i].first == first)
			return &s->image->mixed[i];
	return NULL;
}

bool image_returns_mixed(const struct stub *s, uint32_t first, bool *floats_first)
{
	const struct mixed_return *m = find_mixed(s, first);
	*floats_first = m && m->floats_first;
	return m;
}

/* The entry of a function at an instruction, a new one if need be: the file may be described again. */
static struct mixed_return *entry_of(struct stub *s, uint32_t first)
{
	struct image_room *m = s->image;
	struct mixed_return *found = find_mixed(s, first);
	if (found)
		return found;
	m->mixed = xgrow(m->mixed, &m->cap_mixed, m->n_mixed + 1, sizeof *m->mixed);
	m->mixed[m->n_mixed] = (struct mixed_return){.first = first};
	return &m->mixed[m->n_mixed++];
}

void own_note_return(struct own *o, const struct own_unit *unit, uint32_t pc, uint64_t type)
{
	struct reader r = {.o = o, .unit = unit};
	struct cursor c;
	struct die d;
	if (die_at(&r, type, &c, &d) && d.tag == TAG_SUBPROGRAM) /* its declaration */
		type = d.type;
	if (classify(&r, type, 0, 0) && r.classes[1] && r.classes[0] != r.classes[1])
		entry_of(o->w->s, pc)->floats_first = r.classes[0] == CLASS_SSE;
}

bool own_is_reference(const struct own *o, const struct own_unit *unit, uint64_t entry)
{
	struct reader r = {.o = o, .unit = unit};
	struct cursor c;
	struct die d;
	if (!die_at(&r, entry, &c, &d))
		return false;
	bool is_variable = d.tag == TAG_VARIABLE || d.tag == TAG_PARAMETER;
	if (is_variable && (!d.type || !die_at(&r, d.type, &c, &d)))
		return false;
	return d.tag == TAG_REFERENCE || d.tag == TAG_RVALUE_REFERENCE;
}

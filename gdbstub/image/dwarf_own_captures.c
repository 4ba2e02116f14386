/* What lambdas have captured, if `this` or `*this` is among it. nvcc describes a lambda's function by the closure as `this`, whose member for the captured
 * object, or its address, has no name. gdb knows what gcc says instead: variables of the body for each captured one, `this` is the captured object.
 *
 * The variables are in a unit of their own, in a function without code, since nothing in the program's unit may move. gdb adds them to the body's block, or
 * to the function if it has none, because that names theirs as its origin. */
#include <string.h>

#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_own.h"

#define LANGUAGE_CPLUS 4u
#define CAPTURES_MAX 64u /* variables of one lambda */

enum { CODE_UNIT = 1, CODE_FUNCTION, CODE_BLOCK, CODE_VARIABLE };

/* Returns the entry's type without const and volatile, or NULL. */
static const struct die_entry *type_of(const struct own *o, const struct die_entry *e)
{
	const struct die_entry *type = die_entry_at(&o->die, e->type);
	while (type && (type->tag == TAG_CONST || type->tag == TAG_VOLATILE))
		type = die_entry_at(&o->die, type->type);
	return type;
}

static uint32_t index_in(const struct own *o, const struct die_entry *e) { return (uint32_t)(e - o->die.entries); }

/* Returns the first entry of a tag in `in`; the one with a name if that isn't NULL. Returns NULL if there is none. */
static const struct die_entry *child_of(const struct own *o, const struct die_entry *in, unsigned tag, const char *name)
{
	for (const struct die_entry *e = in + 1; e < o->die.entries + in->end; e++)
		if (e->tag == tag && e->parent == index_in(o, in) && (!name || (e->name && !strcmp(e->name, name))))
			return e;
	return NULL;
}

static bool is_class(const struct die_entry *e) { return e && (e->tag == TAG_STRUCTURE || e->tag == TAG_CLASS); }

/* Returns the offset in .debug_info of the type that `this` has in a lambda with such a member, which has captured `this` or `*this`. Returns 0 for other
 * members, and if the program has no type of pointers to the class. */
static uint64_t captured_type(const struct own *o, const struct die_entry *member)
{
	const struct die_entry *type = type_of(o, member), *e = o->die.entries;
	if (member->has_bits || (member->name && *member->name) || !type)
		return 0;
	if (type->tag == TAG_POINTER)
		return member->type;
	while (is_class(type) && e < o->die.entries + o->die.n_entries && (e->tag != TAG_POINTER || type_of(o, e) != type))
		e++;
	return is_class(type) && e < o->die.entries + o->die.n_entries ? e->offset : 0;
}

/* Returns the class of the closure that a function's `this` points to if it has captured an object or its address. Returns NULL for other functions. */
static const struct die_entry *closure_of(const struct own *o, const struct die_entry *self)
{
	const struct die_entry *pointer = self ? type_of(o, self) : NULL;
	const struct die_entry *closure = pointer && pointer->tag == TAG_POINTER ? type_of(o, pointer) : NULL;
	if (!is_class(closure) || (closure->name && !debug_is_unnamed(o->w->s->d, closure->name)))
		return NULL;
	for (const struct die_entry *m = closure + 1; m < o->die.entries + closure->end; m++)
		if (m->tag == TAG_MEMBER && m->parent == index_in(o, closure) && captured_type(o, m))
			return closure;
	return NULL;
}

/* Returns the bytes of the place `DW_OP_breg7 OFFSET` at the beginning of a location, without what fills it up; 0: it is another one. */
static size_t place_bytes(const struct die_entry *self)
{
	struct cursor c = {self->location, self->location ? self->location + self->n_location : NULL, true};
	if (!self->location || cursor_fixed(&c, 1) != OP_BREG7)
		return 0;
	cursor_uleb(&c);
	const size_t n = (size_t)(c.at - self->location);
	while (c.ok && c.at < c.end)
		if (cursor_fixed(&c, 1) != OP_NOP)
			return 0;
	return c.ok ? n : 0;
}

/* Appends the variable that a member of the closure stands for. */
static void put_variable(const struct own *o, const struct die_entry *self, const struct die_entry *member, struct text *t)
{
	const struct die_entry *type = type_of(o, member);
	const uint64_t captured = captured_type(o, member);
	struct text place = {0};
	text_addn(&place, (const char *)self->location, place_bytes(self));
	put8(&place, OP_DEREF);
	put8(&place, OP_PLUS_UCONST);
	put_uleb(&place, member->member_at);
	if (type && (type->tag == TAG_REFERENCE || type->tag == TAG_RVALUE_REFERENCE)) { /* as own_hide_reference */
		put8(&place, OP_CONVERT);
		put8(&place, 0);
	}
	if (captured && is_class(type)) /* the address is the value */
		put8(&place, OP_STACK_VALUE);
	put_uleb(t, CODE_VARIABLE);
	put_string(t, captured ? "this" : member->name);
	put32(t, o->die.base[DIE_INFO] + (captured ? captured : member->type));
	put8(t, (unsigned)place.n);
	text_addn(t, place.s, place.n);
	text_free(&place);
}

static void put_abbreviations(struct text *t)
{
	static const unsigned char table[] = {
		CODE_UNIT,     TAG_UNIT,       1, AT_LANGUAGE, FORM_DATA1, 0, 0,
		CODE_FUNCTION, TAG_SUBPROGRAM, 1, AT_INLINE,   FORM_DATA1, 0, 0,
		CODE_BLOCK,    TAG_BLOCK,      1, 0,	       0,
		CODE_VARIABLE, TAG_VARIABLE,   0, AT_NAME,     FORM_STRING, AT_TYPE, FORM_REF_ADDR, AT_LOCATION, FORM_BLOCK1, 0, 0,
		0};
	text_addn(t, (const char *)table, sizeof table);
}

#define UNIT_HEADER 11u

/* Appends the variables of a lambda to the unit's entries `t` and lets the block of its body have them. Does nothing for other functions. */
static void add_captures(struct own *o, const struct die_entry *function, struct text *t)
{
	const struct die_entry *self = child_of(o, function, TAG_PARAMETER, "this"), *body = child_of(o, function, TAG_BLOCK, NULL);
	const struct die_entry *closure = closure_of(o, self);
	const uint64_t begin = o->die.base[DIE_INFO] + o->die.bytes[DIE_INFO].n + UNIT_HEADER;
	unsigned n = 0;
	if (!closure || !place_bytes(self))
		return;
	uint64_t at = begin + t->n;
	put_uleb(t, CODE_FUNCTION);
	put8(t, 1); /* inlined: it has no code of its own */
	if (body) {
		at = begin + t->n;
		put_uleb(t, CODE_BLOCK);
	}
	for (const struct die_entry *m = closure + 1; m < o->die.entries + closure->end && n < CAPTURES_MAX; m++)
		if (m->tag == TAG_MEMBER && m->parent == index_in(o, closure) && (captured_type(o, m) || (m->name && *m->name))) {
			put_variable(o, self, m, t);
			n++;
		}
	if (body)
		put8(t, 0);
	put8(t, 0);
	own_set_origin(o, body ? body : function, at);
}

void own_captures(struct own *o)
{
	struct text entries = {0}, *info = &o->die.bytes[DIE_INFO], *abbrev = &o->die.bytes[DIE_ABBREV];
	put_uleb(&entries, CODE_UNIT);
	put8(&entries, LANGUAGE_CPLUS);
	const size_t none = entries.n;
	for (const struct die_entry *e = o->die.entries; e < o->die.entries + o->die.n_entries; e++)
		if (e->tag == TAG_SUBPROGRAM && e->has_low)
			add_captures(o, e, &entries);
	if (entries.n > none) {
		put8(&entries, 0);
		put32(info, UNIT_HEADER - 4 + entries.n);
		put16(info, 3);
		put32(info, o->die.base[DIE_ABBREV] + abbrev->n);
		put8(info, 8);
		text_addn(info, entries.s, entries.n);
		put_abbreviations(abbrev);
	}
	text_free(&entries);
}

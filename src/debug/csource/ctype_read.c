/* Types from entries of debug information: all are made first, then filled in, then measured. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/csource/cnames_internal.h"
#include "debug/csource/dwarf_numbers.h"
#include "debug/view/source.h"

static bool kind_of(unsigned tag, enum ctype_kind *kind)
{
	static const struct {
		unsigned tag;
		enum ctype_kind kind;
	} kinds[] = {{TAG_ARRAY, CTYPE_ARRAY},	       {TAG_CLASS, CTYPE_CLASS},
		     {TAG_ENUMERATION, CTYPE_ENUM},    {TAG_POINTER, CTYPE_POINTER},
		     {TAG_REFERENCE, CTYPE_REFERENCE}, {TAG_RVALUE_REFERENCE, CTYPE_REFERENCE},
		     {TAG_STRUCTURE, CTYPE_STRUCT},    {TAG_SUBROUTINE, CTYPE_FUNCTION},
		     {TAG_TYPEDEF, CTYPE_TYPEDEF},     {TAG_UNION, CTYPE_UNION},
		     {TAG_BASE, CTYPE_BASE},	       {TAG_CONST, CTYPE_CONST},
		     {TAG_VOLATILE, CTYPE_VOLATILE},   {TAG_RESTRICT, CTYPE_TYPEDEF},
		     {TAG_UNSPECIFIED, CTYPE_VOID},    {TAG_MEMBER_POINTER, CTYPE_BASE}};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].tag == tag) {
			*kind = kinds[i].kind;
			return true;
		}
	return false;
}

const struct ctype *ctype_of_entry(const struct cread *r, uint64_t offset)
{
	const struct die_entry *e = die_entry_at(r->die, offset);
	const struct ctype *made = e ? r->made[e - r->die->entries] : NULL;
	return made && (made->kind != CTYPE_VOID || made->name) ? made : NULL;
}

/* ---- numbers ---- */

static enum isa_type scalar_of(unsigned encoding, uint64_t bytes)
{
	static const enum isa_type is_signed[] = {ISA_S8, ISA_S16, ISA_S32, ISA_S64},
				   is_unsigned[] = {ISA_U8, ISA_U16, ISA_U32, ISA_U64};
	unsigned k = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
	if (bytes == 16 && encoding != ATE_FLOAT)
		return ISA_B128;
	if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		return ISA_NOTYPE;
	if (encoding == ATE_FLOAT)
		return bytes == 8 ? ISA_F64 : bytes == 4 ? ISA_F32 : bytes == 2 ? ISA_F16 : ISA_NOTYPE;
	return encoding == ATE_SIGNED || encoding == ATE_SIGNED_CHAR ? is_signed[k] : is_unsigned[k];
}

static void make_base(const struct die_entry *e, struct ctype *t)
{
	unsigned encoding = e->tag == TAG_MEMBER_POINTER ? ATE_SIGNED : e->encoding;
	t->bytes = e->tag == TAG_MEMBER_POINTER ? 8 : e->bytes;
	t->scalar = scalar_of(encoding, t->bytes);
	t->is_bool = encoding == ATE_BOOLEAN;
	t->wide = !e->name			 ? '\0'
		  : !strcmp(e->name, "wchar_t")	 ? 'L'
		  : !strcmp(e->name, "char16_t") ? 'u'
		  : !strcmp(e->name, "char32_t") ? 'U'
						 : '\0';
	t->wide = t->scalar != ISA_NOTYPE && t->bytes <= 4 ? t->wide : '\0';
	t->is_char =
		t->bytes == 1 && (encoding == ATE_SIGNED_CHAR || encoding == ATE_UNSIGNED_CHAR || encoding == ATE_UTF);
}

/* ---- children ---- */

static uint32_t count_children(const struct cread *r, const struct die_entry *e, unsigned tag, unsigned other)
{
	uint32_t n = 0;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end)
		n += (r->die->entries[i].tag == tag || r->die->entries[i].tag == other) &&
		     !r->die->entries[i].is_external;
	return n;
}

/* The lowest bit, counted from that of the byte where the member is. In DWARF 2 counting begins at the storage's highest bit. */
static void place_bits(const struct die_entry *e, const struct ctype *type, struct ctype_member *m)
{
	uint64_t storage = 8 * (e->storage_bytes ? e->storage_bytes : ctype_bytes(type));
	uint64_t shift = e->has_data_bit			  ? e->bit_offset
			 : storage >= e->bit_offset + e->bit_size ? storage - e->bit_offset - e->bit_size
								  : 0;
	m->bit_size = e->bit_size;
	m->offset += shift / 8;
	m->bit_shift = (uint8_t)(shift % 8);
}

/* nvcc describes a base class as a member of the name __b_1Base. */
static bool is_base(const struct die_entry *e)
{
	return e->tag == TAG_INHERITANCE || (e->name && !strncmp(e->name, "__b_", 4));
}

/* Returns true for members of an object with a value: no static ones, which are outside of it, and no unnamed bit-fields. */
static bool is_member(const struct die_entry *e)
{
	return (e->tag == TAG_MEMBER || e->tag == TAG_INHERITANCE) && !e->is_external &&
	       (e->name || !e->has_bits);
}

static void add_members(struct cread *r, const struct die_entry *e, struct ctype *t)
{
	struct ctype_member *m =
		POOL_ARRAY(r->pool, struct ctype_member, count_children(r, e, TAG_MEMBER, TAG_INHERITANCE));
	t->members = m;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end) {
		const struct die_entry *c = &r->die->entries[i];
		if (!is_member(c))
			continue;
		*m = (struct ctype_member){.name = c->name,
					   .type = ctype_of_entry(r, c->type),
					   .offset = c->member_at,
					   .is_base = is_base(c)};
		m++;
		t->n_members++;
	}
}

static void add_parameters(struct cread *r, const struct die_entry *e, struct ctype *t)
{
	struct ctype_member *m =
		POOL_ARRAY(r->pool, struct ctype_member, count_children(r, e, TAG_PARAMETER, TAG_PARAMETER));
	t->members = m;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end)
		if (r->die->entries[i].tag == TAG_PARAMETER && !r->die->entries[i].is_external) {
			(m++)->type = ctype_of_entry(r, r->die->entries[i].type);
			t->n_members++;
		}
}

/* nvcc mangles the names of enumerations that aren't in the global scope and of their constants, and those of an enum class, of which it
 * doesn't say that it is one: its constants are in it. */
static bool is_mangled(const char *name) { return name && !strncmp(name, "_Z", 2); }

/* A name that was made, if there is room for one more; else what it was made of. */
static const char *keep_name(struct cread *r, const struct text *made, const char *of)
{
	return cread_spend(&r->names_left, strlen(of) + made->n) ? pool_strn(r->pool, text_str(made), made->n) : of;
}

/* Many entries may have the same one. */
static const char *full_name(struct cread *r, const char *name)
{
	struct text plain = {0};
	uint32_t k;
	size_t n = is_mangled(name) ? strlen(name) : 0;
	if (!n || hash_map_get(&r->plain_index, name, n, &k))
		return n ? r->plain_names[k] : name;
	debug_inlined_name(r->d, name, &plain);
	r->plain_names = xgrow(r->plain_names, &r->cap_plain, r->n_plain + 1, sizeof *r->plain_names);
	hash_map_put(&r->plain_index, name, n, (uint32_t)r->n_plain);
	r->plain_names[r->n_plain++] = keep_name(r, &plain, name);
	text_free(&plain);
	return r->plain_names[r->n_plain - 1];
}

/* What is local to a function is shown without it, as gdb does. */
static const char *plain_name(struct cread *r, const char *name)
{
	const char *full = full_name(r, name);
	return is_mangled(name) && !strncmp(name, "_ZZ", 3) ? debug_last_part(full) : full;
}

/* Is the constant's name in the enumeration's? */
static bool is_in(const char *constant, const char *enumeration)
{
	const char *last = debug_last_part(constant);
	size_t n = last == constant ? 0 : (size_t)(last - constant) - 2;
	return n && enumeration && strlen(enumeration) == n && !memcmp(constant, enumeration, n);
}

static const char *constant_name(struct cread *r, const struct ctype *t, const struct die_entry *c)
{
	if (!c->name || !t->name || !t->is_scoped)
		return plain_name(r, c->name);
	struct text full = {0};
	text_addf(&full, "%s::%s", t->name, debug_last_part(full_name(r, c->name)));
	const char *name = keep_name(r, &full, c->name);
	text_free(&full);
	return name;
}

/* gdb's rule for an enumeration of bits: each value has bits of its own. */
static bool are_flags(const struct ctype *t)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < t->n_members; i++) {
		uint64_t v = (uint64_t)t->members[i].value;
		if (t->members[i].value < 0 || v & all || __builtin_popcountll(v) > 1)
			return false;
		all |= v;
	}
	return true;
}

static void add_constants(struct cread *r, const struct die_entry *e, struct ctype *t)
{
	struct ctype_member *m =
		POOL_ARRAY(r->pool, struct ctype_member, count_children(r, e, TAG_ENUMERATOR, TAG_ENUMERATOR));
	const char *full = full_name(r, e->name);
	bool is_signed = false;
	t->name = t->name ? plain_name(r, e->name) : NULL;
	t->members = m;
	t->is_scoped = e->is_enum_class;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end) {
		const struct die_entry *c = &r->die->entries[i];
		if (c->tag != TAG_ENUMERATOR || c->is_external)
			continue;
		t->is_scoped |= is_mangled(c->name) && is_in(full_name(r, c->name), full);
		m->name = constant_name(r, t, c);
		m->value = (int64_t)c->value;
		m->type = t;
		is_signed |= m->value < 0;
		m++;
		t->n_members++;
	}
	t->bytes = e->bytes;
	t->scalar = scalar_of(is_signed ? ATE_SIGNED : ATE_ADDRESS, e->bytes);
	t->is_flags = are_flags(t);
}

/* Several dimensions become arrays of arrays. */
static void make_array(struct cread *r, const struct die_entry *e, struct ctype *t)
{
	const struct ctype *element = ctype_of_entry(r, e->type);
	struct ctype *outer = t;
	uint32_t left = count_children(r, e, TAG_SUBRANGE, TAG_SUBRANGE);
	t->is_open = true;
	t->target = element;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end) {
		if (r->die->entries[i].tag != TAG_SUBRANGE || r->die->entries[i].is_external)
			continue;
		outer->count = r->die->entries[i].count;
		outer->is_open = !r->die->entries[i].has_count;
		if (!--left)
			break;
		struct ctype *inner = POOL_NEW(r->pool, struct ctype);
		*inner = (struct ctype){.kind = CTYPE_ARRAY, .target = element, .is_open = true};
		outer->target = inner;
		outer = inner;
	}
}

static const char *class_name(struct cread *r, const char *name)
{
	struct text plain = {0};
	if (name && debug_is_unnamed(r->d, name))
		return NULL;
	if (name && debug_base_part_name(r->d, name, &plain))
		name = keep_name(r, &plain, name);
	text_free(&plain);
	return name;
}

static void fill(struct cread *r, const struct die_entry *e, struct ctype *t)
{
	t->name = class_name(r, e->name);
	t->is_declared = e->is_declaration;
	switch (t->kind) {
	case CTYPE_BASE: make_base(e, t); break;
	case CTYPE_ENUM: add_constants(r, e, t); break;
	case CTYPE_ARRAY: make_array(r, e, t); break;
	case CTYPE_STRUCT:
	case CTYPE_CLASS:
	case CTYPE_UNION:
		t->bytes = e->bytes;
		add_members(r, e, t);
		break;
	case CTYPE_FUNCTION:
		add_parameters(r, e, t);
		t->target = ctype_of_entry(r, e->type);
		break;
	case CTYPE_TYPEDEF:
	case CTYPE_CONST:
	case CTYPE_VOLATILE: t->target = ctype_of_entry(r, e->type); break;
	case CTYPE_POINTER:
	case CTYPE_REFERENCE:
		t->target = ctype_of_entry(r, e->type);
		t->bytes = 8;
		t->scalar = ISA_U64;
		t->is_rvalue = e->tag == TAG_RVALUE_REFERENCE;
		break;
	case CTYPE_VOID: break;
	}
}

/* ---- what contains what ---- */

#define NESTING_MAX 64

enum { NOT_LOOKED_AT, UNDER_WAY, MEASURED };

struct measure {
	struct cread *r;
	struct hash_map states; /* by the type's address */
};

static bool measure(struct measure *m, struct ctype *t, unsigned depth);

static bool measure_members(struct measure *m, struct ctype *t, unsigned depth)
{
	for (uint32_t i = 0; i < t->n_members; i++)
		if (t->members[i].type && !measure(m, (struct ctype *)t->members[i].type, depth))
			return false;
	return true;
}

static bool measure_inside(struct measure *m, struct ctype *t, unsigned depth)
{
	switch (t->kind) {
	case CTYPE_STRUCT:
	case CTYPE_CLASS:
	case CTYPE_UNION: return measure_members(m, t, depth);
	case CTYPE_ARRAY:
		if (t->target && !measure(m, (struct ctype *)t->target, depth))
			return false;
		if (ctype_core(t->target)->kind ==
		    CTYPE_REFERENCE) /* there are none in C++; it may not be measured yet */
			return false;
		return !__builtin_mul_overflow(ctype_bytes(t->target), t->is_open ? 0 : t->count, &t->bytes);
	case CTYPE_TYPEDEF:
	case CTYPE_CONST:
	case CTYPE_VOLATILE: return !t->target || measure(m, (struct ctype *)t->target, depth);
	default: return true;
	}
}

/* False: it contains itself, or is nested deeper than anything sensible. Then it becomes a type of which nothing is known. */
static bool measure(struct measure *m, struct ctype *t, unsigned depth)
{
	uint32_t state = NOT_LOOKED_AT;
	hash_map_get(&m->states, (const char *)&t, sizeof t, &state);
	if (state == MEASURED)
		return true;
	if (state == UNDER_WAY || depth > NESTING_MAX)
		return false;
	struct ctype **key = POOL_NEW(m->r->pool, struct ctype *);
	*key = t;
	hash_map_put(&m->states, (const char *)key, sizeof *key, UNDER_WAY);
	bool ok = measure_inside(m, t, depth + 1);
	if (!ok)
		*t = (struct ctype){.kind = CTYPE_VOID, .name = "<malformed type>"};
	hash_map_put(&m->states, (const char *)key, sizeof *key, MEASURED);
	return true;
}

/* What arrays become when they are added to. */
static void point_to_elements(struct cread *r, struct ctype *t)
{
	for (; t && t->kind == CTYPE_ARRAY && !t->element_pointer; t = (struct ctype *)t->target)
		t->element_pointer = ctype_pointer_to(r->pool, t->target);
}

/* ---- names ---- */

static void note_constant(struct cnames_file *f, const struct ctype_member *m)
{
	uint32_t known;
	const char *last = debug_last_part(m->name);
	if (hash_map_get(&f->constant_index, m->name, strlen(m->name), &known))
		return;
	f->constants = xgrow(f->constants, &f->cap_constants, f->n_constants + 1, sizeof *f->constants);
	hash_map_put(&f->constant_index, m->name, strlen(m->name), (uint32_t)f->n_constants);
	f->constants[f->n_constants++] = m;
	if (last == m->name || m->type->is_scoped)
		return;
	/* the data don't say which namespaces are used where: without them the name means the constant as long as it means one */
	if (!hash_map_get(&f->constant_index, last, strlen(last), &known))
		hash_map_put(&f->constant_index, last, strlen(last), (uint32_t)f->n_constants - 1);
	else if (f->constants[known]->value != m->value && strcmp(f->constants[known]->name, last))
		hash_map_remove(&f->constant_index, last, strlen(last));
}

static void note_names(struct cread *r, const struct die_entry *e, const struct ctype *t)
{
	struct cnames_file *f = r->out;
	if (!t->name || t->is_declared || t->kind == CTYPE_VOID || (e->name && !strncmp(e->name, "__SO__", 6)))
		return;
	f->types = xgrow(f->types, &f->cap_types, f->n_types + 1, sizeof *f->types);
	f->types[f->n_types++] = t;
	for (uint32_t i = 0; t->kind == CTYPE_ENUM && i < t->n_members; i++)
		if (t->members[i].name)
			note_constant(f, &t->members[i]);
}

/* Returns whether a member is the object that a lambda has captured with *this, or the pointer to it: nvcc gives it no name. */
static bool is_captured_this(const struct ctype_member *m)
{
	const struct ctype *t = ctype_core(m->type);
	return !m->name && !m->is_base && (t->kind == CTYPE_POINTER || (ctype_is_struct(t) && t->name));
}

/* Completes members whose types have to be known and measured: the bits of bit-fields, the name of a lambda's captured object. */
static void complete_members(struct cread *r, const struct die_entry *e, struct ctype *of)
{
	struct ctype_member *m = (struct ctype_member *)of->members;
	for (uint32_t i = cread_first_child(r, e); i < e->end; i = r->die->entries[i].end) {
		const struct die_entry *c = &r->die->entries[i];
		if (!is_member(c))
			continue;
		const struct ctype *t = ctype_core(m->type);
		if (c->bit_size && (t->kind == CTYPE_BASE || t->kind == CTYPE_ENUM) && t->scalar != ISA_NOTYPE &&
		    t->bytes <= 8)
			place_bits(c, m->type, m);
		if (is_captured_this(m))
			m->name = CTYPE_CAPTURED_THIS;
		m++;
	}
}

/* Finishes a type: arrays' elements, sizes, places of members, names. */
static void finish(struct cread *r, struct measure *m, const struct die_entry *e, struct ctype *t)
{
	point_to_elements(r, t);
	measure(m, t, 0);
	if (ctype_is_struct(t))
		complete_members(r, e, t);
	note_names(r, e, t);
}

void ctype_read_all(struct cread *r)
{
	struct measure m = {.r = r};
	const struct die_entry *e = r->die->entries;
	const size_t n = r->die->n_entries;
	enum ctype_kind kind;
	r->made = xcalloc(n, sizeof *r->made);
	for (size_t i = 0; i < n; i++)
		if (kind_of(e[i].tag, &kind)) {
			r->made[i] = POOL_NEW(r->pool, struct ctype);
			r->made[i]->kind = kind;
		}
	for (size_t i = 0; i < n; i++)
		if (r->made[i])
			fill(r, &e[i], r->made[i]);
	for (size_t i = 0; i < n; i++)
		if (r->made[i])
			finish(r, &m, &e[i], r->made[i]);
	hash_map_free(&m.states);
	hash_map_free(&r->plain_index);
	free(r->plain_names);
}

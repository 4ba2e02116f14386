#include "ptx/scope.h"

#include <string.h>

#include "ptx/lex.h"

#define FEW 8u		       /* so many names are compared one by one */
#define RANGE_SALT 0x5bd1e995u /* keeps `%r` and `%r<10>` apart in the table */

struct ptx_scope *ptx_scope_new(struct ptx_module *m, struct ptx_scope *parent, struct ptx_function *f)
{
	struct ptx_scope *s = POOL_NEW(&m->pool, struct ptx_scope);

	s->parent = parent;
	s->function = f;
	return s;
}

/* Ranges have a count; a plain name has 0. `%r<0>` declares nothing and is never added. */
static uint32_t key_of(uint32_t hash, bool is_range) { return is_range ? hash ^ RANGE_SALT : hash; }

/* First slot of a key: the name hash is weak in its low bits, so it is multiplied and its high bits are used. */
static uint32_t slot_of(const struct ptx_scope *s, uint32_t key)
{
	key ^= key >> 16;
	return (uint32_t)((uint64_t)(key * 2654435769u) * s->n_slots >> 32);
}

static void slot_put(struct ptx_scope *s, struct ptx_symbol *sym)
{
	uint32_t i = slot_of(s, key_of(sym->hash, sym->count != 0));

	while (s->slots[i])
		i = (i + 1) & (s->n_slots - 1);
	s->slots[i] = sym;
}

static void make_table(struct ptx_module *m, struct ptx_scope *s)
{
	s->n_slots = s->n_slots ? 4 * s->n_slots : 8 * FEW;
	s->slots = POOL_ARRAY(&m->pool, struct ptx_symbol *, s->n_slots);
	for (uint32_t i = 0; i < s->n_symbols; i++)
		slot_put(s, s->symbols[i]);
}

void ptx_scope_add(struct ptx_module *m, struct ptx_scope *s, struct ptx_symbol *sym)
{
	sym->hash = ptx_name_hash(sym->name.s, sym->name.n);
	sym->scope = s;
	if (s->n_symbols == s->cap_symbols) {
		uint32_t cap = s->cap_symbols ? 2 * s->cap_symbols : 4;
		struct ptx_symbol **v = POOL_ARRAY(&m->pool, struct ptx_symbol *, cap);

		if (s->n_symbols) {
			memcpy(v, s->symbols, s->n_symbols * sizeof(struct ptx_symbol *));
			s->symbols[s->n_symbols - 1]->next = sym;
		}
		s->symbols = v;
		s->cap_symbols = cap;
	} else if (s->n_symbols) {
		s->symbols[s->n_symbols - 1]->next = sym;
	}
	s->symbols[s->n_symbols++] = sym;
	s->n_ranges += sym->count != 0;
	if (s->n_slots ? s->n_symbols > s->n_slots / 2 : s->n_symbols > FEW)
		make_table(m, s);
	else if (s->n_slots)
		slot_put(s, sym);
}

static bool same(const struct ptx_symbol *sym, struct ptx_slice name, uint32_t hash, bool is_range)
{
	return sym->hash == hash && (sym->count != 0) == is_range && sym->name.n == name.n &&
	       !memcmp(sym->name.s, name.s, name.n);
}

static struct ptx_symbol *find_in_scope(const struct ptx_scope *s, struct ptx_slice name, uint32_t hash, bool is_range)
{
	if (!s->n_slots) {
		for (uint32_t i = 0; i < s->n_symbols; i++)
			if (same(s->symbols[i], name, hash, is_range))
				return s->symbols[i];
		return NULL;
	}
	for (uint32_t i = slot_of(s, key_of(hash, is_range)); s->slots[i]; i = (i + 1) & (s->n_slots - 1))
		if (same(s->slots[i], name, hash, is_range))
			return s->slots[i];
	return NULL;
}

struct ptx_symbol *ptx_scope_find_here(const struct ptx_scope *s, struct ptx_slice name)
{
	return find_in_scope(s, name, ptx_name_hash(name.s, name.n), false);
}

struct ptx_symbol *ptx_scope_find_range(const struct ptx_scope *s, struct ptx_slice prefix, uint32_t hash)
{
	return find_in_scope(s, prefix, hash, true);
}

bool ptx_name_number(struct ptx_slice name, uint32_t n_prefix, uint32_t *number)
{
	uint64_t v = 0;

	if (n_prefix >= name.n)
		return false;
	for (uint32_t i = n_prefix; i < name.n; i++) {
		if (name.s[i] < '0' || name.s[i] > '9')
			return false;
		v = v * 10 + (uint64_t)(name.s[i] - '0');
		if (v > UINT32_MAX)
			return false;
	}
	*number = (uint32_t)v;
	return true;
}

static struct ptx_symbol *resolve_in_ranges(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number)
{
	uint32_t stem = name.n;

	while (stem && name.s[stem - 1] >= '0' && name.s[stem - 1] <= '9')
		stem--;
	if (stem + 64 < name.n)
		stem = name.n - 64; /* only leading zeros can make a tail this long */
	uint32_t hash = ptx_name_hash(name.s, stem);

	for (uint32_t n = stem; n < name.n; hash = ptx_name_hash_add(hash, name.s[n++])) {
		struct ptx_symbol *sym = n ? find_in_scope(s, (struct ptx_slice){name.s, n}, hash, true) : NULL;

		if (sym && ptx_name_number(name, n, number) && *number < sym->count)
			return sym;
	}
	return NULL;
}

struct ptx_symbol *ptx_scope_resolve_here(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number)
{
	struct ptx_symbol *sym = ptx_scope_find_here(s, name);

	*number = 0;
	return sym || !s->n_ranges ? sym : resolve_in_ranges(s, name, number);
}

struct ptx_symbol *ptx_scope_resolve(const struct ptx_scope *s, struct ptx_slice name, uint32_t *number)
{
	uint32_t hash = ptx_name_hash(name.s, name.n);

	for (; s; s = s->parent) {
		struct ptx_symbol *sym = find_in_scope(s, name, hash, false);

		*number = 0;
		if (!sym && s->n_ranges)
			sym = resolve_in_ranges(s, name, number);
		if (sym)
			return sym;
	}
	return NULL;
}

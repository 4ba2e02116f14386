/* Types of the source: what they are without their names, how long they are, what they contain. */
#include "debug/csource/ctype.h"

#include <string.h>

#define LOOKED_AT_MAX 10000

static const struct ctype void_type = {.kind = CTYPE_VOID, .name = "void"};

const struct ctype *ctype_core(const struct ctype *t)
{
	while (t && (t->kind == CTYPE_TYPEDEF || t->kind == CTYPE_CONST || t->kind == CTYPE_VOLATILE))
		t = t->target;
	return t ? t : &void_type;
}

const struct ctype *ctype_value(const struct ctype *t)
{
	t = ctype_core(t);
	return t->kind == CTYPE_REFERENCE ? ctype_core(t->target) : t;
}

uint64_t ctype_bytes(const struct ctype *t)
{
	t = ctype_value(t);
	return t->kind == CTYPE_VOID || t->kind == CTYPE_FUNCTION ? 1 : t->bytes;
}

struct ctype *ctype_pointer_to(struct pool *pool, const struct ctype *t)
{
	struct ctype *of = (struct ctype *)t; /* remembered there; all types are made by us */
	if (!t || t == &void_type)
		of = NULL;
	if (of && of->pointer)
		return of->pointer;
	struct ctype *p = POOL_NEW(pool, struct ctype);
	*p = (struct ctype){.kind = CTYPE_POINTER, .bytes = 8, .target = t, .scalar = ISA_U64};
	if (of)
		of->pointer = p;
	return p;
}

const struct ctype *ctype_array_of(struct pool *pool, const struct ctype *t, uint64_t count)
{
	struct ctype *of = t == &void_type ? NULL : (struct ctype *)t, *a = of ? of->arrays : NULL;
	while (a && a->count != count)
		a = a->next_array;
	if (a)
		return a;
	a = POOL_NEW(pool, struct ctype);
	*a = (struct ctype){
		.kind = CTYPE_ARRAY, .target = t, .count = count, .element_pointer = ctype_pointer_to(pool, t)};
	if (__builtin_mul_overflow(ctype_bytes(t), count, &a->bytes))
		a->bytes = 0;
	if (of) {
		a->next_array = of->arrays;
		of->arrays = a;
	}
	return a;
}

/* `left`: structures that are still looked at. What is malformed may have the same one inside itself many times over. */
static const struct ctype_member *find_member(const struct ctype *s, const char *name, size_t n, uint64_t *offset,
					      unsigned *left)
{
	if (!*left)
		return NULL;
	--*left;
	for (uint32_t i = 0; i < s->n_members; i++) {
		const struct ctype_member *m = &s->members[i];
		if (m->name && !m->is_base && strlen(m->name) == n && !memcmp(m->name, name, n)) {
			*offset += m->offset;
			return m;
		}
	}
	for (uint32_t i = 0; i < s->n_members; i++) {
		const struct ctype *inner = ctype_core(s->members[i].type);
		uint64_t at = *offset + s->members[i].offset;
		if ((s->members[i].name && !s->members[i].is_base) || !ctype_is_struct(inner))
			continue;
		const struct ctype_member *m = find_member(inner, name, n, &at, left);
		if (m) {
			*offset = at;
			return m;
		}
	}
	return NULL;
}

/* Its name with all it is in, or the last part alone. */
static bool is_called(const struct ctype *t, const char *name, size_t n)
{
	size_t own = t->name ? strlen(t->name) : 0;
	return t->name && own >= n && !memcmp(t->name + own - n, name, n) &&
	       (own == n || (own > n + 2 && !memcmp(t->name + own - n - 2, "::", 2)));
}

/* The class itself or one it is derived from, by name. */
static const struct ctype *find_class(const struct ctype *s, const char *name, size_t n, uint64_t *offset,
				      unsigned *left)
{
	if (!*left)
		return NULL;
	--*left;
	if (is_called(s, name, n))
		return s;
	for (uint32_t i = 0; i < s->n_members; i++) {
		const struct ctype *inner = ctype_core(s->members[i].type);
		uint64_t at = *offset + s->members[i].offset;
		const struct ctype *found =
			s->members[i].is_base && ctype_is_struct(inner) ? find_class(inner, name, n, &at, left) : NULL;
		if (found) {
			*offset = at;
			return found;
		}
	}
	return NULL;
}

const struct ctype_member *ctype_member(const struct ctype *structure, const char *name, size_t n, uint64_t *offset)
{
	unsigned left = LOOKED_AT_MAX;
	const struct ctype *s = ctype_core(structure);
	const char *colons = memmem(name, n, "::", 2), *last = colons;
	*offset = 0;
	for (; colons; colons = memmem(colons + 2, (size_t)(name + n - colons - 2), "::", 2))
		last = colons;
	if (!last)
		return find_member(s, name, n, offset, &left);
	s = find_class(s, name, (size_t)(last - name), offset, &left);
	return s ? find_member(s, last + 2, (size_t)(name + n - last - 2), offset, &left) : NULL;
}

const struct ctype *ctype_captured_this(const struct ctype *closure)
{
	const size_t n = sizeof CTYPE_CAPTURED_THIS - 1;
	uint64_t offset;
	const struct ctype_member *m = closure->name ? NULL : ctype_member(closure, CTYPE_CAPTURED_THIS, n, &offset);
	const struct ctype *to = m ? ctype_core(m->type) : NULL;
	if (to && to->kind == CTYPE_POINTER)
		to = ctype_core(to->target);
	return to && ctype_is_struct(to) ? to : NULL;
}

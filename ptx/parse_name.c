/* Declaring and resolving names while parsing.
 *
 * Real PTX names registers `%r123` over and over, all numbers of one range. So resolution remembers, per prefix, the range it
 * led to (p->stems); the memory is dropped whenever a declaration or the end of a scope could make it wrong. */
#include "ptx/parse.h"

#include <string.h>

#include "ptx/special_names.h"

static void stems_forget(struct ptx_parser *p) { memset(p->stems, 0, sizeof(p->stems)); }

void ptx_parse_enter(struct ptx_parser *p, struct ptx_scope *s)
{
	p->scope = s;
	p->depth++;
}

void ptx_parse_leave(struct ptx_parser *p)
{
	if (p->scope->n_ranges)
		stems_forget(p);
	p->scope = p->scope->parent;
	p->depth--;
}

/* ---- names that end in digits ---- */

static bool scope_is_open(const struct ptx_parser *p, const struct ptx_scope *s)
{
	for (const struct ptx_scope *o = p->scope; o; o = o->parent)
		if (o == s)
			return true;
	return false;
}

/* The chain of a prefix, without the entries of scopes that have ended; *slot is where its head is kept. */
static struct ptx_numbered *numbered_chain(struct ptx_parser *p, struct ptx_slice prefix, uint32_t *slot)
{
	if (!hash_map_get(&p->numbered, prefix.s, prefix.n, slot)) {
		*slot = UINT32_MAX;
		return NULL;
	}
	struct ptx_numbered **head = &p->numbered_list[*slot];

	while (*head && !scope_is_open(p, (*head)->scope))
		*head = (*head)->outer;
	return *head;
}

static void numbered_add(struct ptx_parser *p, struct ptx_slice prefix, uint32_t number)
{
	uint32_t slot;
	struct ptx_numbered *top = numbered_chain(p, prefix, &slot);

	if (top && top->scope == p->scope) {
		top->least = number < top->least ? number : top->least;
		return;
	}
	struct ptx_numbered *e = POOL_NEW(&p->m->pool, struct ptx_numbered);

	*e = (struct ptx_numbered){p->scope, top, number};
	if (slot == UINT32_MAX) {
		slot = (uint32_t)p->n_numbered;
		p->numbered_list =
			xgrow(p->numbered_list, &p->cap_numbered, p->n_numbered + 1, sizeof(struct ptx_numbered *));
		p->n_numbered++;
		hash_map_put(&p->numbered, prefix.s, prefix.n, slot);
	}
	p->numbered_list[slot] = e;
}

/* Notes a plain register whose name could also be a number of a range, under every prefix it has. */
static void numbered_note(struct ptx_parser *p, struct ptx_slice name)
{
	uint32_t stem = name.n, number;

	while (stem && name.s[stem - 1] >= '0' && name.s[stem - 1] <= '9')
		stem--;
	if (stem == name.n)
		return;
	stems_forget(p);
	if (stem + 10 < name.n)
		stem = name.n - 10;
	for (uint32_t n = stem ? stem : 1; n < name.n; n++)
		if (ptx_name_number(name, n, &number))
			numbered_add(p, (struct ptx_slice){name.s, n}, number);
}

/* ---- declaring ---- */

bool ptx_parse_declarable(struct ptx_parser *p)
{
	if (p->tok.kind != PTX_TOK_NAME)
		return ptx_parse_unexpected(p, "a name");
	struct ptx_slice s = ptx_parse_slice(p, &p->tok);

	if (ptx_slice_is(s, "_") || ptx_slice_is(s, "WARP_SZ")) {
		ptx_parse_error(p, p->tok.at, "'%s' is no name that can be declared", ptx_parse_show(p, s));
		return false;
	}
	return true;
}

struct ptx_symbol *ptx_parse_new_symbol(struct ptx_parser *p, enum ptx_symbol_kind kind, const struct ptx_token *name)
{
	struct ptx_symbol *sym = POOL_NEW(&p->m->pool, struct ptx_symbol);

	sym->name = ptx_parse_slice(p, name);
	sym->kind = (uint8_t)kind;
	sym->at = name->at;
	sym->vec = 1;
	return sym;
}

static bool taken(struct ptx_parser *p, const struct ptx_symbol *sym)
{
	uint32_t number, slot;

	if (sym->count) {
		const struct ptx_numbered *top = numbered_chain(p, sym->name, &slot);

		return (top && top->scope == p->scope && top->least < sym->count) ||
		       ptx_scope_find_range(p->scope, sym->name, ptx_name_hash(sym->name.s, sym->name.n));
	}
	return ptx_scope_resolve_here(p->scope, sym->name, &number) != NULL;
}

bool ptx_parse_declare(struct ptx_parser *p, struct ptx_symbol *sym)
{
	if (taken(p, sym)) {
		ptx_parse_error(p, sym->at, "'%s%s' is already declared in this scope", ptx_parse_show(p, sym->name),
				sym->count ? "<N>" : "");
		return false;
	}
	if (sym->count)
		stems_forget(p);
	else if (sym->kind == PTX_SYM_REG || sym->name.s[0] == '%')
		numbered_note(p, sym->name);
	ptx_scope_add(p->m, p->scope, sym);
	return true;
}

/* ---- resolving ---- */

static struct ptx_symbol *resolve_slowly(struct ptx_parser *p, const struct ptx_token *t, uint32_t *number)
{
	struct ptx_slice name = ptx_parse_slice(p, t), stem = {name.s, t->n_stem};
	struct ptx_symbol *sym = ptx_scope_resolve(p->scope, name, number);
	uint32_t slot;

	if (sym && sym->count && sym->name.n == t->n_stem && !numbered_chain(p, stem, &slot))
		p->stems[t->stem_hash % PTX_STEM_CACHE] = (struct ptx_stem){stem, sym};
	return sym;
}

struct ptx_symbol *ptx_parse_resolve(struct ptx_parser *p, const struct ptx_token *t, uint32_t *number)
{
	const struct ptx_stem *e = &p->stems[t->stem_hash % PTX_STEM_CACHE];
	struct ptx_slice name = ptx_parse_slice(p, t);

	if (t->n > t->n_stem && e->range && e->stem.n == t->n_stem && !memcmp(e->stem.s, name.s, t->n_stem) &&
	    ptx_name_number(name, t->n_stem, number) && *number < e->range->count)
		return e->range;
	return resolve_slowly(p, t, number);
}

/* A range that has the name's prefix, but not its number. */
static const struct ptx_symbol *nearest_range(const struct ptx_parser *p, const struct ptx_token *t)
{
	struct ptx_slice stem = {p->m->text + t->at, t->n_stem};

	if (t->n_stem == t->n)
		return NULL;
	for (const struct ptx_scope *s = p->scope; s; s = s->parent) {
		const struct ptx_symbol *sym = ptx_scope_find_range(s, stem, t->stem_hash);

		if (sym)
			return sym;
	}
	return NULL;
}

/* Once reported, the name is put into the function's scope without a type, so that its other uses stay silent. */
void ptx_parse_undeclared(struct ptx_parser *p, const struct ptx_token *t)
{
	const struct ptx_symbol *range = nearest_range(p, t);
	const char *name = ptx_parse_show(p, ptx_parse_slice(p, t));

	if (range)
		ptx_parse_error(p, t->at, "register '%s' is not declared: %s<%u> ends at %s%u", name,
				ptx_parse_show(p, range->name), range->count, ptx_parse_show(p, range->name),
				range->count - 1);
	else if (name[0] == '%')
		ptx_parse_error(p, t->at, "'%s' is neither a declared register nor a special register", name);
	else
		ptx_parse_error(p, t->at, "'%s' is not declared", name);
	struct ptx_symbol *poison = ptx_parse_new_symbol(p, PTX_SYM_REG, t);

	ptx_scope_add(p->m, p->fn ? p->fn->scope : p->scope, poison);
}

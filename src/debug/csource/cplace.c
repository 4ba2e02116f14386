/* Where a variable is: what of location expressions and location lists compilers write for PTX. nvcc and clang name a register as
 * DW_OP_regx with the characters of its name as a number; memory is DW_OP_addr of a variable of PTX, and an offset. */
#include "base/xalloc.h"
#include "debug/csource/cnames_internal.h"
#include "debug/csource/dwarf_numbers.h"

static bool find_register(const struct isa_function *f, uint64_t number, uint32_t pc, struct isa_reg_place *out)
{
	char name[9];
	size_t n = die_register_name(number, name);
	return f && n && isa_function_find_reg(f, name, n, pc, out);
}

static bool find_symbol(const struct cread *r, uint64_t operand, struct cplace *p)
{
	uint64_t i = operand - CREAD_SYMBOL;
	if (operand < CREAD_SYMBOL || i >= r->symbols.n_symbols || r->symbols.symbols[i].kind != DIE_VARIABLE)
		return false;
	p->kind = CPLACE_VARIABLE;
	p->variable = r->symbols.symbols[i].variable;
	return true;
}

/* The first operation says what it is about. */
static bool begin_place(const struct cread *r, struct cursor *c, const struct isa_function *f, struct cplace *p)
{
	uint64_t op = cursor_fixed(c, 1);
	if (op == OP_ADDR)
		return find_symbol(r, cursor_fixed(c, 8), p);
	if (op == OP_REGX || op == OP_BREGX) {
		p->kind = op == OP_REGX ? CPLACE_REGISTER : CPLACE_INDIRECT;
		bool found = find_register(f, cursor_uleb(c), p->first, &p->reg);
		p->offset = op == OP_BREGX ? cursor_sleb(c) : 0;
		return found && (op == OP_REGX || !p->reg.is_pred);
	}
	p->kind = CPLACE_VALUE;
	if (op >= OP_LIT0 && op <= OP_LIT31) {
		p->offset = (int64_t)(op - OP_LIT0);
	} else if (op == OP_CONSTU || op == OP_CONSTS) {
		p->offset = op == OP_CONSTU ? (int64_t)cursor_uleb(c) : cursor_sleb(c);
	} else if (op >= OP_CONST1U && op <= OP_CONST8S) {
		unsigned n = 1u << (op - OP_CONST1U) / 2, shift = 64 - 8 * n;
		uint64_t v = cursor_fixed(c, n);
		p->offset = (op - OP_CONST1U) % 2 ? (int64_t)(v << shift) >> shift : (int64_t)v;
	} else {
		return false;
	}
	return true;
}

static bool read_place(const struct cread *r, const unsigned char *e, size_t n, const struct isa_function *f,
		       struct cplace *p)
{
	struct cursor c = {(unsigned char *)e, (unsigned char *)e + n, true};
	bool ok = begin_place(r, &c, f, p), is_value = false;
	while (ok && c.ok && c.at < c.end) {
		switch (cursor_fixed(&c, 1)) {
		case OP_NOP: break;
		case OP_STACK_VALUE: is_value = true; break;
		case OP_PLUS_UCONST:
			p->offset = (int64_t)((uint64_t)p->offset + cursor_uleb(&c));
			ok = p->kind != CPLACE_REGISTER && !p->is_pointed_to;
			break;
		case OP_DEREF:
			ok = p->kind != CPLACE_VALUE && !p->is_pointed_to;
			p->is_pointed_to = true;
			break;
		default: ok = false;
		}
	}
	/* a value is known only if it is a number, a number alone is no place */
	return ok && c.ok && is_value == (p->kind == CPLACE_VALUE);
}

/* Addresses in a list are whole ones: units here begin at 0. */
static void read_list(struct cread *r, uint64_t at, const struct isa_function *f, struct cvar *v)
{
	struct cursor c = die_list(r->die, DIE_LOC, at);
	struct cplace *places = NULL;
	uint64_t begin, end;
	unsigned char *e;
	size_t cap = 0, n;
	while (die_list_next(r->die, &c, &begin, &end) && die_list_expression(r->die, &c, &e, &n)) {
		struct cplace p = {0};
		if (!cread_code(r, begin, &p.first) || !cread_code(r, end, &p.end) || p.first >= p.end ||
		    !read_place(r, e, n, f, &p))
			continue;
		places = xgrow(places, &cap, v->n_places + 1u, sizeof *places);
		places[v->n_places++] = p;
	}
	v->places = v->n_places ? pool_dup(r->pool, places, v->n_places * sizeof *places) : NULL;
	free(places);
}

void cplace_read(struct cread *r, const struct die_entry *e, const struct isa_function *f, struct cvar *v)
{
	struct cplace p = {.first = f ? f->first : 0, .end = f ? f->end : UINT32_MAX};
	if (e->location) {
		if (!read_place(r, e->location, e->n_location, f, &p))
			return;
	} else if (e->has_list) {
		read_list(r, e->location_list, f, v);
		return;
	} else if (e->has_value) {
		p.kind = CPLACE_VALUE;
		p.offset = (int64_t)e->value;
	} else {
		return;
	}
	v->places = pool_dup(r->pool, &p, sizeof p);
	v->n_places = 1;
}

const struct cplace *cvar_place(const struct cvar *v, uint32_t pc)
{
	for (uint32_t i = 0; i < v->n_places; i++)
		if (pc >= v->places[i].first && pc < v->places[i].end)
			return &v->places[i];
	return NULL;
}

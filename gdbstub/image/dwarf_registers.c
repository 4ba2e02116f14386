/* The registers that code names, by the scope they are declared in. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "gdbstub/image/bytes.h"
#include "gdbstub/image/dwarf_inlined.h"
#include "gdbstub/image/frame_layout.h"

#define SCOPES_MAX 64

struct named {
	const struct isa_reg *r;
	uint32_t number;
};

struct names {
	struct named *v;
	size_t n, cap;
};

/* ---- which they are ---- */

/* A .reg parameter is among the registers too. */
static bool is_parameter(const struct isa_function *f, const struct isa_reg *r)
{
	for (uint32_t i = 0; f->param_regs && i < f->n_params; i++)
		if (f->param_regs[i] == r->first && f->params[i].name && !strcmp(f->params[i].name, r->name))
			return true;
	return false;
}

static uint32_t place_of(const struct isa_reg *r, uint32_t number)
{
	uint32_t step = r->type == ISA_PRED ? 1 : isa_row_bytes(isa_type_bytes((enum isa_type)r->type));
	return r->first + number * step;
}

static void index_declaration(struct inlined *t, const struct isa_reg *r)
{
	for (uint32_t i = 0; i < (r->count ? r->count : 1); i++) {
		uint32_t ref = place_of(r, i);
		uint32_t at = r->type == ISA_PRED ? t->n_rows + ref : ISA_REF_OFFSET(ref) / 64;
		if (at >= t->n_registers)
			return;
		t->registers[at].r = r;
		t->registers[at].number = i;
	}
}

void dwarf_registers_index(const struct isa_function *f, struct inlined *t)
{
	t->n_rows = f->frame_bytes / 64 + 1;
	t->n_registers = t->n_rows + f->n_preds;
	t->registers = xcalloc(t->n_registers, sizeof *t->registers);
	for (uint32_t i = 0; i < f->n_regs; i++)
		if (f->regs[i].scope_first < f->regs[i].scope_end && !is_parameter(f, &f->regs[i]))
			index_declaration(t, &f->regs[i]);
}

static void add_named(struct inlined *t, uint32_t node, uint32_t word, struct names *out)
{
	uint32_t at = ISA_RW_IS_PRED(word) ? t->n_rows + ISA_RW_PRED_SLOT(word) : ISA_REF_OFFSET(word) / 64;
	if (at >= t->n_registers || !t->registers[at].r || t->registers[at].seen == node + 1)
		return;
	t->registers[at].seen = node + 1;
	out->v = xgrow(out->v, &out->cap, out->n + 1, sizeof *out->v);
	out->v[out->n++] = (struct named){t->registers[at].r, t->registers[at].number};
}

/* Scopes by where they begin, the larger ones first: so outer ones are opened before inner ones. In them as declared. */
static int by_scope(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	if (x->r->scope_first != y->r->scope_first)
		return x->r->scope_first < y->r->scope_first ? -1 : 1;
	if (x->r->scope_end != y->r->scope_end)
		return x->r->scope_end > y->r->scope_end ? -1 : 1;
	if (x->r != y->r)
		return x->r < y->r ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void find_named(const struct isa_program *p, struct inlined *t, uint32_t node, struct names *out)
{
	const struct inlined_node *n = &t->nodes[node];
	for (size_t i = 0; i < n->n_pieces; i++)
		for (uint32_t pc = n->pieces[i].first; pc < n->pieces[i].end; pc++) {
			const struct isa_where *at = &p->where[pc];
			for (uint32_t k = 0; k < (uint32_t)at->n_writes + at->n_reads; k++)
				add_named(t, node, p->rw[at->rw + k], out);
		}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_scope);
}

/* ---- blocks ---- */

/* Code of a scope that is a node's own: what is of calls in it has entries of its own. False: there is none, and nothing was written. */
static bool open_block(struct dwarf *w, const struct inlined *t, uint32_t node, uint32_t first, uint32_t end)
{
	const struct inlined_node *n = &t->nodes[node];
	size_t begin = w->ranges.n;
	for (size_t i = 0; i < n->n_pieces; i++) {
		uint32_t pc = n->pieces[i].first > first ? n->pieces[i].first : first;
		uint32_t last = n->pieces[i].end < end ? n->pieces[i].end : end, from;
		while (pc < last) {
			for (from = pc; pc < last && t->owner[pc - t->f->first] == node;)
				pc++;
			if (pc > from)
				dwarf_range(w, dwarf_address(w, from), pc - from);
			while (pc < last && t->owner[pc - t->f->first] != node)
				pc++;
		}
	}
	if (w->ranges.n == begin)
		return false;
	dwarf_end_ranges(w);
	put_uleb(&w->info, ABBREV_BLOCK);
	put32(&w->info, begin);
	return true;
}

static uint32_t offset_of(const struct isa_function *f, const struct isa_reg *r, uint32_t number)
{
	return frame_offset(f, r->type == ISA_PRED, place_of(r, number));
}

static const char letters[] = "xyzw";

/* Is a register the element of a number of the vector register whose first element is `first`? */
static bool is_element(const struct isa_function *f, const struct isa_reg *r, const struct isa_reg *first,
		       unsigned number)
{
	size_t n = strlen(first->name);
	uint32_t at = offset_of(f, first, 0) + number * isa_type_bytes((enum isa_type)first->type);
	return !r->count && strlen(r->name) == n && !memcmp(r->name, first->name, n - 1) &&
	       r->name[n - 1] == letters[number] && r->type == first->type && r->scope_first == first->scope_first &&
	       offset_of(f, r, 0) == at;
}

/* Elements of a vector register are declared one after the other as V.x, V.y and so on, in consecutive places: how many there are, and
 * the first one; 0: it isn't an element. */
static unsigned elements(const struct isa_function *f, const struct isa_reg *r, const struct isa_reg **first)
{
	size_t n = strlen(r->name);
	const char *letter = n > 2 && !r->count && r->name[n - 2] == '.' ? strchr(letters, r->name[n - 1]) : NULL;
	unsigned count = 0;
	if (!letter || r - f->regs < letter - letters)
		return 0;
	*first = r - (letter - letters);
	if (strlen((*first)->name) != n)
		return 0;
	while (count < 4 && *first + count < f->regs + f->n_regs && is_element(f, *first + count, *first, count))
		count++;
	return count > 1 && r < *first + count ? count : 0;
}

/* `last`: the vector register that was last described, by its first element; its other elements have no entries of their own. */
static void variable(struct dwarf *w, const struct isa_function *f, const struct named *v, const struct isa_reg **last)
{
	const struct isa_reg *first = NULL;
	unsigned n = elements(f, v->r, &first);
	if (n && first != *last)
		dwarf_vector_register(w, first, n, offset_of(f, first, 0));
	else if (!n)
		dwarf_register(w, ABBREV_VARIABLE, v->r, v->number, offset_of(f, v->r, v->number));
	*last = n ? first : *last;
}

void dwarf_registers(struct dwarf *w, struct inlined *t, uint32_t node)
{
	struct {
		uint32_t first, end;
	} open[SCOPES_MAX + 1] = {{t->f->first, t->f->end}};
	unsigned depth = 0;
	struct names names = {0};
	const struct isa_reg *last = NULL;
	find_named(stub_program(w->s), t, node, &names);
	for (size_t i = 0; i < names.n; i++) {
		uint32_t first = names.v[i].r->scope_first, end = names.v[i].r->scope_end;
		for (; depth && open[depth].end <= first; depth--)
			put8(&w->info, 0);
		end = end < open[depth].end ? end : open[depth].end;
		if ((first > open[depth].first || end < open[depth].end) && depth < SCOPES_MAX) {
			if (!open_block(w, t, node, first, end))
				continue;
			open[++depth].first = first;
			open[depth].end = end;
		}
		variable(w, t->f, &names.v[i], &last);
	}
	for (; depth; depth--)
		put8(&w->info, 0);
	free(names.v);
}

/* DW_TAG_inlined_subroutine: functions that a compiler has put into their callers are frames for gdb, which it goes over with `next`
 * and out of with `finish`. PTX says of a call where it is, not which one it is: code at the same place of the same caller is one call,
 * until, after other code, it is at the line again at which it began. So the turns of an unrolled loop are as many calls. */
#include "gdbstub/image/dwarf_inlined.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "debug/view/source.h"
#include "gdbstub/image/bytes.h"

/* ---- which code belongs to which call ---- */

static uint32_t add_node(struct inlined *t, uint32_t parent, const struct isa_loc *call, const char *function)
{
	uint32_t i = (uint32_t)t->n_nodes;
	t->nodes = xgrow(t->nodes, &t->cap_nodes, t->n_nodes + 1, sizeof *t->nodes);
	t->nodes[t->n_nodes++] = (struct inlined_node){.parent = parent, .function = function};
	if (!call)
		return i;
	t->nodes[i].file = call->file;
	t->nodes[i].line = call->line;
	struct inlined_node *p = &t->nodes[parent];
	if (p->child)
		t->nodes[p->last_child].next = i;
	else
		p->child = i;
	p->last_child = i;
	return i;
}

/* Is an instruction with this line of the called function another call than the node? */
static bool begins_again(const struct inlined_node *n, uint32_t pc, uint32_t line)
{
	return n->n_pieces && n->pieces[n->n_pieces - 1].end != pc && n->entry_line == line;
}

/* The node of an instruction in `parent` that was inlined, at a .loc of the called function. */
static uint32_t find_node(const struct isa_program *p, struct inlined *t, uint32_t parent, const struct isa_loc *l,
			  uint32_t pc)
{
	const struct isa_loc *call = &p->locs[l->inlined_at];
	const char *function = l->function ? l->function : "inlined code";
	struct text key = {0};
	uint32_t i;
	text_addf(&key, "%u %u %u %u %s", parent, call->file, call->line, call->col, function);
	bool known = hash_map_get(&t->index, key.s, key.n, &i);
	if (!known || begins_again(&t->nodes[i], pc, l->line)) {
		i = add_node(t, parent, call, function);
		t->nodes[i].entry_line = l->line;
		hash_map_put(&t->index, known ? key.s : pool_strn(&t->pool, key.s, key.n), key.n, i);
	}
	text_free(&key);
	return i;
}

/* The innermost node of code at a .loc. */
static uint32_t node_of(const struct isa_program *p, struct inlined *t, uint32_t loc, uint32_t pc)
{
	uint32_t chain[DEBUG_INLINED_MAX], n = 0, node = 0;
	for (; n < DEBUG_INLINED_MAX && loc < p->n_locs && p->locs[loc].inlined_at < p->n_locs; n++) {
		chain[n] = loc;
		loc = p->locs[loc].inlined_at;
	}
	while (n--)
		node = find_node(p, t, node, &p->locs[chain[n]], pc);
	return node;
}

static void add_instruction(struct inlined *t, uint32_t node, uint32_t pc)
{
	struct inlined_node *n = &t->nodes[node];
	if (n->n_pieces && n->pieces[n->n_pieces - 1].end == pc) {
		n->pieces[n->n_pieces - 1].end++;
		return;
	}
	n->pieces = xgrow(n->pieces, &n->cap_pieces, n->n_pieces + 1, sizeof *n->pieces);
	n->pieces[n->n_pieces++] = (struct inlined_piece){pc, pc + 1};
}

void inlined_make(struct dwarf *w, const struct isa_function *f, struct inlined *t)
{
	const struct isa_program *p = stub_program(w->s);
	uint32_t node = 0, last = ISA_NO_LOC;
	*t = (struct inlined){.f = f};
	t->owner = xcalloc(f->end - f->first, sizeof *t->owner);
	add_node(t, 0, NULL, f->name);
	for (uint32_t pc = f->first; pc < f->end; pc++) {
		uint32_t loc = w->cuda_lines ? debug_readable_loc(w->s->d, pc) : ISA_NO_LOC;
		if (loc != last)
			node = node_of(p, t, loc, pc);
		last = loc;
		t->owner[pc - f->first] = node;
		for (uint32_t i = node; i; i = t->nodes[i].parent)
			add_instruction(t, i, pc);
		add_instruction(t, 0, pc);
	}
	dwarf_registers_index(f, t);
}

void inlined_free(struct inlined *t)
{
	for (size_t i = 0; i < t->n_nodes; i++)
		free(t->nodes[i].pieces);
	free(t->nodes);
	free(t->owner);
	free(t->registers);
	hash_map_free(&t->index);
	pool_free(&t->pool);
}

/* ---- entries ---- */

void inlined_origins(struct dwarf *w, const struct inlined *t)
{
	for (size_t i = 1; i < t->n_nodes; i++) {
		const char *name = t->nodes[i].function;
		uint32_t known;
		if (hash_map_get(&w->origins, name, strlen(name), &known))
			continue;
		struct text shown = {0};
		hash_map_put(&w->origins, name, strlen(name), (uint32_t)(w->info.n - w->unit));
		debug_inlined_name(w->s->d, name, &shown);
		put_uleb(&w->info, ABBREV_ORIGIN);
		put_string(&w->info, text_str(&shown));
		put8(&w->info, 1); /* it was inlined */
		text_free(&shown);
	}
}

static void begin_call(struct dwarf *w, const struct inlined_node *n)
{
	uint32_t origin = 0;
	hash_map_get(&w->origins, n->function, strlen(n->function), &origin);
	put_uleb(&w->info, ABBREV_INLINED);
	put32(&w->info, origin);
	put32(&w->info, w->ranges.n);
	put_uleb(&w->info, w->files[n->file]);
	put_uleb(&w->info, n->line);
	for (size_t i = 0; i < n->n_pieces; i++)
		dwarf_range(w, dwarf_address(w, n->pieces[i].first), n->pieces[i].end - n->pieces[i].first);
	dwarf_end_ranges(w);
}

static void statics(struct dwarf *w, const struct isa_function *f, const char *called)
{
	for (uint32_t i = 0; i < f->n_vars; i++)
		if (dwarf_plain_of_call(f, &f->vars[i], called))
			dwarf_variable(w, f, &f->vars[i], f->vars[i].plain);
}

/* Not deeper than DEBUG_INLINED_MAX. */
static void entries(struct dwarf *w, struct inlined *t, uint32_t node)
{
	dwarf_registers(w, t, node);
	for (uint32_t i = t->nodes[node].child; i; i = t->nodes[i].next) {
		begin_call(w, &t->nodes[i]);
		statics(w, t->f, t->nodes[i].function);
		entries(w, t, i);
		put8(&w->info, 0);
	}
}

void inlined_entries(struct dwarf *w, struct inlined *t) { entries(w, t, 0); }

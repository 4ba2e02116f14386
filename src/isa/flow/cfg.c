#include "isa/flow/cfg.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/opcodes.h"

/* What comes after an instruction: does control reach the next one, does it leave the function? */
struct flow {
	bool falls_through, leaves;
	uint32_t n_targets;
	const uint32_t *targets; /* branch targets */
};

static struct flow flow_of(const struct isa_program *p, const struct isa_insn *i)
{
	struct flow f = {.falls_through = i->guard != ISA_PRED_TRUE};

	switch (i->opcode) {
	case ISA_OP_BRA:
		if (i->target != ISA_NO_TARGET) {
			f.targets = &i->target;
			f.n_targets = 1;
		}
		return f;
	case ISA_OP_BRX:
		if (i->aux) {
			f.n_targets = p->aux[i->aux];
			f.targets = &p->aux[i->aux + 1];
		}
		return f;
	case ISA_OP_BREAK:
		if (i->target != ISA_NO_TARGET) {
			f.targets = &i->target;
			f.n_targets = 1;
		}
		return f;
	case ISA_OP_EXIT:
	case ISA_OP_RET:
	case ISA_OP_RETP:
	case ISA_OP_TRAP: f.leaves = true; return f;
	case ISA_OP_CALL:
		f.leaves = i->target < p->n_functions && p->functions[i->target]->is_noreturn;
		f.falls_through |= !f.leaves;
		return f;
	default: f.falls_through = true; return f;
	}
}

/* ---- blocks ---- */

static bool in_function(const struct isa_function *f, uint32_t at) { return at >= f->first && at < f->end; }

static bool ends_block(const struct flow *w) { return w->n_targets || w->leaves || !w->falls_through; }

/* One byte per instruction: does a block begin there? */
static uint8_t *find_leaders(const struct isa_program *p, const struct isa_function *f)
{
	uint8_t *leader = xcalloc(f->end - f->first + 1, 1);

	leader[0] = 1;
	for (uint32_t i = f->first; i < f->end; i++) {
		struct flow w = flow_of(p, &p->insns[i]);
		if (!ends_block(&w))
			continue;
		leader[i + 1 - f->first] = 1;
		for (uint32_t k = 0; k < w.n_targets; k++)
			if (in_function(f, w.targets[k]))
				leader[w.targets[k] - f->first] = 1;
	}
	return leader;
}

struct edge_list {
	struct cfg_edge *v;
	size_t n, cap;
};

/* Adds an edge unless the same one was added since `since`. */
static void add_edge(struct edge_list *l, size_t since, uint32_t from, uint32_t to)
{
	/* tables may be long: duplicates there are left in, they do no harm */
	size_t look = l->n - since > 8 ? l->n - 8 : since;

	for (size_t k = look; k < l->n; k++)
		if (l->v[k].to == to)
			return;
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct cfg_edge){from, to};
}

static void add_block_edges(struct cfg *g, const struct isa_program *p, const struct isa_function *f, uint32_t block,
			    struct edge_list *l)
{
	uint32_t last = g->first[block + 1] - 1;
	struct flow w = flow_of(p, &p->insns[last]);
	size_t since = l->n;

	for (uint32_t k = 0; k < w.n_targets; k++)
		add_edge(l, since, block, in_function(f, w.targets[k]) ? cfg_block_of(g, w.targets[k]) : g->n);
	if (w.falls_through)
		add_edge(l, since, block, block + 1); /* past the last block is the exit */
	if (w.leaves || (!w.falls_through && !w.n_targets))
		add_edge(l, since, block, g->n);
}

void cfg_build(struct cfg *g, const struct isa_program *p, const struct isa_function *f)
{
	uint32_t n_insns = f->end - f->first;
	uint8_t *leader = find_leaders(p, f);
	struct edge_list edges = {0};

	*g = (struct cfg){0};
	for (uint32_t i = 0; i < n_insns; i++)
		g->n += leader[i];
	g->first = xmalloc(((size_t)g->n + 1) * sizeof *g->first);
	for (uint32_t i = 0, b = 0; i < n_insns; i++)
		if (leader[i])
			g->first[b++] = f->first + i;
	g->first[g->n] = f->end;
	free(leader);
	for (uint32_t b = 0; b < g->n; b++)
		add_block_edges(g, p, f, b, &edges);
	g->edges = edges.v;
	g->n_edges = g->n_real = (uint32_t)edges.n;
	cfg_index_edges(g);
}

void cfg_from_edges(struct cfg *g, uint32_t n, const struct cfg_edge *edges, uint32_t n_edges)
{
	*g = (struct cfg){.n = n, .n_edges = n_edges, .n_real = n_edges};
	g->edges = xmalloc(((size_t)n_edges + 1) * sizeof *edges);
	if (n_edges)
		memcpy(g->edges, edges, n_edges * sizeof *edges);
	g->first = xcalloc((size_t)n + 1, sizeof *g->first);
	cfg_index_edges(g);
}

/* Counting sort of the edges by source and by destination. */
void cfg_index_edges(struct cfg *g)
{
	size_t n = (size_t)g->n + 1;

	free(g->succ_start);
	free(g->pred_start);
	free(g->succ);
	free(g->pred);
	g->succ_start = xcalloc(n + 2, sizeof *g->succ_start);
	g->pred_start = xcalloc(n + 2, sizeof *g->pred_start);
	g->succ = xmalloc(g->n_edges * sizeof *g->succ);
	g->pred = xmalloc(g->n_edges * sizeof *g->pred);
	/* start[k+2] counts list k, so that after the running sum start[k+1] is where list k is being filled */
	for (uint32_t e = 0; e < g->n_edges; e++) {
		g->succ_start[g->edges[e].from + 2]++;
		g->pred_start[g->edges[e].to + 2]++;
	}
	for (size_t k = 2; k < n + 2; k++) {
		g->succ_start[k] += g->succ_start[k - 1];
		g->pred_start[k] += g->pred_start[k - 1];
	}
	for (uint32_t e = 0; e < g->n_edges; e++) {
		g->succ[g->succ_start[g->edges[e].from + 1]++] = g->edges[e].to;
		g->pred[g->pred_start[g->edges[e].to + 1]++] = g->edges[e].from;
	}
}

void cfg_free(struct cfg *g)
{
	free(g->first);
	free(g->edges);
	free(g->succ_start);
	free(g->succ);
	free(g->pred_start);
	free(g->pred);
	free(g->ipdom);
	*g = (struct cfg){0};
}

uint32_t cfg_block_of(const struct cfg *g, uint32_t insn)
{
	uint32_t low = 0, high = g->n;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (g->first[middle] <= insn)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Immediate post-dominators: Lengauer and Tarjan's algorithm (simple linking) on the reversed graph, rooted at the virtual
 * exit. Regions that can't reach the exit (infinite loops) first get a pseudo edge to it. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/flow/cfg.h"

#define NONE UINT32_MAX

/* ---- infinite loops ---- */

/* Marks every block from which the exit can be reached. */
static void mark_reaching(const struct cfg *g, uint8_t *reaches, uint32_t *stack)
{
	uint32_t n = 0;

	reaches[g->n] = 1;
	stack[n++] = g->n;
	while (n) {
		uint32_t b = stack[--n];
		for (uint32_t k = g->pred_start[b]; k < g->pred_start[b + 1]; k++) {
			uint32_t from = g->pred[k];
			if (reaches[from])
				continue;
			reaches[from] = 1;
			stack[n++] = from;
		}
	}
}

/* Tarjan's strongly connected components over the blocks that don't reach the exit. */
struct scc {
	const struct cfg *g;
	const uint8_t *reaches;
	uint32_t *index, *low, *next; /* per block; next: edge to look at */
	uint32_t *path, *open;	      /* the search's stack, the stack of blocks without component */
	uint32_t *component;	      /* per block: NONE while open */
	uint32_t n_path, n_open, count, n_components;
};

static void scc_enter(struct scc *s, uint32_t b)
{
	s->index[b] = s->low[b] = s->count++;
	s->next[b] = s->g->succ_start[b];
	s->path[s->n_path++] = b;
	s->open[s->n_open++] = b;
}

static void scc_leave(struct scc *s, uint32_t b)
{
	s->n_path--;
	if (s->n_path) {
		uint32_t up = s->path[s->n_path - 1];
		if (s->low[b] < s->low[up])
			s->low[up] = s->low[b];
	}
	if (s->low[b] != s->index[b])
		return;
	uint32_t member;
	do {
		member = s->open[--s->n_open];
		s->component[member] = s->n_components;
	} while (member != b);
	s->n_components++;
}

static void scc_search(struct scc *s, uint32_t root)
{
	scc_enter(s, root);
	while (s->n_path) {
		uint32_t b = s->path[s->n_path - 1];
		if (s->next[b] == s->g->succ_start[b + 1]) {
			scc_leave(s, b);
			continue;
		}
		uint32_t to = s->g->succ[s->next[b]++];
		if (s->reaches[to])
			continue;
		if (s->index[to] == NONE)
			scc_enter(s, to);
		else if (s->component[to] == NONE && s->index[to] < s->low[b])
			s->low[b] = s->index[to];
	}
}

/* The block of each component without a way out whose edge back closes the loop: the last one in code order that jumps
 * backwards (the latch), so that what diverges inside the loop still meets again before the next round. */
static uint32_t *choose_latches(const struct scc *s)
{
	const struct cfg *g = s->g;
	uint32_t *latch = xmalloc(s->n_components * sizeof *latch);
	uint8_t *has_way_out = xcalloc(s->n_components, 1);

	for (uint32_t c = 0; c < s->n_components; c++)
		latch[c] = NONE;
	for (uint32_t b = 0; b < g->n; b++) {
		if (s->component[b] == NONE)
			continue;
		uint32_t c = s->component[b];
		for (uint32_t k = g->succ_start[b]; k < g->succ_start[b + 1]; k++) {
			has_way_out[c] |= s->component[g->succ[k]] != c;
			if (g->succ[k] <= b)
				latch[c] = b;
		}
		if (latch[c] == NONE && g->succ_start[b] == g->succ_start[b + 1])
			latch[c] = b;
	}
	for (uint32_t c = 0; c < s->n_components; c++)
		if (has_way_out[c])
			latch[c] = NONE;
	free(has_way_out);
	return latch;
}

static void add_pseudo_edges(struct cfg *g, const uint32_t *latch, uint32_t n)
{
	uint32_t n_more = 0;

	for (uint32_t c = 0; c < n; c++)
		n_more += latch[c] != NONE;
	g->edges = xrealloc(g->edges, ((size_t)g->n_edges + n_more) * sizeof *g->edges);
	for (uint32_t c = 0; c < n; c++)
		if (latch[c] != NONE)
			g->edges[g->n_edges++] = (struct cfg_edge){latch[c], g->n};
	cfg_index_edges(g);
}

static void connect_infinite_loops(struct cfg *g)
{
	size_t n = (size_t)g->n + 1;
	uint8_t *reaches = xcalloc(n, 1);
	uint32_t *work = xmalloc(6 * n * sizeof *work);

	mark_reaching(g, reaches, work);
	if (!memchr(reaches, 0, n)) {
		free(work);
		free(reaches);
		return;
	}
	memset(work, 0xff, 6 * n * sizeof *work);
	struct scc s = {.g = g,
			.reaches = reaches,
			.index = work,
			.low = work + n,
			.next = work + 2 * n,
			.path = work + 3 * n,
			.open = work + 4 * n,
			.component = work + 5 * n};
	for (uint32_t b = 0; b < g->n; b++)
		if (!reaches[b] && s.index[b] == NONE)
			scc_search(&s, b);
	uint32_t *latch = choose_latches(&s);
	add_pseudo_edges(g, latch, s.n_components);
	free(latch);
	free(work);
	free(reaches);
}

/* ---- Lengauer and Tarjan ---- */

/* Blocks are renamed to their number in a depth-first search from the exit over reversed edges; all arrays are indexed by
 * that number. */
struct lt {
	const struct cfg *g;
	uint32_t n;
	uint32_t *number; /* block -> search number */
	uint32_t *vertex; /* search number -> block */
	uint32_t *parent, *semi, *label, *ancestor, *dom;
	uint32_t *bucket, *bucket_next; /* lists of vertices by semidominator */
	uint32_t *stack, *next;
};

static void lt_enter(struct lt *t, uint32_t block, uint32_t parent, uint32_t *depth)
{
	uint32_t v = t->n++;

	t->number[block] = v;
	t->vertex[v] = block;
	t->parent[v] = parent;
	t->semi[v] = t->label[v] = v;
	t->next[v] = t->g->pred_start[block];
	t->stack[(*depth)++] = v;
}

static void lt_search(struct lt *t)
{
	uint32_t depth = 0;

	lt_enter(t, t->g->n, NONE, &depth);
	while (depth) {
		uint32_t v = t->stack[depth - 1], block = t->vertex[v];
		if (t->next[v] == t->g->pred_start[block + 1]) {
			depth--;
			continue;
		}
		uint32_t from = t->g->pred[t->next[v]++];
		if (t->number[from] == NONE)
			lt_enter(t, from, v, &depth);
	}
}

/* The vertex with the least semidominator on v's path to its tree's root; the path is compressed on the way. */
static uint32_t lt_eval(struct lt *t, uint32_t v)
{
	uint32_t depth = 0;

	if (t->ancestor[v] == NONE)
		return v;
	for (uint32_t u = v; t->ancestor[t->ancestor[u]] != NONE; u = t->ancestor[u])
		t->stack[depth++] = u;
	while (depth) {
		uint32_t u = t->stack[--depth], up = t->ancestor[u];
		if (t->semi[t->label[up]] < t->semi[t->label[u]])
			t->label[u] = t->label[up];
		t->ancestor[u] = t->ancestor[up];
	}
	return t->label[v];
}

static void lt_semidominator(struct lt *t, uint32_t w)
{
	const struct cfg *g = t->g;
	uint32_t block = t->vertex[w];

	for (uint32_t k = g->succ_start[block]; k < g->succ_start[block + 1]; k++) {
		uint32_t v = t->number[g->succ[k]];
		if (v == NONE)
			continue;
		uint32_t u = lt_eval(t, v);
		if (t->semi[u] < t->semi[w])
			t->semi[w] = t->semi[u];
	}
}

static void lt_dominators(struct lt *t)
{
	for (uint32_t w = t->n; w-- > 1;) {
		lt_semidominator(t, w);
		t->bucket_next[w] = t->bucket[t->semi[w]];
		t->bucket[t->semi[w]] = w;
		uint32_t up = t->parent[w];
		t->ancestor[w] = up;
		while (t->bucket[up] != NONE) {
			uint32_t v = t->bucket[up];
			t->bucket[up] = t->bucket_next[v];
			uint32_t u = lt_eval(t, v);
			t->dom[v] = t->semi[u] < t->semi[v] ? u : up;
		}
	}
	t->dom[0] = 0;
	for (uint32_t w = 1; w < t->n; w++)
		if (t->dom[w] != t->semi[w])
			t->dom[w] = t->dom[t->dom[w]];
}

void cfg_postdominators(struct cfg *g)
{
	size_t n = (size_t)g->n + 1;

	connect_infinite_loops(g);
	uint32_t *work = xmalloc(11 * n * sizeof *work);
	memset(work, 0xff, 11 * n * sizeof *work);
	struct lt t = {.g = g,
		       .number = work,
		       .vertex = work + n,
		       .parent = work + 2 * n,
		       .semi = work + 3 * n,
		       .label = work + 4 * n,
		       .ancestor = work + 5 * n,
		       .dom = work + 6 * n,
		       .bucket = work + 7 * n,
		       .bucket_next = work + 8 * n,
		       .stack = work + 9 * n,
		       .next = work + 10 * n};
	lt_search(&t);
	lt_dominators(&t);
	free(g->ipdom);
	g->ipdom = xmalloc(n * sizeof *g->ipdom);
	for (uint32_t b = 0; b <= g->n; b++)
		g->ipdom[b] = t.number[b] == NONE ? g->n : t.vertex[t.dom[t.number[b]]];
	free(work);
}

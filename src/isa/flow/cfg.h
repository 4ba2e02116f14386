/* Control-flow graphs: basic blocks of a lowered function, immediate post-dominators, liveness.
 *
 * Blocks are numbered in code order; block number `n` is the virtual exit, which all returns, exits, traps and calls that
 * don't return lead to. Everything is iterative and near-linear: machine-made functions have 100,000 blocks. */
#ifndef ISA_FLOW_CFG_H
#define ISA_FLOW_CFG_H

#include <stdint.h>

#include "isa/program.h"

struct text;

struct cfg_edge {
	uint32_t from, to;
};

struct cfg {
	uint32_t n;		     /* blocks, without the virtual exit */
	uint32_t *first;	     /* per block and one more: first instruction; block b is [first[b], first[b+1]) */
	struct cfg_edge *edges;	     /* duplicates removed per block */
	uint32_t n_edges;	     /* pseudo edges included */
	uint32_t n_real;	     /* edges[n_real..] were added so that infinite loops reach the exit */
	uint32_t *succ_start, *succ; /* successors of b: succ[succ_start[b] .. succ_start[b+1]) */
	uint32_t *pred_start, *pred; /* the predecessors of block b: pred[pred_start[b]] on; the exit has a list too */
	uint32_t *ipdom;	     /* immediate post-dominator, n: only the exit; ipdom[n] == n */
};

/* Builds blocks and edges of a function's instructions, without post-dominators. */
void cfg_build(struct cfg *g, const struct isa_program *p, const struct isa_function *f);
/* Builds a graph of n blocks with the given edges and without instructions, for tests; an edge to n goes to the exit. */
void cfg_from_edges(struct cfg *g, uint32_t n, const struct cfg_edge *edges, uint32_t n_edges);
/* Frees a graph's arrays. */
void cfg_free(struct cfg *g);

/* Adds an edge to the exit for each infinite loop that can't reach the exit. Then fills g->ipdom, freeing its old array: each block's immediate
 * postdominator, g->n for the exit (Lengauer and Tarjan on the reversed graph). */
void cfg_postdominators(struct cfg *g);

/* Returns the block that holds an instruction of the function. */
uint32_t cfg_block_of(const struct cfg *g, uint32_t insn);

/* Returns the most 32-bit registers live at once in the function, at least 1, from the register lists of p->where. 64-bit registers count two, predicates none.
 * Stores the most that are live behind a call, with what the call writes, in *across. */
uint32_t cfg_live_registers(const struct cfg *g, const struct isa_program *p, const struct isa_function *f, uint32_t *across);

/* Appends a function's control-flow graph as a Graphviz digraph: blocks with the lines of their text, edges, immediate post-dominators dashed. */
void cfg_dot(const struct isa_program *p, const struct isa_function *f, struct text *out);

/* Rebuilds the successor and predecessor lists from g->edges (cfg.c, for dominators.c). */
void cfg_index_edges(struct cfg *g);

#endif

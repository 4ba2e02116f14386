/* Register pressure: the most 32-bit registers that live at once.
 *
 * Registers are handled 64 at a time: one word per block and direction, propagated backwards from the blocks that use any of
 * them, last block first. So the cost follows the live ranges, not blocks times registers. A write under a guard
 * doesn't end a live range. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "isa/opcodes.h"
#include "isa/flow/cfg.h"

struct liveness {
	const struct cfg *g;
	const struct isa_program *p;
	const struct isa_function *f;
	uint32_t *dense; /* frame offset / 64 -> register number, UINT32_MAX: not mentioned */
	uint8_t *weight; /* per register: 32-bit registers it counts for */
	uint32_t n_regs, n_chunks;
	uint32_t *chunk_start, *chunk_insns; /* per chunk: its instructions in code order */
	uint64_t *use, *def, *in, *out;	     /* per block, of the chunk at hand */
	uint32_t *touched, n_touched;	     /* blocks with a bit in any of them */
	uint64_t *queue;		     /* a bit per block that waits */
	uint32_t queue_top;		     /* no word above it has a bit */
	uint8_t *is_touched;
	uint64_t wide, quad; /* registers of the chunk that count 2 and 4 */
	uint32_t *block_out; /* per block: weight live at its end, all chunks */
	int32_t *delta;	     /* per instruction: weight live before it minus after it */
};

static bool is_row(uint32_t word) { return !ISA_RW_IS_PRED(word) && ISA_REF_BASE(word) == ISA_BASE_FRAME; }

static uint32_t words_of(const struct isa_where *w) { return (uint32_t)w->n_writes + w->n_reads; }

static void number_declared(struct liveness *l, uint32_t *width)
{
	for (uint32_t k = 0; k < l->f->n_regs; k++) {
		const struct isa_reg *r = &l->f->regs[k];
		if (r->type == ISA_PRED)
			continue;
		uint32_t bytes = isa_type_bytes((enum isa_type)r->type), step = isa_row_bytes(bytes);
		for (uint32_t i = 0; i < (r->count ? r->count : 1); i++) {
			uint64_t at = (r->first + (uint64_t)i * step) / 64;
			if (at >= l->f->frame_bytes / 64)
				break;
			width[at] = bytes > 4 ? bytes / 4 : 1;
		}
	}
}

/* Gives every mentioned register a number and counts each chunk's instructions (an upper bound). */
static void number_registers(struct liveness *l)
{
	size_t n_places = l->f->frame_bytes / 64 + 1;
	uint32_t *width = xcalloc(n_places, sizeof *width);
	size_t cap = 0;

	number_declared(l, width);
	l->dense = xmalloc(n_places * sizeof *l->dense);
	memset(l->dense, 0xff, n_places * sizeof *l->dense);
	for (uint32_t i = l->f->first; i < l->f->end; i++) {
		const struct isa_where *w = &l->p->where[i];
		for (uint32_t k = 0; k < words_of(w); k++) {
			uint32_t word = l->p->rw[w->rw + k];
			if (!is_row(word) || l->dense[word / 64] != UINT32_MAX)
				continue;
			l->weight = xgrow(l->weight, &cap, l->n_regs + 1, 1);
			l->weight[l->n_regs] = (uint8_t)(width[word / 64] ? width[word / 64] : 1);
			l->dense[word / 64] = l->n_regs++;
		}
	}
	l->n_chunks = (l->n_regs + 63) / 64;
	free(width);
}

/* Sorts (chunk, instruction) pairs by chunk; an instruction stands once in a chunk for each run of its words there. */
static void sort_by_chunk(struct liveness *l)
{
	l->chunk_start = xcalloc((size_t)l->n_chunks + 2, sizeof *l->chunk_start);
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t i = l->f->first; i < l->f->end; i++) {
			const struct isa_where *w = &l->p->where[i];
			uint32_t last = UINT32_MAX;
			for (uint32_t k = 0; k < words_of(w); k++) {
				uint32_t word = l->p->rw[w->rw + k];
				if (!is_row(word) || l->dense[word / 64] / 64 == last)
					continue;
				last = l->dense[word / 64] / 64;
				if (fill)
					l->chunk_insns[l->chunk_start[last + 1]++] = i;
				else
					l->chunk_start[last + 2]++;
			}
		}
		if (fill)
			break;
		for (uint32_t c = 2; c < l->n_chunks + 2; c++)
			l->chunk_start[c] += l->chunk_start[c - 1];
		l->chunk_insns = xmalloc(l->chunk_start[l->n_chunks + 1] * sizeof *l->chunk_insns);
	}
}

/* An instruction's bits in a chunk: registers it reads, writes, and writes for sure. */
struct insn_bits {
	uint64_t reads, writes, kills;
};

static struct insn_bits bits_of(const struct liveness *l, uint32_t insn, uint32_t chunk)
{
	const struct isa_where *w = &l->p->where[insn];
	struct insn_bits b = {0};

	for (uint32_t k = 0; k < words_of(w); k++) {
		uint32_t word = l->p->rw[w->rw + k];
		if (!is_row(word) || l->dense[word / 64] / 64 != chunk)
			continue;
		uint64_t bit = UINT64_C(1) << (l->dense[word / 64] & 63);
		if (k < w->n_writes)
			b.writes |= bit;
		else
			b.reads |= bit;
	}
	b.kills = l->p->insns[insn].guard == ISA_PRED_TRUE ? b.writes : 0;
	return b;
}

static void touch(struct liveness *l, uint32_t block)
{
	if (l->is_touched[block])
		return;
	l->is_touched[block] = 1;
	l->touched[l->n_touched++] = block;
}

/* use: read before any sure write; def: surely written. */
static void block_sets(struct liveness *l, uint32_t chunk)
{
	uint32_t block = 0;

	for (uint32_t k = l->chunk_start[chunk]; k < l->chunk_start[chunk + 1]; k++) {
		uint32_t i = l->chunk_insns[k];
		if (i < l->g->first[block] || i >= l->g->first[block + 1])
			block = cfg_block_of(l->g, i);
		struct insn_bits b = bits_of(l, i, chunk);
		l->use[block] |= b.reads & ~l->def[block];
		l->def[block] |= b.kills;
		touch(l, block);
	}
}

static void push_block(struct liveness *l, uint32_t block)
{
	l->queue[block / 64] |= UINT64_C(1) << (block & 63);
	if (block / 64 > l->queue_top)
		l->queue_top = block / 64;
}

/* The highest block that waits; UINT32_MAX if none does. */
static uint32_t pop_block(struct liveness *l)
{
	while (!l->queue[l->queue_top]) {
		if (!l->queue_top)
			return UINT32_MAX;
		l->queue_top--;
	}
	uint32_t bit = 63u - (uint32_t)__builtin_clzll(l->queue[l->queue_top]);
	l->queue[l->queue_top] &= ~(UINT64_C(1) << bit);
	return l->queue_top * 64 + bit;
}

/* What is live at the start of `b` is live at the end of its predecessors. */
static void propagate_block(struct liveness *l, uint32_t b)
{
	for (uint32_t k = l->g->pred_start[b]; k < l->g->pred_start[b + 1]; k++) {
		uint32_t from = l->g->pred[k];
		uint64_t fresh = l->in[b] & ~l->out[from];
		if (!fresh)
			continue;
		touch(l, from);
		l->out[from] |= fresh;
		uint64_t in = l->in[from] | (fresh & ~l->def[from]);
		if (in == l->in[from])
			continue;
		l->in[from] = in;
		push_block(l, from);
	}
}

static void propagate(struct liveness *l)
{
	for (uint32_t k = 0; k < l->n_touched; k++) {
		uint32_t b = l->touched[k];
		if (!l->use[b])
			continue;
		l->in[b] = l->use[b];
		push_block(l, b);
	}
	for (uint32_t b = pop_block(l); b != UINT32_MAX; b = pop_block(l))
		propagate_block(l, b);
}

static void weigh_chunk(struct liveness *l, uint32_t chunk)
{
	l->wide = l->quad = 0;
	for (uint32_t k = 0; k < 64 && chunk * 64 + k < l->n_regs; k++) {
		l->wide |= (uint64_t)(l->weight[chunk * 64 + k] == 2) << k;
		l->quad |= (uint64_t)(l->weight[chunk * 64 + k] == 4) << k;
	}
}

static uint32_t weigh(const struct liveness *l, uint64_t bits)
{
	if (!bits)
		return 0;
	uint32_t n = (uint32_t)__builtin_popcountll(bits);
	if (bits & l->wide)
		n += (uint32_t)__builtin_popcountll(bits & l->wide);
	if (bits & l->quad)
		n += 3 * (uint32_t)__builtin_popcountll(bits & l->quad);
	return n;
}

/* Adds the chunk's live ranges to the pressure: what is live at each block's end, and where that changes inside. */
static void add_pressure(struct liveness *l, uint32_t chunk)
{
	uint32_t block = UINT32_MAX;
	uint64_t live = 0;

	for (uint32_t k = l->chunk_start[chunk + 1]; k-- > l->chunk_start[chunk];) {
		uint32_t i = l->chunk_insns[k];
		if (k + 1 < l->chunk_start[chunk + 1] && l->chunk_insns[k + 1] == i)
			continue;
		if (block == UINT32_MAX || i < l->g->first[block]) {
			block = cfg_block_of(l->g, i);
			live = l->out[block];
		}
		struct insn_bits b = bits_of(l, i, chunk);
		uint64_t before = (live & ~b.kills) | b.reads;
		l->delta[i - l->f->first] += (int32_t)weigh(l, before & ~live) - (int32_t)weigh(l, live & ~before);
		live = before;
	}
	for (uint32_t k = 0; k < l->n_touched; k++) {
		uint32_t b = l->touched[k];
		l->block_out[b] += weigh(l, l->out[b]);
		l->use[b] = l->def[b] = l->in[b] = l->out[b] = 0;
		l->is_touched[b] = 0;
	}
	l->n_touched = 0;
}

/* Returns the highest pressure, and stores the highest behind calls in *across. */
static uint32_t highest_pressure(const struct liveness *l, uint32_t *across)
{
	int64_t most = 1, behind = 0;

	for (uint32_t b = 0; b < l->g->n; b++) {
		int64_t live = l->block_out[b];
		most = live > most ? live : most;
		for (uint32_t i = l->g->first[b + 1]; i-- > l->g->first[b];) {
			if (l->p->insns[i].opcode == ISA_OP_CALL && live > behind)
				behind = live;
			live += l->delta[i - l->f->first];
			most = live > most ? live : most;
		}
	}
	*across = (uint32_t)behind;
	return (uint32_t)most;
}

uint32_t cfg_live_registers(const struct cfg *g, const struct isa_program *p, const struct isa_function *f, uint32_t *across)
{
	size_t n = (size_t)g->n + 1;
	struct liveness l = {.g = g, .p = p, .f = f};

	number_registers(&l);
	sort_by_chunk(&l);
	l.use = xcalloc(n, sizeof *l.use);
	l.def = xcalloc(n, sizeof *l.def);
	l.in = xcalloc(n, sizeof *l.in);
	l.out = xcalloc(n, sizeof *l.out);
	l.touched = xmalloc(n * sizeof *l.touched);
	l.queue = xcalloc(n / 64 + 1, sizeof *l.queue);
	l.is_touched = xcalloc(n, 1);
	l.block_out = xcalloc(n, sizeof *l.block_out);
	l.delta = xcalloc((size_t)(f->end - f->first) + 1, sizeof *l.delta);
	for (uint32_t c = 0; c < l.n_chunks; c++) {
		block_sets(&l, c);
		weigh_chunk(&l, c);
		propagate(&l);
		add_pressure(&l, c);
	}
	uint32_t most = highest_pressure(&l, across);
	free(l.dense);
	free(l.weight);
	free(l.chunk_start);
	free(l.chunk_insns);
	free(l.use);
	free(l.def);
	free(l.in);
	free(l.out);
	free(l.touched);
	free(l.queue);
	free(l.is_touched);
	free(l.block_out);
	free(l.delta);
	return most;
}

/* The texture cache: it never answers at once. Every access waits in the fragment FIFO until the data of all misses before it has
 * come, so that a miss behaves like a long pipeline, not like a stall. Its tags show the future: a missing line counts as present
 * from the access on. (Igehy et al., "Prefetching in a Texture Cache Architecture"; behaviour of GPGPU-Sim 3.2.2.) */
#include <assert.h>

#include "timing/cache/cache_internal.h"

enum cache_outcome texture_access(struct cache *c, uint64_t address, uint32_t r, uint64_t now, unsigned *events)
{
	struct mem_request *m = request_at(c->q, r);
	if (fifo_full(c->fragment) || fifo_full(c->miss) || fifo_full(c->rob))
		return CACHE_RESERVATION_FAIL; /* before the tags are asked, and not counted */
	struct cache_lookup l = cache_look(c, address, m);
	bool free_line = tags_have_line(c, &l);
	assert(free_line); /* none is ever reserved */
	tags_access(c, &l, now);
	if (l.found != CACHE_MISS) {
		fifo_push(c->fragment, r);
		cache_count(c, m, l.found, CACHE_HIT_RESERVED);
		return CACHE_HIT_RESERVED;
	}
	c->lines[l.line].state = CACHE_VALID;
	c->lines[l.line].filled = (uint32_t)now;
	uint32_t place = c->rob->head + c->rob->n;
	m->saved[c->level] = (struct request_saved){.block = l.block,
						    .line = place >= c->rob->cap ? place - c->rob->cap : place,
						    .size = m->size,
						    .valid = true};
	m->size = c->cfg.line;
	fifo_push(c->fragment, r | FRAGMENT_MISS);
	fifo_push(c->rob, r);
	fifo_push(c->miss, r);
	request_set_status(c->q, r, c->miss_status, now);
	*events |= CACHE_READ_SENT;
	cache_count(c, m, l.found, CACHE_MISS);
	return CACHE_MISS;
}

void cache_texture_get(const struct cache *c, struct cache_texture_view *out)
{
	const uint32_t first = fifo_empty(c->fragment) ? 0 : fifo_top(c->fragment);
	*out = (struct cache_texture_view){.n_fragments = c->fragment->n, .n_results = c->result->n, .oldest = first & ~FRAGMENT_MISS,
					   .oldest_missed = first & FRAGMENT_MISS};
}

bool texture_fragment_moves(const struct cache *c)
{
	if (fifo_empty(c->fragment) || fifo_full(c->result))
		return false;
	return !(fifo_top(c->fragment) & FRAGMENT_MISS) || fifo_top(c->rob) & REORDER_READY;
}

void texture_move_fragment(struct cache *c)
{
	if (!texture_fragment_moves(c))
		return;
	uint32_t f = fifo_pop(c->fragment);
	if (f & FRAGMENT_MISS)
		fifo_pop(c->rob);
	fifo_push(c->result, f & ~FRAGMENT_MISS);
}

void texture_fill(struct cache *c, uint32_t r, uint64_t now)
{
	struct mem_request *m = request_at(c->q, r);
	struct request_saved *saved = &m->saved[c->level];
	assert(saved->valid && c->rob->at[saved->line] == r);
	c->rob->at[saved->line] |= REORDER_READY;
	saved->valid = false;
	request_set_status(c->q, r, REQUEST_IN_SHADER_L1T_ROB, now);
}

/* A cache's life: making it, its cycle, fills and responses, and looking into it. */
#include "timing/cache/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "timing/cache/cache_internal.h"

const char *const cache_outcome_names[CACHE_OUTCOMES] = {"HIT", "HIT_RESERVED", "MISS", "RESERVATION_FAIL"};

static bool take_state(struct cache *c, struct timing_memory *m)
{
	const struct cache_config *cfg = &c->cfg;
	c->s = timing_take(m, 1, sizeof *c->s);
	c->lines = timing_take(m, (uint64_t)cfg->sets * cfg->ways, sizeof *c->lines);
	if (!c->s || !c->lines)
		return false;
	if (cfg->sectors && !(c->sectors = timing_take(m, (uint64_t)cfg->sets * cfg->ways, sizeof *c->sectors)))
		return false;
	if (c->kind != CACHE_TEXTURE) {
		c->miss = fifo_take(m, cfg->miss_queue);
		return c->miss && mshrs_take(&c->mshr, m, cfg->mshr_entries, cfg->mshr_merge, c->level);
	}
	c->fragment = fifo_take(m, cfg->mshr_entries);
	c->miss = fifo_take(m, cfg->mshr_merge);
	c->rob = fifo_take(m, cfg->miss_queue);
	c->result = fifo_take(m, cfg->result_fifo);
	return c->fragment && c->miss && c->rob && c->result;
}

struct cache *cache_create(struct timing_memory *m, struct requests *q, const struct cache_config *cfg,
			   enum cache_kind kind, enum request_level level, enum request_status miss_status,
			   const struct cache_lower *lower)
{
	if (cfg->disabled)
		return NULL;
	struct cache *c = xcalloc(1, sizeof *c);
	*c = (struct cache){.q = q,
			    .cfg = *cfg,
			    .kind = kind,
			    .level = level,
			    .miss_status = miss_status,
			    .lower = *lower,
			    .line_shift = (uint32_t)__builtin_ctz(cfg->line)};
	if (!take_state(c, m)) {
		free(c);
		return NULL;
	}
	return c;
}

void cache_destroy(struct cache *c) { free(c); }

void cache_set_address_map(struct cache *c, const struct address_map *map) { c->map = map; }
const struct cache_config *cache_get_config(const struct cache *c) { return &c->cfg; }
const struct cache_stats *cache_get_stats(const struct cache *c) { return &c->s->stats; }
void cache_reset_stats(struct cache *c) { c->s->stats = (struct cache_stats){0}; }

/* ---- the cycle ---- */
static void send_down(struct cache *c, uint64_t now)
{
	uint32_t r = fifo_top(c->miss);
	const struct mem_request *m = request_at(c->q, r);
	if (c->lower.full(c->lower.self, REQUEST_CONTROL_BYTES + (m->is_write ? m->size : 0), m->is_write))
		return;
	fifo_pop(c->miss);
	c->s->refused = false;
	c->lower.push(c->lower.self, r, now);
}

void cache_cycle(struct cache *c, uint64_t now)
{
	struct cache_state *s = c->s;
	if (c->miss->n)
		send_down(c, now);
	if (c->kind == CACHE_TEXTURE)
		texture_move_fragment(c);
	s->stats.cycles++;
	if (s->data_port) {
		s->data_port--;
		s->stats.data_port_busy++;
	}
	if (s->fill_port) {
		s->fill_port--;
		s->stats.fill_port_busy++;
	}
}

bool cache_quiet(const struct cache *c)
{
	if (c->miss->n || c->s->data_port || c->s->fill_port)
		return false;
	return c->kind != CACHE_TEXTURE || !texture_fragment_moves(c);
}

void cache_skip(struct cache *c, uint64_t n) { c->s->stats.cycles += n; }

bool cache_data_port_free(const struct cache *c) { return !c->s->data_port; }
bool cache_fill_port_free(const struct cache *c) { return !c->s->fill_port; }

/* ---- fills and responses ---- */
bool cache_waits_for(const struct cache *c, uint32_t r) { return request_at(c->q, r)->saved[c->level].valid; }

/* The line that holds the block from now on. NULL: none, since the cache was emptied while the request was under way. */
static struct cache_line *fill_line(struct cache *c, const struct request_saved *saved, const struct mem_request *m,
				    uint64_t now)
{
	struct cache_line *line = &c->lines[saved->line];
	if (c->cfg.alloc == CACHE_ON_FILL) {
		/* the victim goes without a word, whatever it holds */
		struct cache_lookup l = {.block = saved->block};
		tags_find(c, tags_set(c, saved->block, m), &l);
		if (!tags_have_line(c, &l))
			return NULL;
		line = &c->lines[l.line];
		if (l.found == CACHE_MISS)
			tags_allocate(line, saved->block, now);
	} else if (line->block != saved->block || line->state != CACHE_RESERVED) {
		return NULL;
	}
	line->state = CACHE_VALID;
	line->filled = (uint32_t)now;
	return line;
}

static void fill_sector(struct cache *c, const struct request_saved *saved, const struct mem_request *m, uint64_t now)
{
	sector_fill(c, saved->line, m->sector, m->bytes);
	c->lines[saved->line].filled = (uint32_t)now;
	if (mshrs_mark_ready(&c->mshr, saved->block))
		sector_modify(c, saved->line, m);
	c->s->fill_port += REQUEST_SECTOR_BYTES / c->cfg.port;
}

void cache_fill(struct cache *c, uint32_t r, uint64_t now)
{
	r = c->level == REQUEST_L1 ? request_complete(c->q, r) : r;
	if (!r)
		return;
	struct mem_request *m = request_at(c->q, r);
	c->s->refused = false;
	if (c->kind == CACHE_TEXTURE) {
		texture_fill(c, r, now);
		return;
	}
	struct request_saved *saved = &m->saved[c->level];
	assert(saved->valid);
	m->size = saved->size;
	m->address = saved->address;
	if (c->sectors) {
		saved->valid = false;
		fill_sector(c, saved, m, now);
		return;
	}
	struct cache_line *line = fill_line(c, saved, m, now);
	if (mshrs_mark_ready(&c->mshr, saved->block) && line)
		line->state = CACHE_MODIFIED;
	saved->valid = false;
	c->s->fill_port += c->cfg.line / c->cfg.port;
}

bool cache_response_ready(const struct cache *c)
{
	return c->kind == CACHE_TEXTURE ? !fifo_empty(c->result) : mshrs_any_ready(&c->mshr);
}

uint32_t cache_next_response(struct cache *c)
{
	c->s->refused = false;
	return c->kind == CACHE_TEXTURE ? fifo_pop(c->result) : mshrs_next_ready(&c->mshr, c->q);
}

void cache_invalidate(struct cache *c)
{
	c->s->refused = false;
	for (uint32_t i = 0; i < c->cfg.sets * c->cfg.ways; i++)
		c->lines[i].state = CACHE_INVALID;
	for (uint32_t i = 0; c->sectors && i < c->cfg.sets * c->cfg.ways; i++)
		memset(c->sectors[i].state, CACHE_INVALID, sizeof c->sectors[i].state);
}

bool cache_idle(const struct cache *c)
{
	if (c->kind == CACHE_TEXTURE)
		return !(c->miss->n || c->fragment->n || c->result->n);
	return !c->miss->n && !c->mshr.s->used;
}

/* ---- for observers ---- */
const struct cache_line *cache_lines(const struct cache *c) { return c->lines; }

uint32_t cache_mshr_used(const struct cache *c) { return c->kind == CACHE_TEXTURE ? c->rob->n : c->mshr.s->used; }

bool cache_mshr_get(const struct cache *c, uint32_t k, struct cache_mshr_view *out)
{
	if (k >= cache_mshr_used(c))
		return false;
	if (c->kind == CACHE_TEXTURE) {
		uint32_t r = fifo_peek(c->rob, k) & ~REORDER_READY;
		*out = (struct cache_mshr_view){.block = request_at(c->q, r)->saved[c->level].block,
						.n_merged = 1,
						.first = r,
						.ready = fifo_peek(c->rob, k) & REORDER_READY};
		return true;
	}
	uint32_t i = c->mshr.at[0].newer;
	while (k--)
		i = c->mshr.at[i].newer;
	const struct mshr_entry *e = &c->mshr.at[i];
	*out = (struct cache_mshr_view){e->block, e->n, e->first, e->has_atomic, e->ready};
	return true;
}

uint32_t cache_miss_queue_length(const struct cache *c) { return c->miss->n; }
uint32_t cache_miss_queue_at(const struct cache *c, uint32_t k) { return fifo_peek(c->miss, k); }

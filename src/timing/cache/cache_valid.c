/* A cache that may hold anything is looked at. */
#include "timing/cache/cache_internal.h"
#include "timing/common/valid.h"

/* ---- lines ---- */

static bool lines_are_valid(const struct cache *c)
{
	const uint32_t n = c->cfg.sets * c->cfg.ways;
	for (uint32_t k = 0; k < n; k++) {
		if (c->lines[k].state > CACHE_MODIFIED || (c->kind == CACHE_TEXTURE && c->lines[k].state == CACHE_RESERVED))
			return false;
		for (unsigned s = 0; c->sectors && s < REQUEST_SECTORS; s++)
			if (c->sectors[k].state[s] > CACHE_MODIFIED || !VALID_BOOL(c->sectors[k].bytes_on_fill))
				return false;
	}
	return c->s->last_hit < n && VALID_BOOL(c->s->refused);
}

/* ---- MSHRs ---- */

static uint32_t bucket_of(const struct mshrs *t, uint64_t block)
{
	return (uint32_t)((block * UINT64_C(0x9e3779b97f4a7c15)) >> t->shift);
}

/* The entry's requests. The first one's reply fills the cache, unless that has happened. */
static bool requests_of_entry(const struct cache *c, struct timing_valid *v, const struct mshr_entry *e)
{
	const enum request_level level = c->level;
	uint32_t r = e->first, last = 0;
	if (!e->n || e->n > c->mshr.merge)
		return false;
	for (uint32_t k = 0; k < e->n; k++, r = request_at(v->q, r)->mshr_next[level]) {
		if (!timing_is_live(v, r) || !valid_claim(&v->listed[level], r, 1))
			return false;
		const struct request_saved *saved = &request_at(v->q, r)->saved[level];
		const bool fills = !k && !e->ready;
		if (saved->valid != fills ||
		    (fills && (saved->block != e->block || saved->line >= c->cfg.sets * c->cfg.ways || !saved->size)))
			return false;
		if (fills)
			v->waiter[level][r] = c;
		last = r;
	}
	return last == e->last;
}

/* The entry is found by its block, and is the only one that is. */
static bool entry_is_found(const struct mshrs *t, uint32_t entry)
{
	uint32_t steps = 0, found = 0;
	for (uint32_t k = t->bucket[bucket_of(t, t->at[entry].block)]; k; k = t->at[k].chain) {
		if (k > t->capacity || steps++ > t->capacity)
			return false;
		found += t->at[k].block == t->at[entry].block;
		if (k != entry && t->at[k].block == t->at[entry].block)
			return false;
	}
	return found == 1;
}

static bool used_entries(const struct cache *c, struct timing_valid *v, struct valid_pool *entries, uint32_t *n_ready)
{
	const struct mshrs *t = &c->mshr;
	uint32_t n = 0, before = 0;
	for (uint32_t k = t->at[0].newer; k; before = k, k = t->at[k].newer, n++) {
		if (!valid_claim(entries, k, 1) || t->at[k].older != before)
			return false;
		const struct mshr_entry *e = &t->at[k];
		if (!VALID_BOOL(e->has_atomic) || !VALID_BOOL(e->ready) || !entry_is_found(t, k) ||
		    !requests_of_entry(c, v, e))
			return false;
		*n_ready += e->ready;
	}
	return n == t->s->used && t->at[0].older == before;
}

/* Nothing but used entries, each once, is in the buckets. */
static bool buckets_are_valid(const struct mshrs *t, const struct valid_pool *entries)
{
	uint32_t n = 0;
	for (uint64_t b = 0; b < UINT64_C(1) << (64 - t->shift); b++)
		for (uint32_t k = t->bucket[b]; k; k = t->at[k].chain)
			if (k > t->capacity || entries->claimed[k] != 1 || bucket_of(t, t->at[k].block) != b ||
			    n++ > t->capacity)
				return false;
	return n == t->s->used;
}

static bool ready_are_valid(const struct mshrs *t, const struct valid_pool *entries, uint32_t n_ready)
{
	uint32_t n = 0, last = 0;
	for (uint32_t k = t->s->ready_first; k; last = k, k = t->at[k].next_ready)
		if (k > t->capacity || entries->claimed[k] != 1 || !t->at[k].ready || n++ > t->capacity)
			return false;
	return n == n_ready && (!n || last == t->s->ready_last);
}

static bool mshrs_are_valid(const struct cache *c, struct timing_valid *v)
{
	const struct mshrs *t = &c->mshr;
	struct valid_pool entries;
	uint32_t n_ready = 0;
	valid_pool_init(&entries, t->capacity + UINT64_C(1));
	bool ok = t->s->used <= t->capacity && used_entries(c, v, &entries, &n_ready) && buckets_are_valid(t, &entries) &&
		  ready_are_valid(t, &entries, n_ready);
	for (uint32_t k = t->s->free; ok && k; k = ok ? t->at[k].chain : 0)
		ok = valid_claim(&entries, k, 2);
	ok = ok && !valid_count(&entries, 0);
	valid_pool_free(&entries);
	return ok;
}

/* ---- texture caches ---- */

/* The requests of a FIFO of fragments or results stand for the list of an MSHR table. */
static bool list_fifo(struct timing_valid *v, const struct fifo *f, uint32_t cap, uint32_t flag)
{
	if (!fifo_is_valid(f, cap))
		return false;
	for (uint32_t k = 0; k < f->n; k++)
		if (!timing_is_live(v, fifo_peek(f, k) & ~flag) ||
		    !valid_claim(&v->listed[REQUEST_L1], fifo_peek(f, k) & ~flag, 1))
			return false;
	return true;
}

/* Fragments that missed are in the reorder buffer in the same order. */
static bool texture_is_valid(const struct cache *c, struct timing_valid *v)
{
	uint32_t n = 0;
	if (!list_fifo(v, c->fragment, c->cfg.mshr_entries, FRAGMENT_MISS) ||
	    !list_fifo(v, c->result, c->cfg.result_fifo, 0) || !fifo_is_valid(c->rob, c->cfg.miss_queue))
		return false;
	for (uint32_t k = 0; k < c->fragment->n; k++) {
		const uint32_t f = fifo_peek(c->fragment, k), r = f & ~FRAGMENT_MISS;
		const struct request_saved *saved = &request_at(v->q, r)->saved[REQUEST_L1];
		if (!(f & FRAGMENT_MISS)) {
			if (saved->valid)
				return false;
			continue;
		}
		if (n == c->rob->n)
			return false;
		const uint32_t place = (c->rob->head + n) % c->rob->cap, in_rob = fifo_peek(c->rob, n++);
		if ((in_rob & ~REORDER_READY) != r || saved->valid == !!(in_rob & REORDER_READY) ||
		    (saved->valid && saved->line != place))
			return false;
		if (saved->valid)
			v->waiter[REQUEST_L1][r] = c;
	}
	return n == c->rob->n;
}

/* ---- all of it ---- */

bool cache_is_valid(const struct cache *c, struct timing_valid *v)
{
	const uint32_t queue = c->kind == CACHE_TEXTURE ? c->cfg.mshr_merge : c->cfg.miss_queue;
	return lines_are_valid(c) &&
	       timing_claim_fifo(v, c->miss, queue, c->level == REQUEST_L1 ? PLACE_CORE : PLACE_L2) &&
	       (c->kind == CACHE_TEXTURE ? texture_is_valid(c, v) : mshrs_are_valid(c, v));
}

/* What an access lacks: the tests of cache_access.c and cache_texture.c in words, for those who look. */
#include "timing/cache/cache_internal.h"

static const char *texture_refusal(const struct cache *c)
{
	if (fifo_full(c->fragment))
		return "its fragment FIFO is full";
	if (fifo_full(c->miss))
		return "its request FIFO is full";
	return fifo_full(c->rob) ? "its reorder buffer is full" : NULL;
}

/* Goes a write down to the next level, line or not? */
static bool writes_through(const struct cache *c, bool is_global)
{
	if (c->cfg.write == CACHE_LOCAL_WB_GLOBAL_WT)
		return is_global;
	return c->cfg.write != CACHE_WRITE_BACK;
}

const char *cache_refusal(const struct cache *c, uint64_t address, enum access_type type, bool is_write)
{
	if (c->kind == CACHE_TEXTURE)
		return texture_refusal(c);
	if (c->sectors)
		return NULL;
	struct cache_lookup l = cache_look(c, address, NULL);
	const bool hit = l.found == CACHE_HIT, fetches = !hit && (!is_write || c->cfg.write_alloc == CACHE_WRITE_ALLOCATE);
	if (hit && (!is_write || !writes_through(c, type == GLOBAL_ACC_W)))
		return NULL;
	if (cache_queue_full(c, !fetches || c->kind == CACHE_READ_ONLY ? 0 : is_write ? 2 : 1))
		return fetches ? "its miss queue has no room for the read and what it may push out" : "its miss queue is full";
	const uint32_t entry = fetches ? mshrs_find(&c->mshr, l.block) : 0;
	if (fetches && !mshrs_room(&c->mshr, entry))
		return entry ? "the line's MSHR has no room for another request" : "all its MSHRs are taken";
	return !hit && !tags_have_line(c, &l) ? "every line of the set still waits for its data" : NULL;
}

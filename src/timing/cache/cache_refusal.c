/* What an access lacks: the tests of cache_access.c and cache_texture.c in words, for the debugger. */
#include "timing/cache/cache_internal.h"

static const char *texture_refusal(const struct cache *c)
{
	if (fifo_full(c->fragment))
		return "its fragment FIFO is full";
	if (fifo_full(c->miss))
		return "its request FIFO is full";
	return fifo_full(c->rob) ? "its reorder buffer is full" : NULL;
}

const char *cache_refusal(const struct cache *c, uint64_t address, enum access_type type, bool is_write,
			  const struct mem_request *m)
{
	if (c->kind == CACHE_TEXTURE)
		return texture_refusal(c);
	if (c->sectors)
		return NULL;
	struct cache_lookup l = cache_look(c, address, m);
	const uint32_t most = cache_write_miss_rules[c->cfg.write_alloc].most;
	const bool hit = l.found == CACHE_HIT, fetches = !hit && (!is_write || most > 1);
	if (hit && (!is_write || cache_on_write_hit(c, type == GLOBAL_ACC_W) == WRITE_STAYS))
		return NULL;
	if (cache_queue_full(c, !fetches || c->kind == CACHE_READ_ONLY ? 0 : is_write ? most - 1 : 1))
		return fetches ? "its miss queue has no room for the read and what it may push out"
			       : "its miss queue is full";
	const uint32_t entry = fetches ? mshrs_find(&c->mshr, l.block) : 0;
	if (fetches && !mshrs_room(&c->mshr, entry))
		return entry ? "the line's MSHR has no room for another request" : "all its MSHRs are taken";
	return !hit && !tags_have_line(c, &l) ? "every line of the set still waits for its data" : NULL;
}
